using Azure.Storage.Queues;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Tests.Support.Azurite;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>
/// The app as it is deployed but for the resources: blobs and queue of Azurite, and an account in this process that the real SDK writes to.
/// </summary>
public sealed class RealRunTests(AzuriteFixture azurite)
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("Direct", """ "throughput": 20000 """)]
    [InlineData("Gateway", """ "throughput": 20000 """)]
    [InlineData("Direct", """ "throughput": 5000, "throughputSteps": [{ "afterSeconds": 1, "throughput": 20000 }] """)]
    public async Task Run_OnARealSdkAndStorage_IsCompleteAndEqualsTheAccount(string mode, string container)
    {
        var storage = await azurite.NewAccountAsync();
        await using var account = await SimulatedAccount.StartAsync(
            new AccountSettings { Latency = LatencyProfile.None }, Cancellation);
        await using var host = await FunctionsHost.StartAsync(settings: new Dictionary<string, string?>
        {
            ["RunStore"] = storage.ConnectionString,
            ["COSMOS_CONNECTION_STRING"] = $"AccountEndpoint={account.HttpsEndpoint};AccountKey={account.Key}",
            ["COSMOS_CERTIFICATE_SHA256"] = account.CertificateThumbprint,
            ["COSMOS_SIMULATED"] = "true",
        });

        var (started, text) = await host.SendAsync(
            HttpMethod.Post,
            "/api/runs",
            $$$"""{"id": "real", "documents": 6000, "workers": 3, "client": {"connectionMode": "{{{mode}}}"},"""
            + $$$""" "container": { {{{container}}} } }""");
        Assert.True((int)started.StatusCode == 202, text);
        await host.EndOfAsync("real");
        var status = JsonNode.Parse((await host.SendAsync(HttpMethod.Get, "/api/runs/real")).Text)!;
        var report = RunForms.Kind.Read(
            System.Text.Encoding.UTF8.GetBytes((await host.SendAsync(HttpMethod.Get, "/api/runs/real/report?format=json")).Text));

        var ledger = account.ReadLedger();
        Assert.Equal((RunState.Complete, 6_000L, 6_000L), (report.State, report.Documents.Inserted, report.Documents.Verified));
        Assert.Equal(
            (6_000L, report.Requests.Attempts, report.Requests.Throttled),
            (ledger.Documents.Created, ledger.Operations.Create.Attempts, ledger.Operations.Create.Throttled));
        Assert.Equal(ledger.Operations.Create.RequestUnits.Value, report.RequestUnits.Total, tolerance: 0.02);
        Assert.Equal(
            container.Contains("Steps", StringComparison.Ordinal) ? [20_000] : Array.Empty<int>(),
            (report.ThroughputChanges ?? []).Select(change => change.Throughput));
        Assert.Equal((true, "complete"), ((bool)status["simulated"]!, (string?)status["state"]));
        Assert.Equal(report.RequestUnits.Total, (double)status["counts"]!["requestUnits"]!, tolerance: 0.01);
        Assert.NotNull(status["startedAt"]);
        Assert.All(account.ReadLedger().Containers, container => Assert.True(container.Deleted));
        // The workers send their progress to a queue, whose messages a trigger takes in a deployment.
        var messages = new QueueClient(storage.ConnectionString, "run-progress");
        Assert.True((await messages.GetPropertiesAsync(Cancellation)).Value.ApproximateMessagesCount >= 3);
    }
}
