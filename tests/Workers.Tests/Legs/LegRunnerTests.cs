using Microsoft.Azure.Cosmos;
using Mode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Tests.Workers.Legs;

/// <summary>Legs on the real SDK, compared with the ledger of the simulated account.</summary>
public sealed class LegRunnerTests : LegsOnAccount
{
    /// <summary>600 documents take at least 2 successive calls in any mode, so that partitions split during the writes.</summary>
    private static readonly LatencyProfile LongerThanSplits = LatencyProfile.None with { Name = null, WriteMedianMs = 30 };

    public static TheoryData<Mode, WorkloadKind> Everything =>
    [
        .. from mode in Enum.GetValues<Mode>()
           from kind in Enum.GetValues<WorkloadKind>()
           where !kind.NeedsDocuments() && !kind.UsesTables() && kind is not (WorkloadKind.Mix or WorkloadKind.Action)
           select (mode, kind),
    ];

    [Theory, MemberData(nameof(Everything))]
    public async Task Run_EachWorkload_FinishesItsSliceAndItsResultEqualsTheLedger(Mode mode, WorkloadKind kind)
    {
        await using var account = await StartAsync();
        var workload = new WorkloadSpec { Kind = kind, BatchSize = kind == WorkloadKind.Batch ? 30 : null };
        var leg = await LegAsync(account, 605, workload, mode: mode);

        var output = await RunAsync(account, leg);
        var result = await ResultAsync(leg);

        Assert.Equal((LegEnd.SliceDone, 605, 0, 0), output.Ended());
        Assert.Equal(605, output.Next);
        var ledger = account.ReadLedger();
        var operations = OperationsOf(kind, ledger);
        Assert.Equal(605, ledger.Documents.Created + ledger.Documents.UpsertedNew);
        var attempts = kind == WorkloadKind.Batch ? 21 : 605;
        Assert.Equal((attempts, attempts), (operations.Attempts, result.Counts.Attempts));
        AssertSame(kind, operations.RequestUnits.Value, result.Counts.RequestUnits.Value);
        Assert.Equal(ledger.Operations.Read.RequestUnits.Value, result.OpeningRequestUnits.Value, precision: 3);
        Assert.Equal((attempts, attempts), (result.AttemptLatency.Count, result.OperationLatency.Count));
        Assert.Equal(605, result.Seconds.Sum(second => second.Counts.Inserted));
        AssertPartitionsAreThoseOf(ledger, result);
    }

    [Fact]
    public async Task Run_SpecIsKept_DoesWhatTheClaimedSpecSays()
    {
        await using var account = await StartAsync();
        var spec = new RunSpec { Id = RunId, Workload = new() { Kind = WorkloadKind.Upsert } };
        await Files.TryClaimAsync(spec, Cancellation);
        var leg = await LegAsync(account, 20, new WorkloadSpec());

        await RunAsync(account, leg with { Assignment = leg.Assignment with { SpecIsKept = true } });

        Assert.Equal((0, 20), (account.ReadLedger().Documents.Created, account.ReadLedger().Documents.UpsertedNew));
    }

    [Fact]
    public async Task Run_SpecIsKeptAndMissing_NamesIt()
    {
        await using var account = await StartAsync();
        var leg = await LegAsync(account, 20, new WorkloadSpec());

        var error = await Assert.ThrowsAsync<EvidenceException>(
            () => RunAsync(account, leg with { Assignment = leg.Assignment with { SpecIsKept = true } }));

        Assert.Equal($"{RunId}/spec.json", error.Item);
        Assert.Equal(0, DocumentsIn(account));
    }

    [Theory(Explicit = true), MemberData(nameof(Everything))]
    [Trait("Duration", "Long")]
    public async Task Run_WithTooFewRequestUnits_CountsEvery429ThatTheAccountGave(Mode mode, WorkloadKind kind)
    {
        await using var account = await StartAsync();
        var leg = await LegAsync(account, 600, new WorkloadSpec { Kind = kind }, throughput: 1_200, mode);

        var output = await RunAsync(account, leg);
        var result = await ResultAsync(leg);

        var operations = OperationsOf(kind, account.ReadLedger());
        Assert.Equal((LegEnd.SliceDone, 600), (output.End, output.Counts.Inserted));
        Assert.True(operations.Throttled > 0);
        Assert.Equal((operations.Attempts, operations.Throttled), (result.Counts.Attempts, result.Counts.Throttled));
        Assert.Equal(operations.Throttled, result.Seconds.Sum(second => second.Counts.Throttled));
        AssertSame(kind, operations.RequestUnits.Value, result.Counts.RequestUnits.Value);
        AssertPartitionsAreThoseOf(account.ReadLedger(), result);
    }

