using ScaleOut.Measurement;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Tests.Measurement;

namespace ScaleOut.Tests.Storage;

/// <summary>What the items of a run do over every run store.</summary>
public abstract class RunFilesContract
{
    /// <summary>An empty store.</summary>
    internal abstract IRunStore Store { get; }

    private RunFiles Files => new(Store, "test");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Claim_ManyAtOnce_OneWins()
    {
        var claims = await Task.WhenAll(Enumerable.Range(0, 20).Select(i => Task.Run(() => Files.TryClaimAsync(new RunSpec { Id = "test", Seed = i }, Cancellation))));

        Assert.Single(claims, won => won);
        Assert.True(await new RunFiles(Store, "other").TryClaimAsync(new RunSpec { Id = "other" }, Cancellation));
    }

    [Fact]
    public async Task ClaimAttempt_ManyAtOnce_NumbersThemWithoutGap()
    {
        var attempts = await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => Task.Run(() => Files.ClaimAttemptAsync(3, 1, "a", Cancellation))));

        Assert.Equal(Enumerable.Range(1, 20), attempts.Order());
        Assert.Equal(1, await Files.ClaimAttemptAsync(3, 2, "a", Cancellation));
    }

    [Fact]
    public async Task KeepResult_LegThatRanTwice_KeepsTheFirst()
    {
        var first = await Files.KeepResultAsync(Legs.Leg(inserted: 5), Cancellation);
        var second = await Files.KeepResultAsync(Legs.Leg(inserted: 9), Cancellation);

        Assert.Equal((5, 5), (first.Output.Inserted, second.Output.Inserted));
        Assert.Equal(5, (await Files.ReadResultAsync(0, 1, Cancellation))!.Output.Inserted);
    }

    [Fact]
    public async Task ReadLegs_AttemptsWithoutResult_AreLost()
    {
        await BeginAsync(worker: 0, leg: 1, attempts: 3);
        await Files.KeepResultAsync(Legs.Leg(0, 1, inserted: 1), Cancellation);
        await BeginAsync(worker: 0, leg: 2, attempts: 1);
        await Files.KeepResultAsync(Legs.Leg(0, 2, inserted: 2), Cancellation);
        await BeginAsync(worker: 12, leg: 1, attempts: 2);

        var harvest = await Files.ReadLegsAsync(Cancellation);

        Assert.Equal([1, 2], harvest.Results.Select(leg => leg.Output.Inserted));
        Assert.Equal(4, harvest.LostLegs);
    }

    [Fact]
    public async Task ReadLegs_ManyWorkersAndLegs_AreInOrder()
    {
        foreach (var (worker, leg) in new[] { (10, 1), (2, 11), (2, 2), (999, 1), (0, 1) })
        {
            await BeginAsync(worker, leg, attempts: 1);
            await Files.KeepResultAsync(Legs.Leg(worker, leg), Cancellation);
        }

        Assert.Equal([(0, 1), (2, 2), (2, 11), (10, 1), (999, 1)], (await Files.ReadLegsAsync(Cancellation)).Results.Select(leg => (leg.Output.Worker, leg.Output.Leg)));
    }

    [Fact]
    public async Task ReadLegs_FreshRun_IsEmpty()
    {
        var harvest = await Files.ReadLegsAsync(Cancellation);

        Assert.Empty(harvest.Results);
        Assert.Equal(0, harvest.LostLegs);
    }

    [Fact]
    public async Task KeepResult_EverythingSet_ComesBackWhole()
    {
        var result = Legs.Leg(inserted: 5) with
        {
            DoneAhead = [new(7, 2)], Uncertain = [new(5, 1)], OtherErrors = new Dictionary<string, long> { ["503/20006"] = 2 }, Seconds = Legs.Seconds(0, 2, inserted: 1, machine: 0.5),
            Partitions = [Legs.Partition("", "FF", 0, 1.5, 2.5)], StartLatenessMs = 1.5, KeptSchedule = true, Failures = ["x"], Warnings = ["y"],
        };
        result.AttemptLatency.Record(TimeSpan.FromMilliseconds(3));
        await Files.KeepResultAsync(result, Cancellation);
        var read = (await Files.ReadResultAsync(0, 1, Cancellation))!;

        Assert.Equivalent(result with { AttemptLatency = read.AttemptLatency, OperationLatency = read.OperationLatency }, read, strict: true);
        Assert.Equal(1, read.AttemptLatency.Count);
    }

    [Fact]
    public async Task SetStart_SecondCaller_GetsTheFirstInstant()
    {
        var first = new StartInstant(DateTimeOffset.UnixEpoch, 4);

        Assert.Null(await Files.ReadStartAsync(Cancellation));
        Assert.Equal(first, await Files.SetStartAsync(first, Cancellation));
        Assert.Equal(first, await Files.SetStartAsync(new StartInstant(DateTimeOffset.UnixEpoch.AddDays(1), 3), Cancellation));
    }

    [Fact]
    public async Task MarkReady_SameWorkerTwice_CountsOnce()
    {
        await Files.MarkReadyAsync(3, Cancellation);
        await Files.MarkReadyAsync(3, Cancellation);
        await Files.MarkReadyAsync(4, Cancellation);

        Assert.Equal(2, await Files.CountReadyAsync(Cancellation));
    }

    [Fact]
    public async Task RequestStop_Twice_IsOneFlag()
    {
        Assert.False(await Files.IsStopRequestedAsync(Cancellation));
        await Files.RequestStopAsync(Cancellation);
        await Files.RequestStopAsync(Cancellation);

        Assert.True(await Files.IsStopRequestedAsync(Cancellation));
    }

    [Fact]
    public async Task KeepPrepared_RepeatedPreparation_KeepsTheFirstCount()
    {
        var first = new PreparedContainer { Target = new("d", "c", "/p"), Created = true, Simulated = true, CountBefore = 0, Warnings = ["w"] };
        await Files.KeepPreparedAsync(first, Cancellation);
        var second = await Files.KeepPreparedAsync(first with { CountBefore = 500 }, Cancellation);

        Assert.Equal(0, second.CountBefore);
        Assert.True(second.Simulated);
    }

    [Fact]
    public async Task KeepListing_SecondCall_GetsTheFirst()
    {
        var first = new RunListing("test", "Nächte", DateTimeOffset.UnixEpoch.AddTicks(1));

        Assert.Null(await Files.ReadListingAsync(Cancellation));
        Assert.Equal(first, await Files.KeepListingAsync(first, Cancellation));
        Assert.Equal(first, await Files.KeepListingAsync(first with { StartedAt = DateTimeOffset.UnixEpoch }, Cancellation));
        Assert.Equal(first, await Files.ReadListingAsync(Cancellation));
    }

    [Fact]
    public async Task WriteEnded_Outcome_ComesBackWhole()
    {
        var outcome = new RunOutcome { RunId = "test", State = RunState.Incomplete, Documents = new() { Inserted = 5, Failed = 1 }, Remaining = 4, Verified = 5, Reasons = ["r"] };
        Assert.Null(await Files.ReadEndedAsync(Cancellation));

        await Files.WriteEndedAsync(new RunEnded(outcome, DateTimeOffset.UnixEpoch), Cancellation);
        await Files.WriteEndedAsync(new RunEnded(outcome, DateTimeOffset.UnixEpoch), Cancellation);

        Assert.Equivalent(new RunEnded(outcome, DateTimeOffset.UnixEpoch), await Files.ReadEndedAsync(Cancellation), strict: true);
    }

    [Fact]
    public async Task MarkContainerGone_Twice_IsOneMark()
    {
        Assert.False(await Files.IsContainerGoneAsync(Cancellation));
        await Files.MarkContainerGoneAsync(Cancellation);
        await Files.MarkContainerGoneAsync(Cancellation);

        Assert.True(await Files.IsContainerGoneAsync(Cancellation));
    }

    [Fact]
    public async Task Discard_RunThatEnded_LeavesItsClaimItsListingAndWhatTakesItUp()
    {
        var spec = new RunSpec { Id = "test" };
        var again = new RunTakenUp(2, "test:again-2", DateTimeOffset.UnixEpoch);
        Assert.True(await Files.TryClaimAsync(spec, Cancellation));
        Assert.Null(await Files.ReadTakenUpAsync(Cancellation));
        await Files.KeepListingAsync(new RunListing("test", null, DateTimeOffset.UnixEpoch), Cancellation);
        await Files.WriteTakenUpAsync(again, Cancellation);
        await BeginAsync(worker: 0, leg: 1, attempts: 2);
        await Files.RequestStopAsync(Cancellation);
        await Files.MarkContainerGoneAsync(Cancellation);
        await Files.WriteReportAsync("report.json", "{}"u8.ToArray(), Cancellation);

        await Files.DiscardAsync(Cancellation);

        Assert.False(await Files.TryClaimAsync(spec, Cancellation));
        Assert.NotNull(await Files.ReadListingAsync(Cancellation));
        Assert.Equal(again, await Files.ReadTakenUpAsync(Cancellation));
        Assert.Null(await Files.ReadReportAsync("report.json", Cancellation));
        Assert.Equal((false, false), (await Files.IsStopRequestedAsync(Cancellation), await Files.IsContainerGoneAsync(Cancellation)));
        Assert.Equal(1, await Files.ClaimAttemptAsync(0, 1, "a", Cancellation));
    }

    private async Task BeginAsync(int worker, int leg, int attempts)
    {
        for (var attempt = 0; attempt < attempts; attempt++)
            await Files.ClaimAttemptAsync(worker, leg, "a", Cancellation);
    }
}
