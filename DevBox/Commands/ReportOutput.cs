namespace ScaleOut.DevBox.Commands;

/// <summary>Where a command writes its folders, its report's JSON and its output, and the condition under which it fails.</summary>
internal sealed class ReportOutput
{
    private const string StandardOutput = "-";

    private readonly RunsFolderOption _out = new();

    private readonly Option<string?> _json = new("--json")
    {
        Description = "Writes the report's JSON to this file too; '-' is the standard output.",
        HelpName = "file",
    };

    private readonly Option<string?> _failIf = new("--fail-if") { HelpName = "expression" };

    private readonly Option<bool>? _strict;

    /// <param name="example">A condition for the help, such as <c>throttledShare>0.05</c>.</param>
    /// <param name="strict">Whether the command can fail because figures are not valid.</param>
    public ReportOutput(string example, bool strict = false)
    {
        _failIf.Description = $"Exit code 3 when this holds of the report of what is complete, such as \"{example}\".";
        if (strict)
            _strict = new("--strict")
            {
                Description = "Exit code 5 when figures of the report are not valid, such as latencies of a machine that was too busy.",
            };
    }

    public void AddTo(Command command)
    {
        command.Options.Add(_out);
        command.Options.Add(_json);
        command.Options.Add(_failIf);
        if (_strict is not null)
            command.Options.Add(_strict);
    }

    /// <summary>The exit code of what is complete. An error line says why it is not 0.</summary>
    /// <param name="condition">Null for none.</param>
    /// <param name="numbers">The numbers that the condition may name.</param>
    /// <param name="invalid">The figures that are not valid. With <c>--strict</c> they outweigh the condition, which rests on them.</param>
    public int ExitCodeOf(
        CommandInput input, FailIfCondition? condition, IReadOnlyDictionary<string, double?> numbers, IReadOnlyList<InvalidFigures> invalid)
    {
        var holds = JobSignals.FailIfHolds(condition, numbers);
        if (invalid.Count == 0 || _strict is null || !input.Value(_strict))
            return holds ? ExitCode.FailIfHolds : ExitCode.Complete;
        ErrorLines.Write([.. invalid.Select(one => $"{_strict.Name}: not valid: {one.What}. {one.Why}")]);
        return ExitCode.NotValid;
    }

    /// <summary>The condition; null without one.</summary>
    /// <param name="names">Names of the numbers that the report can have.</param>
    /// <exception cref="InputException">The condition is invalid; the exception has all errors.</exception>
    public FailIfCondition? FailIf(CommandInput input, IReadOnlyCollection<string> names)
    {
        if (input.Value(_failIf) is not { } text)
            return null;
        var (condition, errors) = FailIfCondition.Parse(text, names);
        foreach (var warning in condition?.Warnings ?? [])
            Console.Error.WriteLine($"warning: {_failIf.Name}: {warning}");
        return condition ?? throw new InputException([.. errors.Select(error => $"{_failIf.Name}: {error}")]);
    }

    /// <exception cref="InputException">The folder has no name, or it is a file.</exception>
    public string RunsFolder(CommandInput input) => _out.Read(input);

    /// <summary>Checks before a long run that the JSON can be written afterwards.</summary>
    public void CheckJson(CommandInput input)
    {
        if (input.Value(_json) is not { } file || file == StandardOutput)
            return;
        if (Directory.Exists(file))
            throw new InputException($"{_json.Name}: '{file}' is a folder.");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new InputException($"{_json.Name}: there is no folder '{folder}'.");
    }

    /// <summary>Where everything but the JSON itself is written.</summary>
    public TextWriter Text(CommandInput input)
    {
        var (output, redirected) = Terminal(input);
        return WrappingWriter.For(output, redirected);
    }

    /// <param name="heading">One line about the run.</param>
    public IRunDisplay Display(CommandInput input, string heading)
    {
        var (output, redirected) = Terminal(input);
        return RunDisplays.For(output, redirected, heading);
    }

    private (TextWriter Output, bool Redirected) Terminal(CommandInput input) =>
        input.Value(_json) == StandardOutput ? (Console.Error, Console.IsErrorRedirected) : (Console.Out, Console.IsOutputRedirected);

