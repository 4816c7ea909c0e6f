namespace ScaleOut.Tests.EndToEnd;

public sealed class LimitTests : ProgramInFolder
{
    /// <summary>Inserts a second that 2,000 RU/s permit, at 7.05 RU for each default document.</summary>
    private const double Truth = 2_000 / 7.05;

    private const string Spec =
        """
        { "workers": 1, "warmup": "00:00:00", "container": { "throughput": 2000 }, "simulation": { "latency": "none" } }
        """;

    private LimitReport Report => LimitForms.Kind.Read(File.ReadAllBytes(In("runs", "budget", "report.json")));

    /// <summary>Only for a quiet machine: the test takes 15 minutes, and a busy machine does not use up the budget.</summary>
    [Theory(Explicit = true)]
    [InlineData(1_000)]
    [InlineData(1_500)]
    [InlineData(2_200)]
    [InlineData(3_100)]
    [InlineData(4_300)]
    public async Task Limit_FirmBudget_IsFoundWithinFivePercent(int throughput)
    {
        using var search = await RunAsync(
            "limit", "--workers", "1", "--latency", "none", "--throughput", $"{throughput}", "--id", "budget", "--from", "100",
            "--step-duration", "10");

        AssertEnded(search);
        var report = Report;
        TestContext.Current.TestOutputHelper?.WriteLine(report.Limit.Text);
        var truth = Truth * throughput / 2_000;
        Assert.InRange(report.Limit.Rate!.Value, 0.95 * truth, 1.05 * truth);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Limit_FirmBudget_IsNotExceededAndIsNotMeasuredAgain()
    {
        await WriteAsync("spec.json", Spec);
        string[] command =
        [
            "limit", "spec.json", "--id", "budget", "--from", "200", "--to", "800", "--step-duration", "5", "--precision", "1", "--repeats",
            "1", "--confidence", "0.5",
        ];

        using var search = await RunAsync(command);

        var report = Report;
        // If the machine is too busy, the search says that instead of the budget.
        AssertEnded(search, report.State == ExperimentState.Complete ? 0 : 1);
        Assert.True(report.Simulated);
        Assert.Contains(report.Limit.Text, search.Output, StringComparison.Ordinal);
        Assert.All(["md", "html", "csv"], form => Assert.True(File.Exists(In("runs", "budget", $"report.{form}"))));
        if (report.State != ExperimentState.Complete)
            return;
        // A busy machine may use less of the budget, but none exceeds it.
        Assert.True((report.Limit.Low ?? 0) < 1.1 * Truth, report.Limit.Text);
        Assert.All(
            report.Steps.Where(step => step.Rate >= 1.1 * Truth), step => Assert.Equal((0, LimitVerdict.Fails), (step.Held, step.Verdict)));
        Assert.Contains(report.Steps, step => step.Rate >= 1.1 * Truth || step.Failed > 0);
        Assert.NotNull(report.Limit.StoppedBy);

        AssertRejected(await CommandAsync(command), "experiment 'budget' has ended");
    }
}
