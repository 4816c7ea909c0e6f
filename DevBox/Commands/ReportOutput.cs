namespace ScaleOut.DevBox.Commands;

/// <summary>Where a command writes its folders, its report's JSON and its output, and the condition under which it fails.</summary>
internal sealed class ReportOutput : ResultOutput
{
    private readonly RunsFolderOption _out = new();
    private readonly Option<string?> _failIf = new("--fail-if") { HelpName = "expression" };

    private readonly Option<bool>? _strict;

    /// <param name="example">A condition for the help, such as <c>throttledShare>0.05</c>.</param>
    /// <param name="strict">Whether the command can fail because figures are not valid.</param>
    public ReportOutput(string example, bool strict = false)
        : base("the report")
    {
        _failIf.Description = $"Exit code 3 when this holds of the report of what is complete, such as \"{example}\""
            + (strict ? "; 5 when figures decide it that are not valid." : ".");
        if (strict)
            _strict = new("--strict")
            {
                Description = "Exit code 5 when any figure of the report is not valid, such as latencies of a machine that was too busy.",
            };
    }

    public override IEnumerable<Option> All => [_out, .. base.All, _failIf, .. _strict is null ? (Option[])[] : [_strict]];

    /// <summary>The exit code of what is complete. An error line says why it is not 0.</summary>
    /// <param name="condition">Null for none.</param>
    /// <param name="numbers">The numbers that the condition may name.</param>
    /// <param name="invalid">
    /// The figures that are not valid. A condition that rests on them is not decided; <c>--strict</c> fails whatever has some, unless the
    /// condition holds by valid ones.
    /// </param>
    /// <param name="openIn">Gives the interval of a number that is not valid, by the number's name; null for a valid one.</param>
    public async Task<int> ExitCodeOfAsync(
        CommandInput input, FailIfExpression? condition, IReadOnlyDictionary<string, double?> numbers,
        IReadOnlyList<InvalidFigures> invalid, Func<string, Interval?> openIn)
    {
        bool? holds = false;
        if (condition is not null)
        {
            holds = condition.Decide(numbers, openIn);
            var judged = $"{condition.Text} ({condition.Describe(numbers)})";
            if (holds == true)
                ErrorLines.Write([$"{_failIf.Name} holds: {judged}"]);
            else if (holds is null)
                ErrorLines.Write([$"{_failIf.Name} is not decided: {judged}", .. LinesOf(_failIf.Name, invalid)]);
            else
                await Text(input).WriteLineAsync($"{_failIf.Name} does not hold: {judged}");
        }

        if (holds == true)
            return ExitCode.FailIfHolds;
        if (holds is null)
            return ExitCode.NotValid;
        if (invalid.Count == 0 || _strict is null || !input.Value(_strict))
            return ExitCode.Complete;
        ErrorLines.Write(LinesOf(_strict.Name, invalid));
        return ExitCode.NotValid;
    }

    public Task<int> ExitCodeOfAsync(CommandInput input, FailIfExpression? condition, RunReport report) =>
        ExitCodeOfAsync(input, condition, ReportNumbers.From(report), report.Invalid, ReportNumbers.OpenIn(report));

    private static IReadOnlyList<string> LinesOf(string option, IReadOnlyList<InvalidFigures> invalid) =>
        [.. invalid.Select(one => $"{option}: not valid: {one.What}. {one.Why}")];

    /// <summary>The condition; null without one.</summary>
    /// <param name="names">Names of the numbers that the report can have.</param>
    /// <exception cref="InputException">The condition is invalid; the exception has all errors.</exception>
    public FailIfExpression? FailIf(CommandInput input, IReadOnlyCollection<string> names)
    {
        if (input.Value(_failIf) is not { } text)
            return null;
        var (condition, errors) = FailIfExpression.Check(text, names);
        if (condition is null)
            throw new InputException([.. errors.Select(error => $"{_failIf.Name}: {error}")]);
        ErrorLines.Warn(LimitNumbers.ProbablyInverted(condition).Select(warning => $"{_failIf.Name}: {warning}"));
        return condition;
    }

    /// <exception cref="InputException">The folder has no name, or it is a file.</exception>
    public string RunsFolder(CommandInput input) => _out.Read(input);

    /// <summary>Writes the report in a job's folder to the files that the command line names, too.</summary>
    /// <param name="page">What the report shows to people.</param>
    public async Task WriteFilesAsync(CommandInput input, RunFolder folder, ReportPage page)
    {
        if (Json.File(input) is not null)
        {
            var path = Path.Combine(folder.FullPath, JobFiles.ReportName);
            await Json.WriteAsync(input, await File.ReadAllBytesAsync(path), $" The report is {path}.");
        }

        await Page.WriteAsync(input, page);
    }
}

/// <summary>Reads reports that a user names.</summary>
internal static class ReportFiles
{
    /// <summary>A path that exists as it is given; otherwise the folder of the run or experiment with that id, if there is one.</summary>
    public static string PathOf(string given, string runsFolder)
    {
        var ofId = Path.Combine(runsFolder, given);
        return !Path.Exists(given) && Directory.Exists(ofId) ? ofId : given;
    }

    /// <summary>The report of a run or of an experiment; a folder stands for the report in it.</summary>
    /// <param name="given">A path, or an id.</param>
    /// <param name="runsFolder">Folder in which ids are looked for.</param>
    /// <exception cref="InputException">The file is not a report, or cannot be read.</exception>
    public static async Task<ReportFile> ReadAsync(string given, string runsFolder, CancellationToken cancellationToken)
    {
        var path = PathOf(given, runsFolder);
        if (!Path.Exists(path) && TextForm.RunId.Fits(given))
            throw new InputException($"{given}: there is no such report, and no run or experiment '{given}' in {runsFolder}.");
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

internal sealed class RunsFolderOption : Option<string>
{
    /// <summary>The folder if the command line names none.</summary>
    public const string DefaultFolder = RunFolder.DefaultRunsFolder;

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
