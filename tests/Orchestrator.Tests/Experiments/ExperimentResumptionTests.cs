using Microsoft.DurableTask.Client;
using ScaleOut.Experiments;
using ScaleOut.Http;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Http;
using ScaleOut.Orchestrator.Tests.Engine;
using ScaleOut.Storage;
using ScaleOut.Tests.Orchestration;
using ScaleOut.Tests.Storage;

namespace ScaleOut.Orchestrator.Tests.Experiments;

/// <summary>Experiments that are taken up again, on the real engine.</summary>
public sealed class ExperimentResumptionTests
{
    private const string Id = "again";

    private static readonly ExperimentSpec Spec = TestExperiments.Pair(Id);

    private readonly MemoryRunStore _store = new();
    private readonly MemoryRunCatalog _catalog = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private ExperimentFiles Files => new(_store, Id);

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Resume_StoppedInItsSecondRun_MeasuresWhatIsLeftAndNothingAgain()
    {
        var stops = 1;
        TestEngine? engine = null;
        var activities = new FakeActivities(async leg =>
        {
            if (leg.Assignment.RunId != "again-v02-r01" || Interlocked.Decrement(ref stops) < 0)
                return ScriptedLeg.Finish(leg);
            Assert.Equal(StopAnswer.Stopping, await Host(engine!).StopAsync(Id, Cancellation));
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        }) { Store = _store };
        await using var started = engine = await TestExperiments.StartAsync(_store, _catalog, activities);
        await Files.TryClaimAsync(Spec, Cancellation);
        await Host(engine).StartAsync(Spec, Cancellation);
        await EndOfAsync(engine, attempt: 1);
        Assert.Equal(HostedState.Stopped, (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State);
        var (former, measured) = (await Files.ReadReportAsync("report.json", Cancellation), await ReportOfAsync("again-v01-r01"));

        var left = await Host(engine).ReadLeftAsync(Spec, Cancellation);
        var refusals = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Host(engine).TryResumeAsync(Spec, left, Cancellation)));
        var state = (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State;
        await EndOfAsync(engine, attempt: 2);

        Assert.Equal(["again-v02-r01", "again-v01-r02", "again-v02-r02"], left.Select(run => run.Spec.Id));
        Assert.Single(refusals, refusal => refusal is null);
        Assert.All(refusals.OfType<string>(), refusal => Assert.Contains("another request", refusal, StringComparison.Ordinal));
        Assert.Contains(state, (HostedState[])[HostedState.Queued, HostedState.Running, HostedState.Complete]);
        Assert.Equal(["again-v01-r01", "again-v02-r01", "again-v02-r01", "again-v01-r02", "again-v02-r02"], activities.Legs.Select(leg => leg.Assignment.RunId));
        Assert.Equal(measured, await ReportOfAsync("again-v01-r01"));
        Assert.NotEqual(former, await Files.ReadReportAsync("report.json", Cancellation));
        Assert.False(await Files.IsStopRequestedAsync(Cancellation));
        Assert.Equal((4, 4, 0), ((await Files.ReadStatusAsync(Cancellation))!.Outcome!.Runs, (await Files.ReadStatusAsync(Cancellation))!.Outcome!.Complete, (await Files.ReadStatusAsync(Cancellation))!.NotComplete));
        Assert.Equal(HostedState.Complete, (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State);
        Assert.Empty(await Host(engine).ReadLeftAsync(Spec, Cancellation));
        Assert.Equal(4, (await _catalog.ListAsync(continuation: null, pageSize: 10, Cancellation)).Runs.Count);

        // The run that was begun twice has an orchestration for each time, with workers of its own.
        Assert.Equal(EngineState.Completed, (await engine.Client.FindInstanceAsync(_store, "again-v02-r01", Cancellation))!.State);
        Assert.Equal("again-v02-r01:again-2", (await new RunFiles(_store, "again-v02-r01").ReadTakenUpAsync(Cancellation))!.InstanceId);
        Assert.All(["again-v02-r01:worker-0000", "again-v02-r01:again-2:worker-0000"], id => Assert.Contains(id, engine.Traffic.Instances.Keys));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Resume_StoppedOverAndOver_GoesOnEachTime()
    {
        TestEngine? engine = null;
        var stops = 3;
        var activities = new FakeActivities(async leg =>
        {
            if (Interlocked.Decrement(ref stops) < 0)
                return ScriptedLeg.Finish(leg);
            await Host(engine!).StopAsync(Id, Cancellation);
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        }) { Store = _store };
        await using var started = engine = await TestExperiments.StartAsync(_store, _catalog, activities);
        await Files.TryClaimAsync(Spec, Cancellation);
        await Host(engine).StartAsync(Spec, Cancellation);
        for (var attempt = 1; attempt <= 3; attempt++)
        {
            await EndOfAsync(engine, attempt);
            Assert.Equal(HostedState.Stopped, (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State);
            Assert.Null(await Host(engine).TryResumeAsync(Spec, await Host(engine).ReadLeftAsync(Spec, Cancellation), Cancellation));
        }

        await EndOfAsync(engine, attempt: 4);

        Assert.Equal(HostedState.Complete, (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State);
        Assert.Equal(7, activities.Legs.Count);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Resume_RunThatFailed_IsMeasuredAnew()
    {
        var failures = 1;
        var activities = new FakeActivities(leg => leg.Assignment.RunId == "again-v01-r02" && Interlocked.Decrement(ref failures) >= 0
            ? ScriptedLeg.Insert(leg, 0, LegEnd.Refused) with { Reason = "not today" }
            : ScriptedLeg.Finish(leg)) { Store = _store };
        await using var engine = await TestExperiments.StartAsync(_store, _catalog, activities);
        await Files.TryClaimAsync(Spec, Cancellation);
        await Host(engine).StartAsync(Spec, Cancellation);
        await EndOfAsync(engine, attempt: 1);
        var before = (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State;

        var left = await Host(engine).ReadLeftAsync(Spec, Cancellation);
        Assert.Null(await Host(engine).TryResumeAsync(Spec, left, Cancellation));
        await EndOfAsync(engine, attempt: 2);

        Assert.Equal((HostedState.Incomplete, "again-v01-r02"), (before, Assert.Single(left).Spec.Id));
        Assert.Equal(HostedState.Complete, (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State);
        Assert.Equal(5, activities.Legs.Count);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Resume_RunOfItStillUnderWay_IsRefused()
    {
        var held = new TaskCompletionSource();
        var activities = new FakeActivities(async leg =>
        {
            await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        }) { Store = _store };
        await using var engine = await TestExperiments.StartAsync(_store, _catalog, activities);
        await Files.TryClaimAsync(Spec, Cancellation);
        await Host(engine).StartAsync(Spec, Cancellation);
        while (activities.Legs.Count == 0)
            await Task.Delay(20, Cancellation);
        await engine.Client.TerminateInstanceAsync(EngineExperiments.InstanceIdOf(Id), cancellation: Cancellation);
        await engine.Client.WaitForInstanceCompletionAsync(EngineExperiments.InstanceIdOf(Id), Cancellation);

        var left = await Host(engine).ReadLeftAsync(Spec, Cancellation);
        var refusal = await Host(engine).TryResumeAsync(Spec, left, Cancellation);
        held.SetResult();
        await engine.EndOfAsync("again-v01-r01");
        left = await Host(engine).ReadLeftAsync(Spec, Cancellation);
        var accepted = await Host(engine).TryResumeAsync(Spec, left, Cancellation);
        await EndOfAsync(engine, attempt: 2);

        Assert.Contains("'again-v01-r01' of the experiment 'again' is still under way", refusal, StringComparison.Ordinal);
        Assert.Null(accepted);
        Assert.Equal(3, left.Count);
        Assert.Equal(HostedState.Complete, (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State);
        Assert.Equal(4, activities.Legs.Count);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Start_ClaimedButNotScheduled_IsQueuedUntilItIsGivenUp()
    {
        await using var engine = await TestExperiments.StartAsync(_store, _catalog, new FakeActivities(ScriptedLeg.Finish) { Store = _store });
        await Files.TryClaimAsync(Spec, Cancellation);
        await Files.TryClaimAttemptAsync(new ExperimentAttempt(1, DateTimeOffset.UtcNow), Cancellation);
        var left = await Host(engine).ReadLeftAsync(Spec, Cancellation);

        var early = (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State;
        var refusal = await Host(engine).TryResumeAsync(Spec, left, Cancellation);
        var later = new DurableExperimentHost(engine.Client, _store, new Later());
        Assert.Equal((HostedState.Queued, false, null), (early, refusal is null, await later.ReadStatusAsync(Id, Cancellation)));
        Assert.Null(await later.TryResumeAsync(Spec, left, Cancellation));

        await EndOfAsync(engine, attempt: 2);
        Assert.Equal(HostedState.Complete, (await Host(engine).ReadStatusAsync(Id, Cancellation))!.State);
    }

    [Fact]
    public async Task TakeUpRun_CalledTwice_ThrowsAwayWhatWasThereOnce()
    {
        var activities = TestExperiments.Activities(_store, _catalog);
        var run = ExperimentRuns.Of(Spec)[0].Spec;
        var files = new RunFiles(_store, run.Id!);
        await activities.ClaimRunAsync(run, Cancellation);
        await files.RequestStopAsync(Cancellation);
        await files.MarkReadyAsync(0, Cancellation);
        await files.WriteEndedAsync(new RunEnded(Outcome(run.Id!, RunState.Stopped), DateTimeOffset.UnixEpoch), Cancellation);

        var first = await activities.TakeUpRunAsync(new ExperimentRunAgain(run, Id, 2), Cancellation);
        var cleared = (await files.IsStopRequestedAsync(Cancellation), await files.CountReadyAsync(Cancellation), await files.ReadEndedAsync(Cancellation), await files.IsContainerGoneAsync(Cancellation));
        await files.MarkReadyAsync(0, Cancellation);
        var second = await activities.TakeUpRunAsync(new ExperimentRunAgain(run, Id, 2), Cancellation);

        Assert.Equal((first, (false, 0, null, false), 1), (second, cleared, await files.CountReadyAsync(Cancellation)));
        Assert.Equal(new ExperimentRunClaim(Measured: null, IsInUse: false, $"{run.Id}:again-2"), first);
    }

    [Fact]
    public async Task TakeUpRun_ExperimentWasJustAskedToStop_StopsTheRunToo()
    {
        var run = ExperimentRuns.Of(Spec)[0].Spec;
        var files = new RunFiles(_store, run.Id!);
        await files.TryClaimAsync(run, Cancellation);
        await files.WriteEndedAsync(new RunEnded(Outcome(run.Id!, RunState.Failed), DateTimeOffset.UnixEpoch), Cancellation);
        await Files.RequestStopAsync(Cancellation);

        await TestExperiments.Activities(_store, _catalog).TakeUpRunAsync(new ExperimentRunAgain(run, Id, 2), Cancellation);

        Assert.Null(await files.ReadEndedAsync(Cancellation));
        Assert.True(await files.IsStopRequestedAsync(Cancellation));
    }

    [Fact]
    public async Task TakeUpRun_MeasuredOrAnothers_IsLeftAsItIs()
    {
        var activities = TestExperiments.Activities(_store, _catalog);
        var runs = ExperimentRuns.Of(Spec).Select(run => run.Spec).ToList();
        var (measured, other) = (new RunFiles(_store, runs[0].Id!), new RunFiles(_store, runs[1].Id!));
        await measured.TryClaimAsync(runs[0], Cancellation);
        await measured.MarkReadyAsync(0, Cancellation);
        await measured.WriteEndedAsync(new RunEnded(Outcome(runs[0].Id!, RunState.Complete), DateTimeOffset.UnixEpoch), Cancellation);
        await other.TryClaimAsync(runs[1] with { Seed = 4711 }, Cancellation);
        await other.MarkReadyAsync(0, Cancellation);

        var found = await activities.TakeUpRunAsync(new ExperimentRunAgain(runs[0], Id, 2), Cancellation);
        var taken = await activities.TakeUpRunAsync(new ExperimentRunAgain(runs[1], Id, 2), Cancellation);

        Assert.Equal((RunState.Complete, true), (found.Measured!.State, taken.IsInUse));
        Assert.Equal((1, 1), (await measured.CountReadyAsync(Cancellation), await other.CountReadyAsync(Cancellation)));
    }

    private static RunOutcome Outcome(string id, RunState state) => new() { RunId = id, State = state, Documents = new DocumentCounts(), Remaining = 0 };

    private static async Task EndOfAsync(TestEngine engine, int attempt) => await engine.Client.WaitForInstanceCompletionAsync(EngineExperiments.InstanceIdOf(Id, attempt), Cancellation);

    private DurableExperimentHost Host(TestEngine engine) => new(engine.Client, _store, TimeProvider.System);

    private Task<byte[]?> ReportOfAsync(string runId) => new RunFiles(_store, runId).ReadReportAsync("report.json", Cancellation);

    /// <summary>A clock an hour ahead.</summary>
    private sealed class Later : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => base.GetUtcNow().AddHours(1);
    }
}
