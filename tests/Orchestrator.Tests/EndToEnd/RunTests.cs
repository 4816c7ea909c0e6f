using Microsoft.DurableTask;
using Microsoft.DurableTask.Client;
using ScaleOut.Analysis.Reports.Writers;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

public sealed class RunTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_SmallSpec_InsertsAllVerifiesAndCleansUp()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);

        var outcome = await app.RunAsync(Spec("small", documents: 1_000, workers: 4));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal((1_000, 1_000, 0), (outcome.Counts.Inserted, outcome.Verified, outcome.Remaining));
        Assert.Equal(["run-small"], app.Containers.Deleted);
        Assert.True(await new RunFiles(app.Store, "small").IsContainerGoneAsync(Cancellation));
        Assert.Equal(
            [FunctionNames.VerifyContainer, FunctionNames.SaveReport, FunctionNames.CleanUp, FunctionNames.EndRun],
            app.Host.WorkItems.Activities.TakeLast(4).Select(call => call.Name));
        Assert.Equal(RunState.Complete, (await new RunFiles(app.Store, "small").ReadEndedAsync(Cancellation))!.Outcome.State);
        Assert.Equal(
            ["small", "small:worker-0000", "small:worker-0001", "small:worker-0002", "small:worker-0003"],
            app.Host.WorkItems.Instances.Keys.Order(StringComparer.Ordinal));
    }

    /// <summary>
    /// The report cannot be saved at first. Its input goes into the history again only if the first call could not keep it.
    /// </summary>
    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData(RunFiles.EndingName, 2, FunctionNames.SaveKeptReport, FunctionNames.SaveKeptReport)]
    [InlineData("input-of-report.json", 1, FunctionNames.SaveKeptReport, FunctionNames.SaveReport)]
    public async Task Run_ReportCannotBeSavedAtFirst_IsSavedFromWhatWasKept(string item, int failures, params string[] calls)
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var failed = 0;
        app.Store.BeforeWrite = name =>
        {
            if (name == item && Interlocked.Increment(ref failed) <= failures)
                throw new IOException("The store is down.");
        };

        var outcome = await app.RunAsync(Spec("again", documents: 100, workers: 1));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal(
            [FunctionNames.SaveReport, .. calls, FunctionNames.CleanUp, FunctionNames.EndRun],
            app.Host.WorkItems.Activities.Select(call => call.Name).SkipWhile(name => name != FunctionNames.SaveReport));
        Assert.Empty(await app.Store.ListAsync("again", "input-of-report", Cancellation));
    }

    /// <summary>An orchestration awaits the activities of its own version, even if an app of another version continues it.</summary>
    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("1.0", FunctionNames.SaveReport)]
    [InlineData(OrchestrationVersions.Current, FunctionNames.SaveKeptReport)]
    public async Task Run_OfAVersion_TriesTheReportAgainAsThatVersionDoes(string version, string secondCall)
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var failed = 0;
        app.Store.BeforeWrite = name =>
        {
            if (name == RunFiles.EndingName && Interlocked.Increment(ref failed) == 1)
                throw new IOException("The store is down.");
        };
        var spec = Spec("old", documents: 100, workers: 1);
        Assert.True(await new RunFiles(app.Store, "old").TryClaimAsync(spec, Cancellation));

        await app.Host.Engine.ScheduleNewOrchestrationInstanceAsync(
            FunctionNames.RunOrchestrator,
            JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact),
            new StartOrchestrationOptions("old") { Version = version },
            Cancellation);
        var outcome = await app.EndOfAsync("old");

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal(
            [FunctionNames.SaveReport, secondCall],
            app.Host.WorkItems.Activities.Select(call => call.Name).Where(
                name => name is FunctionNames.SaveReport or FunctionNames.SaveKeptReport));
    }

    /// <summary>An error that may be one of an SDK has one more try; an orchestration of a version before does not.</summary>
    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("1.1", 9, 1)]
    [InlineData(OrchestrationVersions.Current, 1, 2)]
    [InlineData(OrchestrationVersions.Current, 9, 2)]
    public async Task Run_ReportThrowsWhatMayBeAnSdksError_IsTriedOnceMore(string version, int failures, int calls)
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var failed = 0;
        app.Store.BeforeWrite = name =>
        {
            if (name == RunFiles.EndingName && Interlocked.Increment(ref failed) <= failures)
                throw new KeyNotFoundException();
        };
        var spec = Spec("sdk", documents: 100, workers: 1);
        Assert.True(await new RunFiles(app.Store, "sdk").TryClaimAsync(spec, Cancellation));

        await app.Host.Engine.ScheduleNewOrchestrationInstanceAsync(
            FunctionNames.RunOrchestrator,
            JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact),
            new StartOrchestrationOptions("sdk") { Version = version },
            Cancellation);
        while (await app.Host.Engine.GetInstanceAsync("sdk", Cancellation) is not { IsCompleted: true })
            await Task.Delay(20, Cancellation);

        Assert.Equal(
            calls,
            app.Host.WorkItems.Activities.Count(call => call.Name is FunctionNames.SaveReport or FunctionNames.SaveKeptReport));
    }

    /// <summary>Enums, durations and the fields of a named container pass through the engine in the project's own JSON format.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_SpecWithEverything_ReachesItsLegsUnchanged()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var spec = Spec("everything", documents: 40, workers: 2) with
        {
            Client =
                new() { ConnectionMode = ConnectionMode.Gateway, Consistency = ConsistencyLevel.Eventual, MaxConnections = 7, Rate = 1.5 },
            WorkerOverrides = [new() { Workers = [1], Client = new() { ConnectionMode = ConnectionMode.Direct, Concurrency = 3 } }],
            Workload = new() { Kind = WorkloadKind.Batch, BatchSize = 10 },
            LegDuration = TimeSpan.FromSeconds(12.5),
        };

        await app.RunAsync(spec);

        var legs = app.Legs.All.OrderBy(leg => leg.Assignment.Worker).Select(leg => leg.Assignment).ToList();
        Assert.Equal([spec.SettingsOf(0), spec.SettingsOf(1)], legs.Select(leg => leg.Client));
        Assert.All(
            legs, leg => Assert.Equal((spec.Workload, spec.LegDuration, "everything"), (leg.Workload, leg.LegDuration, leg.RunInstanceId)));
        Assert.Contains(
            "\"connectionMode\":\"Gateway\"",
            app.Host.WorkItems.Activities.First(call => call.Name == FunctionNames.PrepareContainer).Input,
            StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_AtItsEnd_PublishesItsOutcomeAsStatus()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var outcome = await app.RunAsync(Spec("status", documents: 100, workers: 1));

        var instance = await app.Host.Engine.GetInstanceAsync("status", getInputsAndOutputs: true, Cancellation);

        var status = JsonSerializer.Deserialize<RunStatus>(instance!.SerializedCustomStatus!, ScaleOutJson.Compact)!;
        Assert.Equivalent(RunStatus.From(outcome, 100) with { Phase = RunPhase.Ended }, status, strict: true);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_LegFailsTwice_GoesOnFromTheSameNumber()
    {
        var tries = new ConcurrentDictionary<(int Worker, int Leg), int>();
        await using var app = await TestApp.StartAsync(leg =>
        {
            if (leg is { Assignment.Worker: 1, Leg: 2 } && tries.AddOrUpdate((1, 2), 1, (_, before) => before + 1) <= 2)
                throw new IOException("the instance is going away");
            return ScriptedLeg.Insert(leg, 100);
        });

        var outcome = await app.RunAsync(Spec("twice", documents: 900, workers: 3));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal((900, 900, 0), (outcome.Counts.Inserted, outcome.Verified, outcome.Remaining));
        Assert.Equal([400L, 400, 400], app.Legs.All.Where(leg => leg is { Assignment.Worker: 1, Leg: 2 }).Select(leg => leg.Next));
        Assert.Contains(app.Host.Warnings, line => line.Contains(
            "Leg 2 of worker 1 was lost (2 in a row): the instance is going away", StringComparison.Ordinal));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_LostWorker_ReportsWhatTheOthersDid()
    {
        await using var app = await TestApp.StartAsync(leg => leg.Assignment.Worker == 2
            ? ScriptedLeg.Insert(leg, 0, LegEnd.Rejected, "the account rejected the client: 401")
            : ScriptedLeg.Finish(leg));

        var outcome = await app.RunAsync(Spec("lost", documents: 400, workers: 4));

        Assert.Equal((RunState.Failed, 300L, 100L), (outcome.State, outcome.Counts.Inserted, outcome.Remaining));
        Assert.Contains("the account rejected the client: 401", string.Join('\n', outcome.Reasons), StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_WorkerTerminated_ComesToAReportAllTheSame()
    {
        var held = new TaskCompletionSource();
        await using var app = await TestApp.StartAsync(async leg =>
        {
            if (leg.Assignment.Worker == 0)
                await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        await app.StartRunAsync(Spec("gone", documents: 200, workers: 2));
        while (app.Legs.All.Count < 2)
            await Task.Delay(20, Cancellation);

        await app.Host.Engine.TerminateInstanceAsync("gone:worker-0000", "ended by hand", Cancellation);
        var outcome = await app.EndOfAsync("gone");
        held.SetResult();

        Assert.Equal((RunState.Failed, 100L), (outcome.State, outcome.Remaining));
        var report = RunForms.Kind.Read((await new RunFiles(app.Store, "gone").ReadReportAsync("report.json", Cancellation))!);
        Assert.Equal([0, 100], report.Workers.Select(worker => worker.Documents.Inserted));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_StoppedOverHttp_ReportsWhatWasDone()
    {
        TestApp? app = null;
        await using var started = app = await TestApp.StartAsync(async leg =>
        {
            if (leg.Leg == 1)
                return ScriptedLeg.Insert(leg, 10);
            while (!await new RunFiles(app!.Store, "stopped").IsStopRequestedAsync(Cancellation))
                await Task.Delay(20, Cancellation);
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        });
        await app.StartRunAsync(Spec("stopped", documents: 1_000, workers: 4));
        while (app.Legs.All.Count < 8)
            await Task.Delay(20, Cancellation);

        var (stop, _) = await app.PostAsync("/api/runs/stopped/stop");
        var outcome = await app.EndOfAsync("stopped");

        Assert.Equal(202, (int)stop.StatusCode);
        Assert.Equal((RunState.Stopped, 60L, 940L), (outcome.State, outcome.Counts.Inserted, outcome.Remaining));
        Assert.Equal(["run-stopped"], app.Containers.Deleted);
    }

    /// <summary>Terminating the run's orchestration ends neither those of its workers nor their legs.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_TerminatedWithWorkersAtWork_CanStillBeStopped()
    {
        TestApp? app = null;
        await using var started = app = await TestApp.StartAsync(async leg =>
        {
            while (!await new RunFiles(app!.Store, "orphans").IsStopRequestedAsync(Cancellation))
                await Task.Delay(20, Cancellation);
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        });
        await app.StartRunAsync(Spec("orphans", documents: 100, workers: 1));
        while (app.Legs.All.Count < 1)
            await Task.Delay(20, Cancellation);
        await app.Host.Engine.TerminateInstanceAsync("orphans", "ended by hand", Cancellation);
        await app.Host.EndOfAsync("orphans");

        var (stop, text) = await app.PostAsync("/api/runs/orphans/stop");

        Assert.True((int)stop.StatusCode == 202, text);
        await app.Host.EndOfAsync("orphans:worker-0000");
        Assert.Equal("interrupted", (string?)(await app.StatusAsync("/api/runs/orphans"))["state"]);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_EveryStepFailsOnce_IsRetried()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, failuresOfEachStep: 1);

        var outcome = await app.RunAsync(Spec("retried", documents: 100, workers: 2));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal(["run-retried"], app.Containers.Deleted);
    }

    /// <summary>The run has ended and names the container that is left, which the timer deletes later.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_ContainerCannotBeDeleted_EndsAndSaysSo()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Containers.DeletionError = new ArgumentException("the container is locked");

        var outcome = await app.RunAsync(Spec("locked", documents: 100, workers: 1));

        var files = new RunFiles(app.Store, "locked");
        Assert.Equal((RunState.Complete, false), (outcome.State, await files.IsContainerGoneAsync(Cancellation)));
        Assert.Equal(["The container scaleout/run-locked could not be deleted: the container is locked"], outcome.Reasons);
        Assert.Equal(outcome.Reasons, (await files.ReadEndedAsync(Cancellation))!.Outcome.Reasons);
    }

    /// <summary>The account's certificate or key is another one now, so the container could be deleted at no time.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_AccountRejectsTheCleanUp_IsNotRetried()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Containers.DeletionError = new AccountException("the account rejects the key (401)");

        var outcome = await app.RunAsync(Spec("dead", documents: 100, workers: 1));

        Assert.Single(app.Host.WorkItems.Activities, call => call.Name == FunctionNames.CleanUp);
        Assert.Equal(["The container scaleout/run-dead could not be deleted: the account rejects the key (401)"], outcome.Reasons);
    }

    /// <summary>The account is gone, and its clean-up is retried for a quarter of an hour.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Get_FailedRunWhoseContainerIsBeingDeleted_HasFailedAndHasItsReport()
    {
        await using var app = await TestApp.StartAsync(leg => ScriptedLeg.Insert(leg, 0, LegEnd.Rejected, "the account is gone"));
        app.Containers.DeletionError =
            new AccountException(new AccountError(AccountErrorKind.Transient, "nothing listens at that port"));
        await app.StartRunAsync(Spec("silent", documents: 100, workers: 1));
        while (app.Host.WorkItems.Activities.All(call => call.Name != FunctionNames.CleanUp))
            await Task.Delay(20, Cancellation);

        var status = await app.StatusAsync("/api/runs/silent");
        var (report, _) = await app.GetAsync("/api/runs/silent/report");
        var (resume, text) = await app.PostAsync("/api/runs/silent/resume");
        app.Containers.DeletionError = null;
        var outcome = await app.EndOfAsync("silent");

        Assert.Equal(("failed", "cleaningUp"), ((string?)status["state"], (string?)status["phase"]));
        Assert.Contains("the account is gone", (string?)status["reasons"]![0], StringComparison.Ordinal);
        Assert.Equal((200, 409), ((int)report.StatusCode, (int)resume.StatusCode));
        Assert.Contains("deleting its container", text, StringComparison.Ordinal);
        Assert.Equal(["run-silent"], app.Containers.Deleted);
        Assert.Equal(RunState.Failed, outcome.State);
    }

    /// <summary>The durable extension reports this as an InvalidOperationException with the error of the reader within.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_InputOfAStepCannotBeRead_IsNotRetried()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Host.WorkItems.ChangeInput = (name, input) =>
            name == FunctionNames.PrepareContainer ? """{"id": "unread", "documents": "many"}""" : input;

        var outcome = await app.RunAsync(Spec("unread", documents: 100, workers: 1));

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Single(app.Host.WorkItems.Activities, call => call.Name == FunctionNames.PrepareContainer);
        Assert.Contains("documents", string.Join('\n', outcome.Reasons), StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_InvalidOperationThatMayPass_IsRetried()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Containers.PreparationErrors.Enqueue(new InvalidOperationException("busy", new IOException("the disk is busy")));

        var outcome = await app.RunAsync(Spec("busy", documents: 100, workers: 1));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal(2, app.Host.WorkItems.Activities.Count(call => call.Name == FunctionNames.PrepareContainer));
    }

    /// <summary>Errors of the code or its input are not retried, because they would occur again.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_StepFailsForGood_IsNotRetried()
    {
        await using var app = await TestApp.StartAsync((Func<LegInput, LegOutput>)(_ => throw new ArgumentException("no such setting")));

        var outcome = await app.RunAsync(Spec("broken", documents: 100, workers: 1));

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Single(app.Legs.All);
        Assert.Contains("no such setting", string.Join('\n', outcome.Reasons), StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_TwoThatDoNotFitTogether_AreMeasuredOneAfterTheOther()
    {
        var held = new TaskCompletionSource();
        var settings = new Dictionary<string, string?> { ["MAX_RUS"] = "1000000", ["MAX_WORKERS"] = "100", ["WORKER_CAPACITY"] = "3" };
        await using var app = await TestApp.StartAsync(
            async leg =>
            {
                if (leg.Assignment.RunId == "first")
                    await held.Task.WaitAsync(Cancellation);
                return ScriptedLeg.Finish(leg);
            },
            settings);
        await app.StartRunAsync(Spec("first", documents: 20, workers: 2));
        while (app.Legs.All.Count < 2)
            await Task.Delay(20, Cancellation);
        await app.StartRunAsync(Spec("second", documents: 20, workers: 2));
        string? state;
        do
        {
            await Task.Delay(50, Cancellation);
            state = (string?)(await app.StatusAsync("/api/runs/second"))["phase"];
        }
        while (state != "queued");
        var status = await app.StatusAsync("/api/runs/second");

        held.SetResult();
        var outcomes = new[] { await app.EndOfAsync("first"), await app.EndOfAsync("second") };

        Assert.Equal(("queued", 1), ((string?)status["state"], (int?)status["runsAhead"]));
        Assert.All(outcomes, outcome => Assert.Equal(RunState.Complete, outcome.State));
        Assert.Equal(["first", "first", "second", "second"], app.Legs.All.Select(leg => leg.Assignment.RunId));
    }

    private static RunSpec Spec(string id, long documents, int workers) => new() { Id = id, Documents = documents, Workers = workers };
}
