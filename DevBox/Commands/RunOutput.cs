using System.CommandLine;
using ScaleOut.DevBox.Display;
using ScaleOut.DevBox.Engine;

namespace ScaleOut.DevBox.Commands;

/// <summary>Where <c>run</c> and <c>resume</c> put what they have to say.</summary>
internal sealed class RunOutput
{
    private const string StandardOutput = "-";

    private readonly RunsFolderOption _out = new();

    private readonly Option<string?> _json = new("--json")
    {
        Description = "Writes the report's JSON to this file too; '-' is the standard output.",
        HelpName = "file",
    };

    private readonly Option<string?> _failIf = new("--fail-if")
    {
        Description = "Exit code 3 when this holds of a complete run, such as \"throttledShare>0.05\".",
        HelpName = "expression",
    };

    public void AddTo(Command command)
    {
        command.Options.Add(_out);
        command.Options.Add(_json);
        command.Options.Add(_failIf);
    }

    /// <exception cref="InputException">It has no name.</exception>
    public string RunsFolder(ParseResult parsed) => _out.Read(parsed);

    public FailIfCondition? FailIf(ParseResult parsed) => parsed.GetValue(_failIf) is { } text ? FailIfCondition.Parse(text, _failIf.Name) : null;

    /// <summary>Finds out before a long run whether the JSON can be written afterwards.</summary>
    public void CheckJson(ParseResult parsed)
    {
        if (parsed.GetValue(_json) is not { } file || file == StandardOutput)
            return;
        if (Directory.Exists(file))
            throw new InputException($"{_json.Name}: '{file}' is a folder.");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new InputException($"{_json.Name}: there is no folder '{folder}'.");
    }

    /// <summary>All that is not the JSON itself goes here.</summary>
    public TextWriter Text(ParseResult parsed) => parsed.GetValue(_json) == StandardOutput ? Console.Error : Console.Out;

    public IRunDisplay Display(ParseResult parsed, string heading) =>
        RunDisplays.For(Text(parsed), parsed.GetValue(_json) == StandardOutput ? Console.IsErrorRedirected : Console.IsOutputRedirected, heading);

    public async Task WriteJsonAsync(ParseResult parsed, RunResult result)
    {
        if (parsed.GetValue(_json) is not { } file)
            return;
        if (file == StandardOutput)
        {
            await using var output = Console.OpenStandardOutput();
            await output.WriteAsync(result.ReportJson);
        }
        else
        {
            await File.WriteAllBytesAsync(file, result.ReportJson);
        }
    }
}
