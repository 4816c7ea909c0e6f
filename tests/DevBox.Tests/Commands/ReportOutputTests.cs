using ScaleOut.Api.Specs;

namespace ScaleOut.Tests.DevBox.Commands;

public sealed class ReportOutputTests
{
    private static readonly IReadOnlyDictionary<string, double?> Numbers = new Dictionary<string, double?>
    {
        ["p99"] = 2, ["requestUnits.perInsert"] = 8,
    };

    /// <summary>
    /// The parts of a condition whose figures are not valid decide nothing. A charge does not depend on the machine.
    /// </summary>
    [Theory]
    [InlineData("", true, ExitCode.Complete)]
    [InlineData("--strict", false, ExitCode.Complete)]
    [InlineData("--strict", true, ExitCode.NotValid)]
    [InlineData("--fail-if p99>1", false, ExitCode.FailIfHolds)]
    [InlineData("--fail-if p99>1", true, ExitCode.NotValid)]
    [InlineData("--fail-if p99>3", false, ExitCode.Complete)]
    [InlineData("--fail-if p99>3", true, ExitCode.NotValid)]
    [InlineData("--fail-if requestUnits.perInsert>7", true, ExitCode.FailIfHolds)]
    [InlineData("--fail-if requestUnits.perInsert>9", true, ExitCode.Complete)]
    [InlineData("--fail-if requestUnits.perInsert>9 --strict", true, ExitCode.NotValid)]
    [InlineData("--fail-if requestUnits.perInsert>7 --strict", true, ExitCode.FailIfHolds)]
    [InlineData("--fail-if p99>1||requestUnits.perInsert>7", true, ExitCode.FailIfHolds)]
    [InlineData("--fail-if p99>1&&requestUnits.perInsert>7", true, ExitCode.NotValid)]
    [InlineData("--fail-if p99>1&&requestUnits.perInsert>9", true, ExitCode.Complete)]
    [InlineData("--fail-if requestUnits.perInsert>9||p99>1", true, ExitCode.NotValid)]
    public async Task ExitCodeOfAsync_ConditionOnFiguresThatAreNotValid_IsFive(string options, bool invalid, int code)
    {
        var output = new ReportOutput("p99>1", strict: true);
        var command = new Command("run") { output.All };
        var input = new CommandInput(command.Parse(options.Split(' ', StringSplitOptions.RemoveEmptyEntries)), []);

        IReadOnlyList<InvalidFigures> figures = invalid ? [new("latencies", "The machine was too busy.")] : [];
        Assert.Equal(code, await output.ExitCodeOfAsync(
            input, output.FailIf(input, FailIfNames.OfRun), Numbers, figures, name => invalid && name == "p99" ? Interval.Any : null));
    }

    /// <summary>A run that measured nothing passes no condition, also without <c>--strict</c>.</summary>
    [Theory]
    [InlineData("", ExitCode.Complete)]
    [InlineData("--fail-if p99>1", ExitCode.NotValid)]
    public async Task ExitCodeOfAsync_RunThatMeasuredNothing_PassesNoCondition(string options, int code)
    {
        var output = new ReportOutput("p99>1", strict: true);
        var command = new Command("run") { output.All };
        var input = new CommandInput(command.Parse(options.Split(' ', StringSplitOptions.RemoveEmptyEntries)), []);
        var report = new RunSample().Build();
        report = report with
        {
            BoundBy = null,
            Documents = report.Documents with { AlreadyPresent = report.Documents.Inserted, Inserted = 0 },
            Invalid = [new("rate", "Every document was there already.")],
        };

        Assert.Equal(code, await output.ExitCodeOfAsync(input, output.FailIf(input, FailIfNames.OfRun), report));
    }

    [Theory]
    [InlineData("run")]
    [InlineData("experiment")]
    [InlineData("resume")]
    public async Task Help_CommandsWithStrict_SayTheExitCode(string command)
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(folder.Path, [command, "--help"]);
        AssertText.Has(program.Output, "--strict", "Exit code 5");
    }
}
