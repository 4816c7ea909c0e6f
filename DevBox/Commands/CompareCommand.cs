namespace ScaleOut.DevBox.Commands;

/// <summary><c>compare</c>: the differences between two runs or two experiments, and what is shown to be the same.</summary>
internal sealed class CompareCommand
{
    private readonly Argument<string> _a = new("a") { Description = "A run or an experiment: its id, its folder or its report.json." };
    private readonly Argument<string> _b = new("b") { Description = "Another one of the same kind, compared with the first." };
    private readonly RunsFolderOption _out = new();
    private readonly ResultOutput _output = new("the comparison");

    public Command Create() => new CommandWithExamples(
        "compare",
        "Compares two runs or two experiments: differences with intervals, what differs and what is shown to be the same.",
        RunAsync,
        ("compare before after", "two runs in the folder 'runs', by their ids"),
        ("compare before after --report change.html --json change.json", "the same as a page and as JSON"))
    {
        _a, _b, _out, _output.All,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var runsFolder = errors.Try(() => _out.Read(input)) ?? RunsFolderOption.DefaultFolder;
        var (fileA, fileB) = (input.Value(_a), input.Value(_b));
        var a = fileA is null ? null : await errors.TryAsync(() => ReportFiles.ReadAsync(fileA, runsFolder, cancellationToken));
        var b = fileB is null ? null : await errors.TryAsync(() => ReportFiles.ReadAsync(fileB, runsFolder, cancellationToken));
        _output.CheckFiles(input, errors);
        errors.ThrowIfAny();

        var comparison = ReportFile.Compare(a!, b!)
            ?? throw new InputException(
                $"{fileA} and {fileB}: one is the report of a run, the other of an experiment; give two of one kind.");
        await _output.WriteAsync(input, comparison, ComparisonPage.From);
        return ExitCode.Complete;
    }
}