    /// <summary>Copies the report in a job's folder to the file or output that <c>--json</c> names.</summary>
    public async Task WriteJsonAsync(CommandInput input, RunFolder folder)
    {
        if (input.Value(_json) is not { } file)
            return;
        var path = Path.Combine(folder.FullPath, JobFiles.ReportName);
        var report = await File.ReadAllBytesAsync(path);
        try
        {
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
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            var target = file == StandardOutput ? "the standard output" : $"'{file}'";
            throw new InputException($"{_json.Name}: {target} cannot be written: {OneLine.From(e.Message)} The report is {path}.");
        }
    }
}

/// <summary>Reads reports that a user names.</summary>
internal static class ReportFiles
{
    /// <summary>The report of a run or of an experiment; a folder stands for the report in it.</summary>
    /// <exception cref="InputException">The file is not a report, or cannot be read.</exception>
    public static async Task<ReportFile> ReadAsync(string path, CancellationToken cancellationToken)
    {
        var inFolder = Path.Combine(path, JobFiles.ReportName);
        var file = File.Exists(inFolder) ? inFolder : path;
        var text = await InputFile.ReadAsync(file, "report", cancellationToken);
        try
        {
            return ReportFile.Read(System.Text.Encoding.UTF8.GetBytes(text));
        }
        catch (EvidenceException e)
        {
            throw new InputException($"{file}: not a report.json that can be used: {OneLine.From(e.Reason)}.");
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or InvalidOperationException or ArgumentException)
        {
            throw new InputException($"{file}: not a report.json: {OneLine.From(e.Message)}");
        }
    }
}

/// <summary>Where the runs' folders are.</summary>
internal sealed class RunsFolderOption : Option<string>
{
    /// <summary>The folder if the command line names none.</summary>
    public const string DefaultFolder = "runs";

    public RunsFolderOption()
        : base("--out")
    {
        Description = "Folder that holds the runs' folders.";
        HelpName = "folder";
        DefaultValueFactory = _ => DefaultFolder;
    }

    /// <exception cref="InputException">The folder has no name, or it is a file.</exception>
    public string Read(CommandInput input)
    {
        if (input.Value(this) is not { } folder || string.IsNullOrWhiteSpace(folder))
            throw new InputException($"{Name}: the folder has no name.");
        for (var path = Path.GetFullPath(folder); path is not null; path = Path.GetDirectoryName(path))
        {
            if (File.Exists(path))
                throw new InputException($"{Name}: the run's folder cannot be in '{folder}': {path} is a file.");
        }

        return folder;
    }
}

/// <summary>How a command shows its result: on the console, as JSON, and in a file.</summary>
internal sealed class PageOutput
{
    private readonly Option<bool> _json;

    private readonly Option<string?> _file = new("--report")
    {
        Description = "Writes it to this file too: .html, .md or .json.",
        HelpName = "file",
    };

    /// <param name="what">The result, such as <c>comparison</c>.</param>
    public PageOutput(string what) => _json = new("--json") { Description = $"Writes the {what} as JSON." };

    public void AddTo(Command command)
    {
        command.Options.Add(_file);
        command.Options.Add(_json);
    }

    /// <exception cref="InputException">The file's name has no known extension, or its folder does not exist.</exception>
    public void Check(CommandInput input)
    {
        if (input.Value(_file) is not { } file)
            return;
        if (Path.GetExtension(file) is not (".html" or ".md" or ".json"))
            throw new InputException($"{_file.Name}: '{file}' does not end with .html, .md or .json.");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new InputException($"{_file.Name}: there is no folder '{folder}'.");
    }

    /// <exception cref="InputException">The file cannot be written.</exception>
    public async Task WriteAsync<T>(CommandInput input, T result, Func<T, ReportPage> pageOf)
    {
        var (page, json) = (pageOf(result), JsonSerializer.Serialize(result, ScaleOutJson.Indented));
        if (input.Value(_json))
            Console.WriteLine(json);
        else
            await ConsolePage.WriteAsync(ConsolePage.Output, page, []);
        if (input.Value(_file) is not { } file)
            return;
        try
        {
            await File.WriteAllTextAsync(
                file, Path.GetExtension(file) switch { ".html" => page.ToHtml(), ".md" => page.ToMarkdown(), _ => json });
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"{_file.Name}: '{file}' cannot be written: {OneLine.From(e.Message)}");
        }
    }
}
