namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// Compares the report of a whole run of each workload with the simulated account's ledger. The two workers run their legs in the test's
/// own process; <see cref="LedgerTests"/> has runs with processes.
/// </summary>
public sealed class LedgerOfWorkloadsTests
{
    private const string RunId = "ledger";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("insert", "Gateway")]
    [InlineData("insert", "Direct")]
    [InlineData("upsert", "Gateway")]
    [InlineData("bulk", "Gateway")]
    [InlineData("bulk", "Direct")]
    [InlineData("batch", "Direct")]
    public async Task Run_EachWorkload_LedgerEqualsReport(string workload, string mode)
    {
        var (report, container) = await RunAsync(
            $$"""
            { "documents": 500, "workers": 2, "workload": { "kind": "{{workload}}" }, "client": { "connectionMode": "{{mode}}" } }
            """);

        AssertEqual(report, container, documents: 500);
    }

    [Theory]
    [InlineData("Gateway", "")]
    [InlineData("Direct", """, "maxRequestsPerConnection": 4, "idleConnectionTimeout": "20min", "requestTimeout": "5s" """)]
    public async Task Run_ClientSettings_LedgerEqualsReport(string mode, string ofTcp)
    {
        var (report, container) = await RunAsync(
            $$"""
            {
              "documents": 500, "workers": 2,
              "client": { "connectionMode": "{{mode}}", "priority": "High" {{ofTcp}} },
              "workerOverrides": [ { "workers": [1], "client": { "priority": "Low" } } ]
            }
            """);

        AssertEqual(report, container, documents: 500);
        Assert.Equal([RequestPriority.High, RequestPriority.Low], report.Workers.Select(worker => worker.Settings.Priority!.Value));
        Assert.Equal(ofTcp.Length == 0 ? null : 4, report.Workers[0].Settings.MaxRequestsPerConnection);
    }

    /// <summary>
    /// 500 documents of 7.05 RU take 8 s at 400 RU/s, so the raise comes before the end. 20,000 RU/s need two partitions, so one splits.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_ThroughputIsRaised_LedgerEqualsReportAndPartitionSplits(string mode)
    {
        var (report, container) = await RunAsync(
            $$"""
            {
              "documents": 500, "workers": 2, "client": { "connectionMode": "{{mode}}" }, "legDuration": "1s",
              "container": { "throughput": 400, "throughputSteps": [ { "afterSeconds": 1, "throughput": 20000 } ] }
            }
            """);

        AssertEqual(report, container, documents: 500);
        Assert.Equal(20_000, Assert.Single(report.ThroughputChanges!).Throughput);
        Assert.InRange(report.ThroughputChanges![0].At, report.StartedAt.AddSeconds(1), report.FinishedAt);
        Assert.Contains(report.Warnings, warning => warning.Contains("20,000 RU/s from", StringComparison.Ordinal));
        // One partition before the raise, and the two that it was split into.
        Assert.Equal(3, container.Partitions.Count);
        Assert.DoesNotContain(report.Invalid, one => one.What == "shares of the budget");
    }

    /// <summary>A database's 20,000 RU/s have two partitions of 10,000, where a container's own would have four.</summary>
    [Theory]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_ThroughputOfTheDatabase_LedgerEqualsReport(string mode)
    {
        var (report, container) = await RunAsync(
            $$"""
            {
              "documents": 500, "workers": 2, "client": { "connectionMode": "{{mode}}" },
              "container": { "throughput": 20000, "sharedThroughput": true }
            }
            """);

        AssertEqual(report, container, documents: 500);
        Assert.Equal((20_000, 2), (report.RequestUnits.BudgetPerSecond, container.Partitions.Count));
        AssertText.AnyHas(report.Warnings, "shares 20000 RU/s with the other containers of its database");
    }

    /// <summary>Two kinds of documents, which are inserted, read and deleted, as those of one kind are.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("insert", "Direct")]
    [InlineData("batch", "Gateway")]
    [InlineData("delete", "Direct")]
    public async Task Run_SeveralKindsOfDocuments_LedgerEqualsReport(string workload, string mode)
    {
        var (report, container) = await RunAsync(
            $$$"""
            {
              "documents": 500, "workers": 2, "workload": { "kind": "{{{workload}}}" }, "client": { "connectionMode": "{{{mode}}}" },
              "document": { "kinds": [
                { "weight": 3, "template": { "id": "order-{{number}}", "tenant": "{{key}}", "total": "{{random:int:1:9}}" } },
                { "weight": 1, "template": { "id": "line-{{number}}", "tenant": "{{key}}", "text": "{{random:text:3000}}" } }
              ] }
            }
            """);

        Assert.Equal((RunState.Complete, 500, 500), (report.State, report.Documents.Inserted, report.Documents.Verified));
        Assert.Equal((500, workload == "delete" ? 500 : 0), (container.Documents.Created, container.Documents.Deleted));
    }

    /// <summary>Readers beside writers, of whom only the writers are held to 500 RU/s.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_ReadersBesideCappedWriters_LedgerHasEach(string mode)
    {
        var (report, container) = await RunAsync(
            $$"""
            {
              "documents": 400, "workers": 4, "client": { "connectionMode": "{{mode}}" }, "legDuration": "1s",
              "workload": { "mix": { "insert": 1, "read": 1, "delete": 1 } },
              "workerOverrides": [
                { "workers": [0, 1], "mix": { "insert": 3, "delete": 1 }, "requestUnitRate": 500 },
                { "workers": [2, 3], "mix": { "read": 1 }, "client": { "concurrency": 2 } }
              ]
            }
            """);

        Assert.Equal((RunState.Complete, 400, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.Equal(
            [(WorkloadKind.Insert, 150), (WorkloadKind.Read, 200), (WorkloadKind.Delete, 50)],
            report.Kinds.Select(kind => (kind.Kind, (int)kind.Operations)));
        // 250 documents were written before the start.
        Assert.Equal((250 + 150, 50), (container.Documents.Created, container.Documents.Deleted));
        Assert.Equal((100, 100), (report.Documents.Verified, report.Documents.Rise));
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("read", "Direct", "perfTest")]
    [InlineData("delete", "Gateway", "device")]
    [InlineData("patch", "Direct", "device")]
    [InlineData("replace", "Direct", "device")]
    [InlineData("replace", "Gateway", "perfTest")]
    public async Task Run_PreloadedDocuments_LedgerEqualsReport(string workload, string mode, string document)
    {
        var (report, container) = await RunAsync(
            $$"""
            {
              "documents": 600, "workers": 2, "workload": { "kind": "{{workload}}" }, "client": { "connectionMode": "{{mode}}" },
              "document": { "kind": "{{document}}" }
            }
            """);

        Assert.Equal((RunState.Complete, 600, 600), (report.State, report.Documents.Inserted, container.Documents.Created));
        // The SDK rounds the charge of each operation of a bulk response, which the account does not.
        Assert.Equal(container.Operations.Create.RequestUnits.Value, report.RequestUnits.Preload, tolerance: 600 * 0.005);
        Assert.Equal(workload == "delete" ? 600 : null, report.Documents.Verified);
        Assert.Equal(workload == "delete" ? 600 : 0, container.Documents.Deleted);
    }

    /// <summary>
    /// Beside live traffic a part of the reads that open connections gets a 429, and so do the documents that are written before the start.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway", """ "kind": "read" """, true)]
    [InlineData("Direct", """ "kind": "read" """, true)]
    [InlineData("Gateway", """ "mix": { "insert": 50, "read": 50 } """, false)]
    public async Task Run_ThrottledBeforeTheStart_StartsAndCountsThose429s(string mode, string workload, bool alsoBulk)
    {
        // What a bulk request as a whole is charged for its 429, the SDK gives to none of its operations.
        var rest = alsoBulk ? """, { "operation": "batch", "probability": 0.3, "status": 429, "subStatus": 3200 }""" : "";
        var (report, container) = await RunAsync(
            $$$"""
            {
              "documents": 300, "workers": 2, "document": { "kind": "device" }, "workload": { {{{workload}}} },
              "client": { "connectionMode": "{{{mode}}}", "concurrency": 50 },
              "simulation": { "faults": [
                { "operation": "read", "probability": 0.3, "status": 429, "subStatus": 3200 },
                { "operation": "create", "probability": 0.3, "status": 429, "subStatus": 3200 }{{{rest}}}
              ] }
            }
            """);

        Assert.Equal((RunState.Complete, 300, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.True(report.Requests.OpeningThrottled > 0);
        Assert.Equal(alsoBulk, report.Requests.PreloadThrottled > 0);
        Assert.Equal(
            container.Operations.Read.Throttled + container.Operations.Create.Throttled,
            report.Requests.Throttled + report.Requests.OpeningThrottled + report.Requests.PreloadThrottled);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_QueriesInSteps_ReportsEachStepAndTheLedgerAgrees()
    {
        var (report, _) = await RunAsync(
            """
            {
              "documents": 100000, "workers": 2, "document": { "kind": "device" }, "legDuration": "00:00:01",
              "workload": {
                "kind": "query", "preload": 300,
                "query": {
                  "text": "SELECT * FROM c WHERE c.ownerId = @owner",
                  "parameters": [{ "name": "@owner", "value": "{{field:ownerId}}" }],
                  "maxConcurrency": -1
                },
                "steps": [{ "users": 1, "duration": "00:00:02" }, { "users": 3, "duration": "00:00:02" }]
              },
              "simulation": { "physicalPartitions": 9, "latency": "cross-region" }
            }
            """);

        Assert.Equal((RunState.Complete, null), (report.State, report.Documents.Verified));
        Assert.True(report.Documents.Remaining > 0, "The steps ended the run.");
        // Nine pages of 2.25 + 0.55 RU, and one document that the index finds: 0.018, and 0.036 a KB for about 850 stored bytes.
        Assert.InRange(report.RequestUnits.PerOperation!.Value, 9 * 2.8, (9 * 2.8) + 0.06);
        Assert.InRange(report.Requests.CallsPerOperation!.Value, 9, 10);
        Assert.Equal(1, report.Requests.ItemsPerOperation);
        Assert.Equal([1, 3], report.Steps.Select(step => step.Users!.Value));
        Assert.Equal(report.Requests.Operations, report.Steps.Sum(step => step.Operations));
        Assert.Equal(report.Requests.Attempts, report.Steps.Sum(step => step.Counts.Attempts));
        Assert.Equal(report.RequestUnits.Total, report.Steps.Sum(step => step.Counts.RequestUnits.Value), tolerance: 0.01);
        // The number of operations of a step depends on how busy the machine is.
        Assert.True(report.Requests.Operations > 0, "No query completed.");
        Assert.All(report.Steps.Where(step => step.Operations > 0), step => Assert.True(
            step is { PerSecond: > 0, LatencyMs.P99: > 0, CallsPerOperation: > 0, RequestUnitsPerOperation: > 0 }));
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Direct", false)]
    [InlineData("Gateway", false)]
    [InlineData("Direct", true)]
    public async Task Run_Mix_LedgerHasTheShareOfEachKind(string mode, bool bulk)
    {
        var (report, container) = await RunAsync(
            $$$"""
            {
              "documents": 1000, "workers": 2, "document": { "kind": "device" }, "legDuration": "00:00:01",
              "workload": {
                "mix": { "insert": 60, "upsert": 10, "patch": 5, "read": 15, "query": 2, "delete": 8 },
                "bulk": {{{(bulk ? "true" : "false")}}},
                "query": {
                  "text": "SELECT * FROM c WHERE c.id = @id", "partitionKey": "{{key}}",
                  "parameters": [{ "name": "@id", "value": "{{id}}" }]
                }
              },
              "client": { "connectionMode": "{{{mode}}}" }
            }
            """);

        Assert.Equal((RunState.Complete, 1_000, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.Equal(
            [
                (WorkloadKind.Insert, 600), (WorkloadKind.Upsert, 100), (WorkloadKind.Read, 150), (WorkloadKind.Query, 20),
                (WorkloadKind.Delete, 80), (WorkloadKind.Patch, 50),
            ],
            report.Kinds.Select(kind => (kind.Kind, (int)kind.Operations)));
        // 300 documents were preloaded for patches, reads, queries and deletes.
        Assert.Equal((300 + 600, 100, 80), (container.Documents.Created, container.Documents.UpsertedNew, container.Documents.Deleted));
        Assert.Equal((620, 620), (report.Documents.Verified, report.Documents.Rise));
        Assert.Equal(report.Requests.Attempts, report.Kinds.Sum(kind => kind.Counts.Attempts));
        Assert.Equal(report.RequestUnits.Total, report.Kinds.Sum(kind => kind.Counts.RequestUnits.Value), tolerance: 0.01);
        Assert.All(report.Kinds, kind => Assert.True(kind is { PerSecond: > 0, LatencyMs.P99: > 0, RequestUnitsPerOperation: > 0 }));
    }

    /// <summary>Documents that recur are replaced several times, so that with the ETag some replaces may come again after a 412.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway", "even", true)]
    [InlineData("Direct", "zipf", false)]
    [InlineData("Gateway", "zipf", true)]
    [InlineData("Direct", "latest", true)]
    [InlineData("Gateway", "latest", false)]
    public async Task Run_MixWithReplacesOfChosenDocuments_LedgerHasEach(string mode, string choose, bool matchEtag)
    {
        var (report, container) = await RunAsync(
            $$$"""
            {
              "documents": 1000, "workers": 2, "client": { "connectionMode": "{{{mode}}}" },
              "workload": {
                "mix": { "insert": 5, "upsert": 1, "replace": 2, "read": 8, "patch": 1, "delete": 3 }, "choose": "{{{choose}}}",
                "matchEtag": {{{(matchEtag ? "true" : "false")}}}
              }
            }
            """);

        Assert.Equal((RunState.Complete, 1_000, 0), (report.State, report.Documents.Inserted, report.LostLegs));
        Assert.Equal(
            [
                (WorkloadKind.Insert, 250), (WorkloadKind.Upsert, 50), (WorkloadKind.Read, 400), (WorkloadKind.Delete, 150),
                (WorkloadKind.Patch, 50), (WorkloadKind.Replace, 100),
            ],
            report.Kinds.Select(kind => (kind.Kind, (int)kind.Operations)));
        // 700 documents were written before the start.
        Assert.Equal((700 + 250, 50, 150, 150),
            (container.Documents.Created, container.Documents.UpsertedNew, container.Documents.Deleted, container.Documents.Replaced));
        Assert.True(matchEtag || report.Requests.OtherErrors == 0);
    }

    /// <summary>
    /// 2,000 patches of 1,000 documents. A document with the share p of them is patched with the chance 1 - (1 - p)^2000.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway", "even", 0.0)]
    [InlineData("Gateway", "zipf", 0.99)]
    [InlineData("Direct", "latest", 0.99)]
    public async Task Run_ChosenDocuments_AddressesAsManyDocumentsAsTheLawSays(string mode, string choose, double exponent)
    {
        var patched = 0;
        var (report, container) = await RunAsync(
            $$"""
            {
              "documents": 2000, "workers": 2, "client": { "connectionMode": "{{mode}}" },
              "workload": { "kind": "patch", "choose": "{{choose}}", "preload": 1000 }
            }
            """,
            async account => patched = await CountPatchedAsync(account));

        var sum = Enumerable.Range(1, 1_000).Sum(rank => Math.Pow(rank, -exponent));
        var expected = exponent == 0
            ? 1_000
            : Enumerable.Range(1, 1_000).Sum(rank => 1 - Math.Pow(1 - (Math.Pow(rank, -exponent) / sum), 2_000));
        Assert.Equal((RunState.Complete, 2_000, 1_000), (report.State, report.Documents.Inserted, container.Documents.Created));
        Assert.InRange(patched, 0.9 * expected, Math.Min(1_000, 1.1 * expected));
    }

    private static async Task<int> CountPatchedAsync(SimulatedAccount account)
    {
        using var client = CosmosClientFactory.CreateControl(account.Connection());
        using var query = client.GetContainer("scaleout", $"run-{RunId}").GetItemQueryIterator<int>(
            "SELECT VALUE COUNT(1) FROM c WHERE c.patched");
        var count = 0;
        while (query.HasMoreResults)
            count += (await query.ReadNextAsync(Cancellation)).Sum();
        return count;
    }

    /// <summary>Asserts that a report of inserts equals the ledger of the run's only container.</summary>
    internal static void AssertEqual(RunReport report, ContainerLedger container, long documents)
    {
        var operations = container.Operations;
        var throttled = operations.Create.Throttled + operations.Upsert.Throttled + operations.Batch.Throttled;
        var requestUnits = Counts.Sum([operations.Create, operations.Upsert, operations.Batch]).RequestUnits.Value;

        Assert.Equal((RunState.Complete, true, 0), (report.State, report.Simulated, report.LostLegs));
        Assert.Equal((documents, documents), (report.Documents.Verified, report.Documents.Inserted));
        Assert.Equal(documents, container.Documents.Created + container.Documents.UpsertedNew);
        Assert.Equal(throttled, report.Requests.Throttled);
        Assert.InRange(report.RequestUnits.Total, requestUnits * 0.999, requestUnits * 1.001);
    }

    /// <summary>Runs to the end, and compares report and ledger as the program does.</summary>
    /// <param name="afterAsync">Called with the account after the run. The ledger is read after it.</param>
    internal static async Task<(RunReport Report, ContainerLedger Container)> RunAsync(
        string json, Func<SimulatedAccount, Task>? afterAsync = null)
    {
        var reading = RunSpecReader.Read(json, RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        var spec = reading.Value! with { Id = RunId };
        using var folder = new TemporaryFolder();
        var store = new FolderRunStore(folder.Path);
        var files = new RunFiles(store, RunId);
        await using var account = await SimulatedAccount.StartAsync(
            AccountSettings.From(spec.Simulation ?? new SimulationSpec(), spec.Seed), Cancellation);
        Assert.True(await files.TryClaimAsync(spec, Cancellation));

        var outcome = await new InProcessRun(account.Connection(), store).RunAsync(spec, Cancellation);

        Assert.True(outcome.State == RunState.Complete, string.Join("; ", outcome.Reasons));
        var report = RunForms.Kind.Read(await files.ReadReportAsync("report.json", Cancellation), RunId);
        var ledger = account.ReadLedger();
        Assert.Empty(LedgerComparison.Create(report, ledger, new ContainerTarget("scaleout", $"run-{RunId}", "/id")).Differences);
        if (afterAsync is not null)
            await afterAsync(account);
        return (report, Assert.Single(account.ReadLedger().Containers));
    }
}
