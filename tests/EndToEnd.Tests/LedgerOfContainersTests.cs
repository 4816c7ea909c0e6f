namespace ScaleOut.Tests.EndToEnd;

/// <summary>Runs whose containers have settings of their own, compared with the simulated account's ledger.</summary>
public sealed class LedgerOfContainersTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>
    /// A document of a device has under 819 bytes, so its create takes 104/21 RU and 4/21 for each index entry (docs/charges.md): 3 always,
    /// 2 for a value. The object has 2 and those of its three values, the three tags 3 and one for each that differs, 2.64 of 8 on average.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway", "/model/? /status/?", 6.29)]
    [InlineData("Direct", "/model/? /status/?", 6.29)]
    [InlineData("Gateway", "/location/* /tags/*", 8.12)]
    [InlineData("Direct", "", 5.52)]
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
        Assert.Equal(requestUnits, report.RequestUnits.PerInsert!.Value, tolerance: 0.05);
        Assert.Equal(report.RequestUnits.PerInsert!.Value, RunEstimate.ChargeOf(report.Spec), tolerance: 0.1);
    }

    /// <summary>
    /// Every kind of operation by whole keys, and queries by the first level.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway", false, "{{key}}")]
    [InlineData("Direct", false, "{{field:tenant}}")]
    [InlineData("Direct", true, "{{key}}")]
    public async Task Run_MixOnAHierarchicalKey_LedgerEqualsReportByPartition(string mode, bool bulk, string partitionKey)
    {
        var (report, container) = await LedgerOfWorkloadsTests.RunAsync(
            $$$$"""
            {
              "documents": 1000, "workers": 2, "client": { "connectionMode": "{{{{mode}}}}" },
              "document": { "kind": "template", "template": { "id": "{{id}}", "tenant": "t{{random:int:1:20}}", "user": "{{key}}" } },
              "container": { "partitionKeyPaths": ["/tenant", "/user", "/id"] },
              "workload": {
                "mix": { "insert": 60, "upsert": 10, "patch": 5, "read": 15, "query": 2, "delete": 8 },
                "bulk": {{{{(bulk ? "true" : "false")}}}},
                "query": {
                  "text": "SELECT * FROM c WHERE c.id = @id", "partitionKey": "{{{{partitionKey}}}}",
                  "parameters": [{ "name": "@id", "value": "{{id}}" }]
                }
              },
              "simulation": { "physicalPartitions": 5 }
            }
            """);

        Assert.Equal((RunState.Complete, 1_000, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.Equal((300 + 600, 100, 80), (container.Documents.Created, container.Documents.UpsertedNew, container.Documents.Deleted));
        Assert.Equal((620, 0), (report.Documents.Verified, report.Requests.OtherErrors));
        // Each tenant is on one partition, and 20 of them are on at least two.
        Assert.True(container.Partitions.Count(partition => partition.Documents > 0) > 1);
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway", "insert")]
    [InlineData("Direct", "bulk")]
    [InlineData("Direct", "batch")]
    public async Task Run_InsertsOnAHierarchicalKey_PartitionsOfReportAndLedgerAreTheSame(string mode, string workload)
    {
        var tenant = workload == "batch" ? "{{key}}" : "t{{random:int:1:20}}";
        var (report, container) = await LedgerOfWorkloadsTests.RunAsync(
            $$$$"""
            {
              "documents": 1000, "workers": 2, "client": { "connectionMode": "{{{{mode}}}}" },
              "document": { "kind": "template", "template": { "tenant": "{{{{tenant}}}}", "user": "{{key}}" } },
              "container": { "partitionKeyPaths": ["/tenant", "/user"] },
              "workload": { "kind": "{{{{workload}}}}" {{{{(workload == "batch" ? ", \"batchSize\": 10" : "")}}}} },
              "simulation": { "physicalPartitions": 5 }
            }
            """);

        LedgerOfWorkloadsTests.AssertEqual(report, container, documents: 1_000);
        Assert.Equal(
            container.Partitions.Select(partition => partition.Documents),
            report.Partitions.Select(partition => partition.Counts.Inserted));
        Assert.True(container.Partitions.Count(partition => partition.Documents > 0) > 1);
    }

    /// <summary>
    /// A byte counts as 10 MB: 40 documents of about 100 bytes are 40 GB of one tenant, which one physical partition holds.
    /// </summary>
    [Theory]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_MoreThan20GigabytesOfAFirstLevel_IsComplete(string mode)
    {
        var (report, container) = await LedgerOfWorkloadsTests.RunAsync(
            $$$$"""
            {
              "documents": 40, "workers": 2, "client": { "connectionMode": "{{{{mode}}}}" },
              "document": { "kind": "template", "template": { "id": "{{id}}", "tenant": "one", "text": "{{random:text:30}}" } },
              "container": { "partitionKeyPaths": ["/tenant", "/id"] },
              "simulation": { "physicalPartitions": 1, "storageFactor": 10000000 }
            }
            """);

        LedgerOfWorkloadsTests.AssertEqual(report, container, documents: 40);
        var documents = DocumentSources.For(report.Spec.Document, "ledger", ["/tenant", "/id"]);
        Assert.InRange(DocumentSources.SizesOf(documents, Enumerable.Range(0, 40).Select(number => (long)number)).Sum() * 1e7, 20e9, 50e9);
    }

    /// <summary>The documents may be there still when they are counted, or not any more: the run is complete in both cases.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
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
