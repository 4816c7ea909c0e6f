using Microsoft.Extensions.Logging.Abstractions;

namespace ScaleOut.DevBox.Orchestration;

/// <summary>What a run on this machine reads and writes outside of its worker processes.</summary>
/// <param name="Store">The folders of all runs.</param>
/// <param name="Files">The items of this run in the store.</param>
/// <param name="Account">The account that has the run's documents.</param>
/// <param name="Ledger">What a simulated account counted by itself. The report is compared with it.</param>
internal sealed record RunPlaces(IRunStore Store, RunFiles Files, RunAccount Account, KeptLedger Ledger);

/// <summary>The activities of a run on one machine. Workers are processes, and they keep their items in the run's folder.</summary>
internal sealed class LocalRunActivities(
    RunPlaces places, IContainerControl containers, IWorkerPool pool, RunStop stop, RunTally tally)
{
    private readonly RunFiles _files = places.Files;
    private readonly RunAccount _account = places.Account;
    private ILogger _logger = NullLogger.Instance;
    private DateTimeOffset _begunAt;

    /// <summary>For the cost in the report of a run on a real account; null for none.</summary>
    public PriceList? Prices { get; init; }

    /// <summary>The report of the run; null until it is written.</summary>
    public RunReport? Report { get; private set; }

    /// <summary>Creates the engine that runs the run's orchestrations.</summary>
    public LocalEngine CreateEngine(ILogger logger)
    {
        _logger = logger;
        var engine = new LocalEngine(logger) { DelayAsync = DelayAsync, OnStatus = status => ShowStatus((RunStatus)status) };
        engine.AddOrchestrator<RunSpec, RunOutcome>(FunctionNames.RunOrchestrator, RunOrchestrator.RunAsync);
        engine.AddOrchestrator<WorkerGroup, IReadOnlyList<WorkerOutcome>>(FunctionNames.GroupOrchestrator, GroupOrchestrator.RunAsync!);
        engine.AddOrchestrator<LegInput, WorkerOutcome>(FunctionNames.WorkerOrchestrator, RunWorkerAsync);
        engine.AddActivity<RunSpec, Admission>(FunctionNames.AdmitRun, _ => Task.FromResult(Admit(engine.Clock)));
        engine.AddActivity<RunSpec, Preparation>(FunctionNames.PrepareContainer, PrepareContainerAsync);
        engine.AddActivity<LegInput, LegOutput>(FunctionNames.RunLeg, RunLegAsync);
        engine.AddActivity<ThroughputChange, ThroughputChangeResult>(
            FunctionNames.ChangeThroughput, change => ChangeThroughputAsync(change, engine.Clock));
        engine.AddActivity<PreparedContainer, Verification>(FunctionNames.VerifyContainer, VerifyAsync);
        engine.AddActivity<RunEnding, RunOutcome>(FunctionNames.SaveReport, SaveReportAsync);
        engine.AddActivity<PreparedContainer, bool>(FunctionNames.CleanUp, CleanUpAsync);
        engine.AddActivity<RunEnded, bool>(FunctionNames.EndRun, EndRunAsync);
        return engine;
    }

    /// <summary>Admits the run at once. Runs on this machine have already waited for each other.</summary>
    private Admission Admit(AnchoredClock clock)
    {
        _begunAt = clock.UtcNow;
        return new Admission(AdmissionState.Admitted);
    }

    /// <summary>Prepares the container, and then notes when the program began or resumed the run.</summary>
    private async Task<Preparation> PrepareContainerAsync(RunSpec spec)
    {
        if (await _files.ReadEndingAsync(CancellationToken.None) is { } ending)
            return new Preparation { Ending = ending };

        using var giveUp = new CancellationTokenSource();
        var preparing = containers.PrepareAsync(spec, places.Store, giveUp.Token);
        if (await Task.WhenAny(preparing, _account.Gone, stop.LegsOverdue) == preparing)
        {
            var preparation = await preparing;
            if (preparation.Container is not null)
                await _files.NoteBegunAsync(_begunAt, CancellationToken.None);
            tally.SetBudget(preparation.Container?.BudgetPerSecond);
            return preparation;
        }

        await AbandonAsync(preparing, giveUp);
        return _account.Gone.IsCompleted ? new Preparation { Rejections = [await _account.Gone] } : new Preparation { Stopped = true };
    }

    /// <summary>Runs a worker's orchestration. Its process ends with it, which frees the memory.</summary>
    private async Task<WorkerOutcome?> RunWorkerAsync(IOrchestrationContext context, LegInput worker)
    {
        tally.BeginWorker(worker.Assignment.Worker);
        if (await WorkerOrchestrator.RunAsync(context, worker) is not { } outcome)
            return null;
        tally.EndWorker(outcome);
        await pool.EndAsync(outcome.Worker);
        return outcome;
    }

    /// <summary>Runs a leg on its worker's process, unless it has a result or is not to begin.</summary>
    /// <exception cref="LegLostException">The leg left no result.</exception>
    public async Task<LegOutput> RunLegAsync(LegInput leg)
    {
        int? attempt = null;
        try
        {
            var (kept, lost) = await _files.ReadOrDiscardEarlierOutputAsync(leg, stop.IsRequested, CancellationToken.None);
            if (lost is not null)
            {
                _logger.LegLost(lost);
                tally.LoseLeg(leg.Assignment.Worker, leg.Leg, lost);
            }

            if (kept is not null)
            {
                tally.Restore(kept);
                return kept;
            }

            if (_account.Gone.IsCompleted)
                return await AccountGoneAsync(leg);
            if (stop.IsRequested)
                return Nothing(leg, LegEnd.Stopped);

            attempt = await ClaimAttemptAsync(leg);
            // The tally has counted the lost attempts, so the worker need not report them again.
            var output = await pool.RunLegAsync(leg with { Attempt = attempt, LastLost = null });
            tally.EndLeg(output);
            return _account.Gone.IsCompleted && output.End != LegEnd.SliceDone
                ? output with { End = LegEnd.Rejected, Reason = await _account.Gone }
                : output;
        }
        catch (Exception lost) when (lost is not OperationCanceledException)
        {
            var errorType = lost is OrchestrationTaskException failed ? failed.ErrorType : lost.GetType().FullName!;
            var repeated = !_account.Gone.IsCompleted && !stop.IsRequested
                && !OrchestrationTaskException.IsDeterministic(errorType, leg.LostInARow);
            var cause = attempt is null && lost.InnerException is { } inner ? inner : lost;
            var reason = cause is LegLostException or IOException or EvidenceException or OrchestrationTaskException
                ? cause.Message
                : $"{cause.GetType().Name}: {cause.Message}";
            tally.LoseLeg(leg.Assignment.Worker, leg.Leg, reason, repeated, begun: attempt is not null);
            if (_account.Gone.IsCompleted)
                return await AccountGoneAsync(leg);
            if (stop.IsRequested)
                return Nothing(leg, LegEnd.Stopped);
            throw;
        }
    }

    /// <summary>
    /// Claims the attempt before a process gets the leg. Then the leg counts as lost even if the process ends before it does anything.
    /// </summary>
    private async Task<int> ClaimAttemptAsync(LegInput leg)
    {
        try
        {
            return await _files.ClaimAttemptAsync(leg.Assignment.Worker, leg.Leg, MachineProbe.InstanceId, CancellationToken.None);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new LegLostException($"the leg could not begin: {e.Message}", e);
        }
    }

    private async Task<ThroughputChangeResult> ChangeThroughputAsync(ThroughputChange change, AnchoredClock clock)
    {
        if (stop.IsRequested || _account.Gone.IsCompleted)
            return new ThroughputChangeResult();
        var result = await ThroughputChanges.ApplyAsync(
            _files, containers, change, () => clock.UtcNow, onOneMachine: true, CancellationToken.None);
        if (result.At is not null)
            tally.SetBudget(change.Throughput);
        return result;
    }

    private async Task<Verification> VerifyAsync(PreparedContainer container)
    {
        if (_account.Gone.IsCompleted)
            return new Verification(Verified: null, await _account.Gone);

        using var giveUp = new CancellationTokenSource();
        var counting = containers.VerifyAsync(container, giveUp.Token);
        if (await Task.WhenAny(counting, _account.Gone, stop.CountOverdue) == counting)
            return await counting;

        await AbandonAsync(counting, giveUp);
        return new Verification(
            Verified: null,
            _account.Gone.IsCompleted ? await _account.Gone : "the run was stopped, and counting took too long to wait for");
    }

    /// <summary>
    /// Saves the report. The account's delays are read while the account still runs, and are stored with the ending of the run.
    /// </summary>
    private async Task<RunOutcome> SaveReportAsync(RunEnding ending)
    {
        (var outcome, Report) = await ReportSaver.SaveAsync(
            places.Store, ending, CancellationToken.None, Prices, places.Ledger.ReadDelaysAsync,
            accountEnds: _account.Connection.Simulated);
        return outcome;
    }

    /// <summary>
    /// Deletes the run's container. The container of a simulated account is not deleted, because the account's ledger is read later and the
    /// account ends with the run.
    /// </summary>
    public async Task<bool> CleanUpAsync(PreparedContainer container)
    {
        if (_account.Connection.Simulated || await _files.IsContainerGoneAsync(CancellationToken.None))
            return true;
        await containers.CleanUpAsync(container, CancellationToken.None);
        await _files.MarkContainerGoneAsync(CancellationToken.None);
        return true;
    }

    /// <summary>
    /// Keeps the ledger of the run's own simulated account, ends that account, and notes that the run has ended. The end is not noted while
    /// a container of the run may be left in another account, because only a resumed run deletes it.
    /// </summary>
    public async Task<bool> EndRunAsync(RunEnded ended)
    {
        if (_account.Connection.Simulated)
        {
            if (await _files.HasAsync(RunFiles.PreparedName, CancellationToken.None))
            {
                await places.Ledger.SaveAsync();
                if (places.Ledger.WhyMissing is { } reason)
                    ended = ended with { Outcome = WithReason(ended.Outcome, $"The report is compared with no ledger: {reason}.") };
            }

            await _account.EndAsync();
        }
        else if (await IsContainerLeftAsync(ended))
        {
            return false;
        }

        await _files.WriteEndedAsync(ended, CancellationToken.None);
        return true;
    }

    private static RunOutcome WithReason(RunOutcome outcome, string reason) => outcome with { Reasons = [.. outcome.Reasons, reason] };

    /// <summary>Waits. The wait ends early if the run is stopped or its account is gone.</summary>
    public Task DelayAsync(TimeSpan delay) => Task.WhenAny(Task.Delay(delay), stop.Requested, _account.Gone);

    /// <summary>
    /// Whether a container of the run is left. One that was prepared should have been deleted before. One that was not prepared may still
    /// have been created.
    /// </summary>
    private async Task<bool> IsContainerLeftAsync(RunEnded ended)
    {
        var left = await LeftContainers.LeftOfAsync(new RunListing(_files.RunId, Name: null, ended.At), _files, CancellationToken.None);
        if (left is null or { Prepared: not null })
            return left is not null;
        try
        {
            return !await LeftContainerRemoval.RemoveAsync(containers, places.Store, left, CancellationToken.None);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e))
        {
            // The container may be there, so it counts as left.
            return true;
        }
    }

    private void ShowStatus(RunStatus status)
    {
        // Nothing is deleted in a simulated account.
        if (status.Phase is { } phase && (phase != RunPhase.CleaningUp || !_account.Connection.Simulated))
            tally.SetPhase(phase);
    }

    private async Task<LegOutput> AccountGoneAsync(LegInput leg) => Nothing(leg, LegEnd.Rejected) with { Reason = await _account.Gone };

    private static LegOutput Nothing(LegInput leg, LegEnd end) => new()
    {
        Worker = leg.Assignment.Worker,
        Leg = leg.Leg,
        End = end,
        Next = leg.Next,
    };

    /// <summary>Cancels work whose result is no longer needed, and waits up to 200 ms for it to end.</summary>
    private static async Task AbandonAsync(Task work, CancellationTokenSource cancellation)
    {
        await cancellation.CancelAsync();
        await Task.WhenAny(work, Task.Delay(TimeSpan.FromMilliseconds(200), CancellationToken.None));
        _ = work.ContinueWith(task => _ = task.Exception, TaskScheduler.Default);
    }
}