    [Theory, MemberData(nameof(Everything))]
    public async Task Run_ConnectionsBreakAfterTheWriteWasDone_IsExactAllTheSame(Mode mode, WorkloadKind kind)
    {
        // In Direct one connection carries many requests, and all of them break with it.
        var breaks = new FaultRule { Probability = mode == Mode.Direct ? 0.005 : 0.02, CloseConnection = true, AfterOperation = true };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [breaks] });
        var workload = new WorkloadSpec { Kind = kind, BatchSize = kind == WorkloadKind.Batch ? 5 : null };
        var leg = await LegAsync(account, 2_000, workload, mode: mode);

        var output = await RunAsync(account, leg);

        var ledger = account.ReadLedger();
        Assert.Equal((LegEnd.SliceDone, 2_000, 0, 0), output.Ended());
        Assert.Equal(2_000, ledger.Documents.Created + ledger.Documents.UpsertedNew);
    }

    [Theory, MemberData(nameof(Everything))]
    public async Task Run_WhilePartitionsSplit_LosesNothing(Mode mode, WorkloadKind kind)
    {
        PartitionSplit[] splits = [new() { AfterSeconds = 0.01, Partition = 1 }, new() { AfterSeconds = 0.02, Partition = 3 }];
        await using var account = await StartAsync(options: new AccountSettings { Splits = splits }, latency: LongerThanSplits);
        var workload = new WorkloadSpec { Kind = kind, BatchSize = kind == WorkloadKind.Batch ? 10 : null };
        var leg = await LegAsync(account, 600, workload, throughput: 300_000, mode);

        var output = await RunAsync(account, leg);
        var result = await ResultAsync(leg);

        var ledger = account.ReadLedger();
        var container = Assert.Single(ledger.Containers);
        Assert.Equal((LegEnd.SliceDone, 600, 0, 0), output.Ended());
        Assert.Equal(600, ledger.Documents.Created + ledger.Documents.UpsertedNew);
        Assert.Equal(["1", "3"], container.Partitions.Where(partition => partition.WasSplit).Select(partition => partition.Id));
        Assert.Equal(600, container.Partitions.Sum(partition => partition.Documents));
        Assert.Equal(OperationsOf(kind, ledger).Attempts, result.Counts.Attempts);
        Assert.Equal(600, result.Partitions.Sum(partition => partition.Counts.Inserted));
    }

    [Theory]
    [InlineData(WorkloadKind.Insert)]
    [InlineData(WorkloadKind.Upsert)]
    [InlineData(WorkloadKind.Batch)]
    public async Task Run_AfterALostLegThatWroteAll_FindsAllPresent(WorkloadKind kind)
    {
        await using var account = await StartAsync();
        var leg = await LegAsync(account, 500, new WorkloadSpec { Kind = kind });
        await RunAsync(account, leg);
        File.Delete(Directory.EnumerateFiles(Store.FolderOf(RunId), "result.json", SearchOption.AllDirectories).Single());

        var output = await RunAsync(account, leg);

        Assert.Equal((LegEnd.SliceDone, 0, 500, 0), output.Ended());
        Assert.Equal(1, (await Files.ReadLegsAsync(Cancellation)).LostLegs);
        Assert.Equal(2, (await ResultAsync(leg)).Attempt);
    }

    [Fact]
    public async Task Run_LegHasAResult_ReturnsItAndSendsNoRequests()
    {
        await using var account = await StartAsync();
        var leg = await LegAsync(account, 100, new WorkloadSpec());
        var first = await RunAsync(account, leg);
        var requests = account.ReadLedger().WireRequests;

        Assert.Equal(first with { IsKept = true }, await RunAsync(account, leg));
        Assert.Equal(requests, account.ReadLedger().WireRequests);
    }

    [Fact]
    public async Task Run_LegsAreShortAndConnectionsBreak_TheLegsTogetherAreExact()
    {
        var slow = new FaultRule { Probability = 0.005, DelayMs = 1_500 };
        var breaks = new FaultRule { Probability = 0.01, CloseConnection = true, AfterOperation = true };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [slow, breaks] });
        var leg = (await LegAsync(account, 4_000, new WorkloadSpec(), throughput: 5_000)) with { Leg = 1 };
        leg = leg with { Assignment = leg.Assignment with { LegDuration = TimeSpan.FromSeconds(1) } };

        var counts = default(Counts);
        LegOutput output;
        do
        {
            output = await RunAsync(account, leg);
            counts += output.Counts;
            leg = leg with { Leg = leg.Leg + 1, Next = output.Next };
        }
        while (output.End == LegEnd.TimeUp);

        Assert.True(leg.Leg > 3);
        Assert.Equal((LegEnd.SliceDone, 4_000, 0, 0), (output with { Counts = counts }).Ended());
        Assert.Equal(4_000, account.ReadLedger().Documents.Created);
    }

    [Fact]
    public async Task Run_StopIsAsked_EndsWithinTenSecondsAndSaysWhatIsDone()
    {
        await using var account = await StartAsync();
        var leg = await LegAsync(account, 1_000_000, new WorkloadSpec(), throughput: 4_000);
        var running = RunAsync(account, leg);
        while (account.ReadLedger().Documents.Created < 100)
            await Task.Delay(50, Cancellation);

        await Files.RequestStopAsync(Cancellation);
        var asked = TimeProvider.System.GetTimestamp();
        var output = await running;

        Assert.Equal(LegEnd.Stopped, output.End);
        Assert.Equal(account.ReadLedger().Documents.Created, output.Counts.Inserted);
        Assert.True(TimeProvider.System.GetElapsedTime(asked) < TimeSpan.FromSeconds(10), "The stop flag did nothing.");
    }

    [Fact]
    public async Task Run_ContainerIsGone_IsRejectedAndNamesIt()
    {
        await using var account = await StartAsync();
        var leg = await LegAsync(account, 10, new WorkloadSpec());
        leg = leg with { Assignment = leg.Assignment with { Container = leg.Assignment.Container with { Name = "nowhere" } } };

        var output = await RunAsync(account, leg);

        Assert.Equal((LegEnd.Rejected, 0L), (output.End, output.Next));
        Assert.Contains("404", output.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_MeasuredAgainWhereItRanBefore_WritesAllIntoTheNewContainerOfThatName()
    {
        await using var account = await StartAsync();
        await using var runner = new LegRunner(Store, account.Connection(), new NoProgress()) { WorkersShareMachine = true };
        var leg = (await LegAsync(account, 100, new WorkloadSpec(), mode: Mode.Direct)) with { Leg = 1 };
        await runner.RunAsync(leg, Cancellation);
        using (var client = CosmosClientFactory.CreateControl(account.Connection()))
            await client.GetContainer("scaleout", "legs").DeleteContainerAsync(cancellationToken: Cancellation);
        await LegAsync(account, 100, new WorkloadSpec(), mode: Mode.Direct);
        await Files.DiscardAsync(Cancellation);

        var output = await runner.RunAsync(leg, Cancellation);

        Assert.Equal((LegEnd.SliceDone, 100, 0, 0), output.Ended());
        Assert.Empty((await ResultAsync(leg)).OtherErrors);
        Assert.Equal([100, 100], account.ReadLedger().Containers.Select(container => container.Documents.Created));
    }

    [Fact]
    public async Task Run_CommonStartIsAnHourAhead_EndsAtOnceAndNamesIt()
    {
        await using var account = await StartAsync();
        var leg = (await LegAsync(account, 10, new WorkloadSpec())) with { Leg = 1 };
        await Files.SetStartAsync(new StartInstant(DateTimeOffset.UtcNow.AddHours(1), Ready: 1), Cancellation);

        var output = await RunAsync(account, leg);

        Assert.Equal((LegEnd.Rejected, 0L), (output.End, output.Counts.Done));
        Assert.Contains("The common start in the run store is set to", output.Reason, StringComparison.Ordinal);
        var result = await ResultAsync(leg);
        Assert.Equal(result.StartedAt, result.EndedAt);
        Assert.Equal(0, account.ReadLedger().Documents.Created);
    }

    [Fact]
    public async Task Run_WallClockIsSetBetweenLegs_TimesThemOnOneAxis()
    {
        await using var account = await StartAsync();
        var time = new ShiftedTime();
        await using var runner = new LegRunner(Store, account.Connection(), new NoProgress(), time) { WorkersShareMachine = true };
        var leg = await LegAsync(account, 200, new WorkloadSpec());
        leg = leg with { Assignment = leg.Assignment with { Slice = new NumberRange(0, 100) }, DispatchedAt = DateTimeOffset.UtcNow };
        await runner.RunAsync(leg, Cancellation);
        time.Offset = TimeSpan.FromDays(-3);
        var second = leg with { Leg = 3, Next = 100, Assignment = leg.Assignment with { Worker = 1, Slice = new NumberRange(100, 100) } };
        await runner.RunAsync(second, Cancellation);

        var (before, after) = (await ResultAsync(leg), await ResultAsync(second));
        var isInOrder = after.StartedAt >= before.EndedAt && after.StartedAt >= after.Clocks!.ReceivedAt;
        Assert.True(isInOrder, "The second leg began before the first ended.");
        Assert.True(before.Clocks!.ReceivedAt >= leg.DispatchedAt.Value.AddSeconds(-1), "The first leg began before it was asked for.");
        Assert.Equal((0, -3 * 86_400), (Math.Round(before.Clocks!.StepMs / 1_000), Math.Round(after.Clocks!.StepMs / 1_000)));
        Assert.Equal(leg.DispatchedAt, after.Clocks.DispatchedAt);
        var (first, last) = (UtcSeconds.Floor(after.StartedAt) - 1, UtcSeconds.Floor(after.EndedAt));
        Assert.All(after.Seconds, sample => Assert.InRange(sample.Second, first, last));
    }

    [Fact]
    public async Task Run_DocumentsThatTheAccountRejects_AreFailedAndNamed()
    {
        var rejects = new FaultRule { Operation = FaultOperation.Create, MaxHits = 3, Status = 400 };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [rejects] });
        var leg = await LegAsync(account, 50, new WorkloadSpec());

        var output = await RunAsync(account, leg);

        Assert.Equal((LegEnd.SliceDone, 47, 3), (output.End, output.Counts.Inserted, output.Counts.Failed));
        var result = await ResultAsync(leg);
        Assert.All(result.Failures, one => Assert.EndsWith(
            ": 400 A fault rule of the simulated account responded.", one, StringComparison.Ordinal));
        // Failed operations have no operation latency.
        Assert.Equal((3, 47L, 50L), (result.Failures.Count, result.OperationLatency.Count, result.AttemptLatency.Count));
    }

    private static Counts OperationsOf(WorkloadKind kind, AccountLedger ledger) => kind switch
    {
        WorkloadKind.Upsert => ledger.Operations.Upsert,
        WorkloadKind.Batch => ledger.Operations.Batch,
        _ => ledger.Operations.Create,
    };

    private static void AssertPartitionsAreThoseOf(AccountLedger ledger, LegResult result)
    {
        var container = Assert.Single(ledger.Containers);
        Assert.Equal(3, result.Partitions.Count);
        Assert.Equal(
            container.Partitions.Select(partition => (partition.Documents, partition.Counts.Throttled)),
            result.Partitions.Select(partition => (partition.Counts.Inserted, partition.Counts.Throttled)));
        Assert.Equal(result.Counts.RequestUnits, Counts.Sum(result.Partitions.Select(partition => partition.Counts)).RequestUnits);
        Assert.Equal(result.Counts.RequestUnits, Counts.Sum(result.Seconds.Select(second => second.Counts)).RequestUnits);
    }

    /// <summary>A leg on a container of its own.</summary>
    private static async Task<LegInput> LegAsync(
        SimulatedAccount account, long documents, WorkloadSpec workload, int throughput = 1_000_000, Mode mode = Mode.Gateway)
    {
        await CreateContainerAsync(account, throughput: throughput);
        return Leg(documents, workload, mode, concurrency: workload.Kind == WorkloadKind.Bulk ? 400 : 20);
    }

    /// <summary>The SDK rounds the charge of each operation of a bulk response, which the account does not.</summary>
    private static void AssertSame(WorkloadKind kind, double inLedger, double measured) => Assert.Equal(
        inLedger, measured, kind == WorkloadKind.Bulk ? AccountLedger.RequestUnitTolerance * inLedger : 0.001);
}
