namespace ScaleOut.Tests.EndToEnd;

/// <summary>Runs whose containers have settings of their own, compared with the simulated account's ledger.</summary>
public sealed class LedgerOfContainersTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>
    /// A document of a device has 17 indexed values and under 1 KB, whose create takes 4.95 RU without an index (documented). An index
    /// entry takes 0.265 RU, all of a create together at least 0.96 (docs/charges.md).
    /// </summary>
    [Theory]
    [InlineData("Gateway", "/model/? /status/?", 4.95 + 0.96)]
    [InlineData("Direct", "/model/? /status/?", 4.95 + 0.96)]
    [InlineData("Gateway", "/location/* /tags/*", 4.95 + (6 * 0.265))]
    [InlineData("Direct", "", 4.95)]
    public async Task Run_EverythingExcludedButSomePaths_ChargesOnlyThose(string mode, string included, double requestUnits)
    {
        var paths = JsonSerializer.Serialize(included.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        var (report, container) = await LedgerOfWorkloadsTests.RunAsync(
            $$"""
            {
              "documents": 300, "workers": 2, "document": { "kind": "device" }, "client": { "connectionMode": "{{mode}}" },
              "container": { "excludedPaths": ["/*"], "includedPaths": {{paths}}, "compositeIndexes": ["/status, /model DESC"] }
            }
            """);

        LedgerOfWorkloadsTests.AssertEqual(report, container, documents: 300);
        Assert.Equal(requestUnits, report.RequestUnits.PerInsert!.Value, tolerance: 0.011);
        Assert.Equal(report.RequestUnits.PerInsert!.Value, RunEstimate.ChargeOf(report.Spec), tolerance: 0.011);
    }

    /// <summary>The documents may be there still when they are counted, or not any more: the run is complete in both cases.</summary>
    [Theory]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_TimeToLive_DocumentsExpireAndTheRunIsComplete(string mode)
    {
        var (report, container) = await LedgerOfWorkloadsTests.RunAsync(
            $$"""
            {
              "documents": 300, "workers": 2, "client": { "connectionMode": "{{mode}}" }, "container": { "timeToLive": 1 }
            }
            """,
            async account =>
            {
                while (account.ReadLedger().Containers[0].Documents.Expired < 300)
                    await Task.Delay(50, Cancellation);
            });

        Assert.Equal((RunState.Complete, 300, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.Equal((300, 300), (container.Documents.Created, container.Documents.Expired));
        Assert.InRange(report.Documents.Verified!.Value, 0, 300);
    }
}
