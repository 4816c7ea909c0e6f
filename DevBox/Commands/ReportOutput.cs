using System.CommandLine;
using ScaleOut.DevBox.Display;

namespace ScaleOut.DevBox.Commands;

/// <summary>Where a command puts its folders, its report's JSON and what it has to say.</summary>
internal class ReportOutput
{
    private const string StandardOutput = "-";

    private readonly RunsFolderOption _out = new();

    private readonly Option<string?> _json = new("--json")
    {
        Description = "Writes the report's JSON to this file too; '-' is the standard output.",
        HelpName = "file",
    };

    public virtual void AddTo(Command command)
    {
        command.Options.Add(_out);
        command.Options.Add(_json);
    }

    /// <exception cref="InputException">It has no name.</exception>
    public string RunsFolder(CommandInput input) => _out.Read(input);

    /// <summary>Finds out before a long run whether the JSON can be written afterwards.</summary>
    public void CheckJson(CommandInput input)
    {
        if (input.Value(_json) is not { } file || file == StandardOutput)
            return;
        if (Directory.Exists(file))
            throw new InputException($"{_json.Name}: '{file}' is a folder.");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new InputException($"{_json.Name}: there is no folder '{folder}'.");
    }

    /// <summary>All that is not the JSON itself goes here.</summary>
    public TextWriter Text(CommandInput input) => input.Value(_json) == StandardOutput ? Console.Error : Console.Out;

    public IRunDisplay Display(CommandInput input, string heading) =>
        RunDisplays.For(Text(input), input.Value(_json) == StandardOutput ? Console.IsErrorRedirected : Console.IsOutputRedirected, heading);

    public async Task WriteJsonAsync(CommandInput input, byte[] report)
    {
        if (input.Value(_json) is not { } file)
            return;
        if (file == StandardOutput)
        {
            await using var output = Console.OpenStandardOutput();
            await output.WriteAsync(report);
        }
        else
        {
            await File.WriteAllBytesAsync(file, report);
        }
    }
}
