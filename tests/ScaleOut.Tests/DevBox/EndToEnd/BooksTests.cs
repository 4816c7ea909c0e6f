using ScaleOut.Orchestration;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.DevBox.EndToEnd;

/// <summary>The report of a whole run against the truth: the simulated account's own books.</summary>
public class BooksTests
{
    [Theory]
    [InlineData("insert", "Gateway")]
    [InlineData("insert", "Direct")]
    [InlineData("upsert", "Gateway")]
    [InlineData("bulk", "Gateway")]
    [InlineData("bulk", "Direct")]
    [InlineData("batch", "Direct")]
    public async Task Run_EachWorkload_BooksEqualReport(string workload, string mode)
    {
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(folder.Path, ["--documents", "4000", "--workers", "2", "--workload", workload, "--mode", mode, "--id", workload]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Contains("the account's books agree", run.Output, StringComparison.Ordinal);
        AssertEqual(new FinishedRun(Path.Combine(folder.Path, "runs"), workload), documents: 4_000);
    }

    [Fact]
    public async Task Run_ThrottledInsert_BooksEqualReport()
    {
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(folder.Path, ["--documents", "4000", "--workers", "2", "--throughput", "5000", "--id", "throttled", "--fail-if", "requests.throttled>0"]);

        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), "throttled");
        Assert.True(run.ExitCode == 3, run.Output + run.Errors);
        Assert.True(finished.Report.Requests.Throttled > 0);
        AssertEqual(finished, documents: 4_000);
    }

    private static void AssertEqual(FinishedRun run, long documents)
    {
        var report = run.Report;
        var container = run.Container;
        var throttled = container.Operations.Create.Throttled + container.Operations.Upsert.Throttled + container.Operations.Batch.Throttled;
        var requestUnits = container.Operations.Create.RequestUnits + container.Operations.Upsert.RequestUnits + container.Operations.Batch.RequestUnits;

        Assert.Equal(RunState.Complete, report.State);
        Assert.True(report.Simulated);
        Assert.Equal(documents, report.Documents.Verified);
        Assert.Equal(documents, container.Documents.Created + container.Documents.UpsertedNew);
        Assert.Equal(documents, report.Documents.Inserted);
        Assert.Equal(throttled, report.Requests.Throttled);
        Assert.InRange(report.RequestUnits.Total, requestUnits * 0.999, requestUnits * 1.001);
        Assert.Equal(0, report.LostLegs);
    }
}
