namespace ScaleOut.DevBox.Commands;

/// <summary><c>compare</c>: the differences between two runs or two experiments, and what is shown to be the same.</summary>
internal sealed class CompareCommand
{
    private readonly Argument<string> _a = new("a.json") { Description = "The report.json of a run or of an experiment." };
    private readonly Argument<string> _b = new("b.json") { Description = "Another one of the same kind, compared with the first." };
    private readonly PageOutput _output = new("comparison");

    public Command Create()
    {
        var command = new Command(
            "compare",
            "Compares two runs or two experiments by their report.json: differences with intervals, what differs and what is "
                + "shown to be the same.");
        command.Arguments.Add(_a);
        command.Arguments.Add(_b);
        _output.AddTo(command);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var (fileA, fileB) = (input.Value(_a), input.Value(_b));
        var a = fileA is null ? null : await errors.TryAsync(() => ReportFiles.ReadAsync(fileA, cancellationToken));
        var b = fileB is null ? null : await errors.TryAsync(() => ReportFiles.ReadAsync(fileB, cancellationToken));
        errors.Try(() => _output.Check(input));
        errors.ThrowIfAny();

        var comparison = ReportFile.Compare(a!, b!)
            ?? throw new InputException(
                $"{fileA} and {fileB}: one is the report of a run, the other of an experiment; give two of one kind.");
        await _output.WriteAsync(input, comparison, ComparisonPage.From);
        return ExitCode.Complete;
    }
}
