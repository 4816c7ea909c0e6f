using ScaleOut.Orchestration;
using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>What a report must share with the ledger of the simulated account.</summary>
internal static class LedgerAssert
{
    /// <summary>Runs 1,000 documents with two workers, and compares.</summary>
    public static async Task AssertRunAgreesAsync(string workload, string mode)
    {
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(
            folder.Path, ["--documents", "1000", "--workers", "2", "--workload", workload, "--mode", mode, "--id", workload]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Contains("the account's ledger agrees", run.Output, StringComparison.Ordinal);
        AssertEqual(new FinishedRun(Path.Combine(folder.Path, "runs"), workload), documents: 1_000);
    }

    public static void AssertEqual(FinishedRun run, long documents)
    {
        var report = run.Report;
        var container = run.Container;
        var operations = container.Operations;
        var throttled = operations.Create.Throttled + operations.Upsert.Throttled + operations.Batch.Throttled;
        var requestUnits = operations.Create.RequestUnits + operations.Upsert.RequestUnits + operations.Batch.RequestUnits;

        Assert.Equal(RunState.Complete, report.State);
        Assert.True(report.Simulated);
        Assert.Equal(documents, report.Documents.Verified);
        Assert.Equal(documents, container.Documents.Created + container.Documents.UpsertedNew);
        Assert.Equal(documents, report.Documents.Inserted);
        Assert.Equal(throttled, report.Requests.Throttled);
        Assert.InRange(report.RequestUnits.Total, requestUnits * 0.999, requestUnits * 1.001);
        Assert.Equal(0, report.LostLegs);
        Assert.True(report.Delays is { Responses: > 0, DeliveredMs.P99: > 0 }, "the report says nothing of the delays");
    }
}
