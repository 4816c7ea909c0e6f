namespace ScaleOut.Tests.EndToEnd;

public sealed class LimitTests
{
    /// <summary>Inserts of the default documents that 2,000 RU/s can pay for in a second, at 5.75 RU each.</summary>
    private const double Truth = 2_000 / 5.75;

    private const string Spec =
        """
        { "workers": 1, "warmup": "00:00:00", "container": { "throughput": 2000 }, "simulation": { "latency": "none" } }
        """;

    /// <summary>For a quiet machine: it takes a quarter of an hour, and a busy one achieves less than the budget.</summary>
    [Theory(Explicit = true)]
    [InlineData(1_000)]
    [InlineData(1_500)]
    [InlineData(2_200)]
    [InlineData(3_100)]
    [InlineData(4_300)]
    public async Task Limit_FirmBudget_IsFoundWithinFivePercent(int throughput)
    {
        using var folder = new TemporaryFolder();
        using var search = await DevBoxProcess.RunAsync(
            folder.Path,
            [
                "limit", "--workers", "1", "--latency", "none", "--throughput", $"{throughput}", "--id", "budget", "--from", "100",
                "--step-duration", "10",
            ]);

        Assert.True(search.ExitCode == 0, search.Output + search.Errors);
        var report = LimitForms.Kind.Read(
            await File.ReadAllBytesAsync(
                Path.Combine(folder.Path, "runs", "budget", "report.json"), TestContext.Current.CancellationToken));
        TestContext.Current.TestOutputHelper?.WriteLine(report.Limit.Text);
        var truth = Truth * throughput / 2_000;
        Assert.InRange(report.Limit.Rate!.Value, 0.95 * truth, 1.05 * truth);
    }

    [Fact]
    public async Task Limit_FirmBudget_IsNotExceededAndWhatIsMeasuredIsNotMeasuredAgain()
    {
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "spec.json"), Spec, TestContext.Current.CancellationToken);
        string[] command =
        [
            "limit", "spec.json", "--id", "budget", "--from", "200", "--to", "800", "--step-duration", "5", "--precision", "1", "--repeats",
            "1", "--confidence", "0.5",
        ];

        using var search = await DevBoxProcess.RunAsync(folder.Path, command);

        var report = LimitForms.Kind.Read(
            await File.ReadAllBytesAsync(
                Path.Combine(folder.Path, "runs", "budget", "report.json"), TestContext.Current.CancellationToken));
        // A machine that is full says so, and nothing of the budget.
        Assert.True(
            search.ExitCode == (report.State == ExperimentState.Complete ? 0 : 1) && report.Simulated, search.Output + search.Errors);
        Assert.Contains(report.Limit.Text, search.Output, StringComparison.Ordinal);
        Assert.All(["md", "html", "csv"], form => Assert.True(File.Exists(Path.Combine(folder.Path, "runs", "budget", $"report.{form}"))));
        if (report.State != ExperimentState.Complete)
            return;
        // A busy machine may achieve less; the budget is never exceeded.
        Assert.True((report.Limit.Low ?? 0) < 1.1 * Truth, report.Limit.Text);
        Assert.All(
            report.Steps.Where(step => step.Rate >= 1.1 * Truth),
            step => Assert.Equal((0, LimitVerdict.Fails), (step.Held, step.Verdict)));
        Assert.Contains(report.Steps, step => step.Rate >= 1.1 * Truth || step.Failed > 0);
        Assert.NotNull(report.Limit.StoppedBy);

        var again = await DevBoxCommand.RunAsync(folder.Path, command);
        Assert.Equal(2, again.ExitCode);
        Assert.Contains("experiment 'budget' has ended", again.Errors, StringComparison.Ordinal);
    }
}
