namespace ScaleOut.Tests.EndToEnd;

/// <summary>Compares the report of whole runs of actions with the simulated account's ledger, and with arithmetic.</summary>
public sealed class LedgerOfActionsTests
{
    /// <summary>
    /// Without an index, in 21sts of a RU: a read of 1 KB 21, an insert 4 x 26, and a patch 4 x (26 + 26) besides 0.286 and 0.029 RU. Seven
    /// patches get a 429 first.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_Action_ReportsTheActionAndEachStepAndTheLedgerAgrees(string mode)
    {
        var (report, container) = await LedgerOfWorkloadsTests.RunAsync(
            $$"""
            {
              "documents": 300, "workers": 2, "workload": { "action": ["read", "insert", "patch", "insert"] }, "warmup": "0s",
              "client": { "connectionMode": "{{mode}}", "concurrency": 5 }, "container": { "indexing": "None" },
              "simulation": { "faults": [ { "operation": "patch", "status": 429, "subStatus": 3200, "maxHits": 7 } ] }
            }
            """);

        Assert.Equal((RunState.Complete, 300, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.Equal(
            [
                (1, WorkloadKind.Read, 300, 0, 1.00), (2, WorkloadKind.Insert, 300, 0, 4.95), (3, WorkloadKind.Patch, 300, 7, 10.22),
                (4, WorkloadKind.Insert, 300, 0, 4.95),
            ],
            report.Kinds.Select(step => (
                step.Step!.Value, step.Kind, (int)step.Operations, (int)step.Counts.Throttled, step.RequestUnitsPerOperation!.Value)));
        // The action is the sum of its steps, in RU and in time.
        Assert.Equal(1.00 + (2 * 4.95) + 10.22, report.RequestUnits.PerOperation!.Value, 2);
        Assert.Equal(report.Kinds.Sum(step => step.LatencyMs.Mean!.Value), report.LatencyMs.Operation.Mean!.Value, tolerance: 0.02);
        Assert.Equal((300, (4 * 300) + 7, 7), (report.Requests.Operations, report.Requests.Attempts, report.Requests.Throttled));
        // 300 documents were written before the start.
        Assert.Equal((600, 600), (report.Documents.Verified, report.Documents.Rise));
        Assert.Equal((300 + 600, 307), (container.Documents.Created, container.Operations.Patch.Attempts));
    }

    /// <summary>Actions with a query and a delete, and a cap; each action deletes the document that the query finds.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_ActionThatDeletes_LedgerHasEachStep(string mode)
    {
        var (report, container) = await LedgerOfWorkloadsTests.RunAsync(
            $$$"""
            {
              "documents": 200, "workers": 2, "legDuration": "1s", "client": { "connectionMode": "{{{mode}}}" },
              "workload": {
                "action": ["query", "delete", "upsert", "insert"], "requestUnitRate": 4000,
                "query": {
                  "text": "SELECT * FROM c WHERE c.id = @id", "partitionKey": "{{key}}",
                  "parameters": [{ "name": "@id", "value": "{{id}}" }]
                }
              }
            }
            """);

        Assert.Equal((RunState.Complete, 200, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.Equal(
            [WorkloadKind.Query, WorkloadKind.Delete, WorkloadKind.Upsert, WorkloadKind.Insert], report.Kinds.Select(step => step.Kind));
        Assert.All(report.Kinds, step => Assert.Equal(200, step.Operations));
        Assert.Equal((200 + 200, 200, 200),
            (container.Documents.Created, container.Documents.UpsertedNew, container.Documents.Deleted));
        Assert.Equal((200, 200), (report.Documents.Verified, report.Documents.Rise));
        Assert.Equal(report.RequestUnits.Total, report.Kinds.Sum(step => step.Counts.RequestUnits.Value), tolerance: 0.01);
    }
}
