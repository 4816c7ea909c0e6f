using Mode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.LegRuns;

/// <summary>Reads, queries and deletes on the real SDK, compared with the ledger of the simulated account.</summary>
public sealed class ExistingDocumentsTests : LegsOnAccount
{
    private const int Partitions = 9;

    private static readonly DocumentSpec Devices = new() { Kind = DocumentKind.Device };

    private static readonly QuerySpec OfOwner = new()
    {
        Text = "SELECT * FROM c WHERE c.ownerId = @owner",
        Parameters = [new QueryParameterSpec { Name = "@owner", Value = "\"{{field:ownerId}}\"" }],
    };

    public static TheoryData<Mode> Modes => [Mode.Gateway, Mode.Direct];

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_DocumentsOfTheRun_ReadsEachAndTheLedgerAgrees(Mode mode)
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 500);
        var before = account.ReadLedger().Operations.Read.RequestUnits.Value;

        var (output, result) = await RunAsync(account, 1_200, new WorkloadSpec { Kind = WorkloadKind.Read, Preload = 500 }, mode);

        var ledger = account.ReadLedger().Operations.Read;
        Assert.Equal((LegEnd.SliceDone, 1_200, 0, 0), output.Ended());
        Assert.Equal((1_200, 1_200, 1_200), (result.Counts.Attempts, result.Calls, result.Operations));
        Assert.Equal(1_200, result.Counts.RequestUnits.Value, precision: 3);
        Assert.Equal(ledger.RequestUnits.Value - before, result.Counts.RequestUnits.Value + result.OpeningRequestUnits.Value, precision: 3);
        Assert.Equal(1_200, result.Partitions.Sum(partition => partition.Counts.Inserted));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_InBulk_ReadsEach(Mode mode)
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 300);

        var (output, result) = await RunAsync(account, 300, new WorkloadSpec { Kind = WorkloadKind.Read, Bulk = true }, mode);

        Assert.Equal((LegEnd.SliceDone, 300), (output.End, output.Counts.Inserted));
        Assert.Equal(300, result.Counts.RequestUnits.Value, precision: 3);
        Assert.Null(result.Calls);
    }

    [Fact]
    public async Task Read_DocumentsThatAreNotThere_FailAndAreNamed()
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 40);

        var (output, result) = await RunAsync(account, 50, new WorkloadSpec { Kind = WorkloadKind.Read });

        Assert.Equal((LegEnd.SliceDone, 40, 10), (output.End, output.Counts.Inserted, output.Counts.Failed));
        Assert.All(result.Failures, failure => Assert.Contains("404", failure, StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Delete_DocumentsOfTheRun_DeletesEachAndTheLedgerAgrees(Mode mode)
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 600);

        var (output, result) = await RunAsync(account, 500, new WorkloadSpec { Kind = WorkloadKind.Delete, Preload = 600 }, mode);

        var ledger = account.ReadLedger();
        Assert.Equal((LegEnd.SliceDone, 500, 0, 0), output.Ended());
        Assert.Equal(500, ledger.Documents.Deleted);
        Assert.Equal(100, DocumentsIn(account));
        AssertEqual(ledger.Operations.Delete, result);
    }

    [Theory]
    [InlineData(Mode.Gateway, 0.02)]
    [InlineData(Mode.Direct, 0.005)]
    public async Task Delete_ConnectionsBreakAfterTheDeleteWasDone_IsExactAllTheSame(Mode mode, double probability)
    {
        var breaks = new FaultRule { Operation = FaultOperation.Delete, CloseConnection = true, AfterOperation = true };
        await using var account =
            await StartAsync(Partitions, new AccountSettings { Faults = [breaks with { Probability = probability }] });
        await WriteAsync(account, 1_500);

        var (output, _) = await RunAsync(account, 1_500, new WorkloadSpec { Kind = WorkloadKind.Delete }, mode);

        Assert.Equal((LegEnd.SliceDone, 1_500, 0, 0), output.Ended());
        Assert.Equal(1_500, account.ReadLedger().Documents.Deleted);
    }

    [Fact]
    public async Task Delete_AfterALostLegThatDeletedAll_FindsAllGone()
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 200);
        var workload = new WorkloadSpec { Kind = WorkloadKind.Delete };
        await RunAsync(account, 200, workload);
        File.Delete(Path.Combine(Store.FolderOf(RunId), "legs", "0000", "000003", "result.json"));

        var (output, _) = await RunAsync(account, 200, workload);

        Assert.Equal((LegEnd.SliceDone, 0, 200, 0), output.Ended());
    }

    [Theory(Explicit = true), MemberData(nameof(Modes))]
    [Trait("Duration", "Long")]
    public async Task Delete_InBulkWithTooFewRequestUnits_CountsEvery429(Mode mode)
    {
        await using var account = await StartAsync(Partitions);
        // Each partition has 100 RU/s, and the first bulk request alone needs more.
        await WriteAsync(account, 300, throughput: 900);

        var (output, result) = await RunAsync(account, 300, new WorkloadSpec { Kind = WorkloadKind.Delete, Bulk = true }, mode);

        Assert.Equal((LegEnd.SliceDone, 300), (output.End, output.Counts.Inserted));
        Assert.True(result.Counts.Throttled > 0, "Nothing was throttled.");
        AssertEqual(account.ReadLedger().Operations.Delete, result);
    }

    [Theory]
    [InlineData(Mode.Gateway, 0)]
    [InlineData(Mode.Gateway, -1)]
    [InlineData(Mode.Direct, 0)]
    [InlineData(Mode.Direct, -1)]
    public async Task Query_OverAllPartitions_SendsRequestsToEachAndIsChargedForEach(Mode mode, int maxConcurrency)
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 100, Devices, keyPath: "/id");
        var query = new WorkloadSpec { Kind = WorkloadKind.Query, Preload = 100, Query = OfOwner with { MaxConcurrency = maxConcurrency } };

        var (output, result) = await RunAsync(account, 60, query, mode, Devices, "/id");
        Assert.Equal((LegEnd.SliceDone, 60, 0), (output.End, output.Counts.Inserted, output.Counts.Failed));
        Assert.Equal(60, result.Items);
        // Nine pages of 2.25 + 0.55 RU, and less than 0.06 RU for the one document that is found.
        Assert.InRange(result.Counts.RequestUnits.Value / result.Operations, Partitions * 2.8, (Partitions * 2.8) + 0.06);
        // One page of each partition, and the query plan, which the SDK gets from the gateway where it has no engine of its own.
        Assert.Equal(60 * Partitions, result.Counts.Attempts);
        Assert.Contains((long)result.Calls!, new long[] { 60 * Partitions, 60 * (Partitions + 1) });
        AssertEqual(account.ReadLedger().Operations.Query, result);
        // Each partition is charged for its requests and for what was found there.
        Assert.Equal(Partitions, result.Partitions.Count);
        Assert.All(result.Partitions, partition => Assert.InRange(
            partition.Counts.RequestUnits.Value, 60 * 2.8, (60 * 2.8) + (0.06 * partition.Counts.Inserted)));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfOnePartitionKey_SendsOneRequest(Mode mode)
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 100, Devices, keyPath: "/ownerId");
        var query = new WorkloadSpec { Kind = WorkloadKind.Query, Preload = 100, Query = OfOwner with { PartitionKey = "{{key}}" } };

        var (output, result) = await RunAsync(account, 80, query, mode, Devices, "/ownerId");

        Assert.Equal((LegEnd.SliceDone, 80, 80), (output.End, output.Counts.Inserted, result.Items));
        // The SDK needs no query plan for one partition key.
        Assert.Equal((80, 80), (result.Counts.Attempts, result.Calls));
        // A page of 2.2068 + 0.2 RU, and a document of less than a kilobyte.
        Assert.InRange(result.Counts.RequestUnits.Value / result.Operations, 2.81, 2.8 + 0.06);
        Assert.Equal(account.ReadLedger().Operations.Query.RequestUnits.Value, result.Counts.RequestUnits.Value, precision: 3);
    }

    [Theory]
    [InlineData(Mode.Gateway, 0)]
    [InlineData(Mode.Direct, -1)]
    public async Task Query_PagesAreThrottled_GoesOnAfterEach429WhereItStopped(Mode mode, int maxConcurrency)
    {
        var throttles = new FaultRule { Operation = FaultOperation.Query, Status = 429, SubStatus = 3200, Probability = 0.2 };
        await using var account = await StartAsync(Partitions, new AccountSettings { Faults = [throttles] });
        await WriteAsync(account, 60, Devices, keyPath: "/id");
        var query = new WorkloadSpec { Kind = WorkloadKind.Query, Preload = 60, Query = OfOwner with { MaxConcurrency = maxConcurrency } };

        var (output, result) = await RunAsync(account, 120, query, mode, Devices, "/id");

        Assert.Equal((LegEnd.SliceDone, 120, 0), (output.End, output.Counts.Inserted, output.Counts.Failed));
        Assert.True(result.Counts.Throttled > 0, "Nothing was throttled.");
        Assert.Equal(120, result.Items);
        AssertEqual(account.ReadLedger().Operations.Query, result);
    }

    [Fact]
    public async Task Query_OfManyPages_DrainsThemAll()
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 450);
        var all = new QuerySpec { Text = "SELECT * FROM c", PageSize = 10, MaxConcurrency = -1 };

        var (output, result) = await RunAsync(account, 3, new WorkloadSpec { Kind = WorkloadKind.Query, Preload = 450, Query = all });

        Assert.Equal((LegEnd.SliceDone, 3), (output.End, output.Counts.Inserted));
        Assert.Equal(3 * 450, result.Items);
        Assert.True(result.Counts.Attempts >= 3 * 45, $"{result.Counts.Attempts} pages");
        Assert.Equal(account.ReadLedger().Operations.Query.Attempts, result.Counts.Attempts);
    }

    [Fact]
    public async Task Query_ThatTheAccountDoesNotTake_IsRejectedWithItsReason()
    {
        await using var account = await StartAsync(Partitions);
        await WriteAsync(account, 10);

        var (output, _) = await RunAsync(
            account, 5, new WorkloadSpec { Kind = WorkloadKind.Query, Query = new QuerySpec { Text = "SELECT nonsense" } });

        Assert.Equal(LegEnd.Rejected, output.End);
        Assert.Contains("400", output.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(WorkloadKind.Read, WorkloadKind.Insert)]
    [InlineData(WorkloadKind.Read, WorkloadKind.Batch)]
    [InlineData(WorkloadKind.Query, WorkloadKind.Batch)]
    [InlineData(WorkloadKind.Delete, WorkloadKind.Batch)]
    public async Task Run_DocumentsOfAnotherRun_AreFoundByIdAndKey(WorkloadKind kind, WorkloadKind written)
    {
        await using var account = await StartAsync(Partitions);
        var batchSize = written == WorkloadKind.Batch ? 30 : (int?)null;
        await CreateContainerAsync(account);
        var writing = Leg(205, new WorkloadSpec { Kind = written, BatchSize = batchSize });
        Assert.Equal(205, (await RunAsync(account, writing)).Counts.Inserted);
        var query = new QuerySpec
        {
            Text = "SELECT * FROM c WHERE c.id = @id",
            Parameters = [new QueryParameterSpec { Name = "@id", Value = "\"{{id}}\"" }],
            PartitionKey = "{{key}}",
        };

        var workload = new WorkloadSpec { Kind = kind, OfRun = RunId, BatchSize = batchSize };
        var leg = Leg(205, kind == WorkloadKind.Query ? workload with { Query = query } : workload);

        var output = await RunAsync(account, leg with { Leg = 1, Assignment = leg.Assignment with { RunId = OtherRunId } });

        Assert.Equal((LegEnd.SliceDone, 205, 0, 0), output.Ended());
        Assert.Equal(205, account.ReadLedger().Documents.Created);
        Assert.Equal(kind == WorkloadKind.Delete ? 205 : 0, account.ReadLedger().Documents.Deleted);
    }

    [Theory]
    [InlineData(WorkloadKind.Read, 350)]
    [InlineData(WorkloadKind.Delete, 400)]
    public async Task FirstLeg_NeedsDocuments_PreloadsThemUnmeasuredBeforeTheStart(WorkloadKind kind, int preload)
    {
        await using var account = await StartAsync(Partitions);
        await CreateContainerAsync(account);
        var leg = Leg(300, new WorkloadSpec { Kind = kind, Preload = preload }) with { Leg = 1 };
        leg = leg with { Assignment = leg.Assignment with { Preloads = true } };

        var output = await RunAsync(account, leg);
        var result = await ResultAsync(leg);

        var ledger = account.ReadLedger();
        Assert.Equal((LegEnd.SliceDone, 300, 0, 0), output.Ended());
        Assert.Equal(preload, ledger.Documents.Created);
        Assert.Equal(
            ledger.Operations.Create.RequestUnits.Value, result.PreloadRequestUnits.Value,
            AccountLedger.RequestUnitTolerance * ledger.Operations.Create.RequestUnits.Value);
        Assert.Equal(300, result.Counts.Attempts);
        Assert.Equal(kind == WorkloadKind.Delete ? 300 : 0, ledger.Documents.Deleted);
        Assert.Equal(preload, (await Files.ReadPreloadAsync(0, Cancellation))!.Documents);
    }

    private static void AssertEqual(Counts ledger, LegResult result)
    {
        Assert.Equal((ledger.Attempts, ledger.Throttled), (result.Counts.Attempts, result.Counts.Throttled));
        // The SDK rounds the charge of each operation of a bulk response, which the account does not.
        var charged = ledger.RequestUnits.Value;
        Assert.Equal(charged, result.Counts.RequestUnits.Value, AccountLedger.RequestUnitTolerance * charged);
    }

    private async Task WriteAsync(
        SimulatedAccount account, long documents, DocumentSpec? document = null, int throughput = 1_000_000,
        string keyPath = "/PartitionKey")
    {
        await CreateContainerAsync(account, keyPath, throughput);
        Assert.Equal(documents, (await RunAsync(account, Leg(documents, document: document, keyPath: keyPath))).Counts.Inserted);
        // The legs that wrote the documents are not those of the tested worker.
        await Store.DeleteAsync(RunId, name => name.StartsWith(LegNames.Prefix, StringComparison.Ordinal), Cancellation);
    }

    private async Task<(LegOutput Output, LegResult Result)> RunAsync(
        SimulatedAccount account, long documents, WorkloadSpec workload, Mode mode = Mode.Gateway, DocumentSpec? document = null,
        string keyPath = "/PartitionKey")
    {
        var leg = Leg(documents, workload, mode, workload.UsesBulk ? 300 : 10, document, keyPath) with { Leg = 3 };
        return (await RunAsync(account, leg), await ResultAsync(leg));
    }
}
