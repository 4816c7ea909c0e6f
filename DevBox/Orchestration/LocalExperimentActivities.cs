namespace ScaleOut.DevBox.Orchestration;

/// <summary>
/// The activities of an experiment on one machine: each run has its worker processes and, unless it goes to another account, a simulated
/// account of its own.
/// </summary>
/// <param name="runsFolder">Holds the folders of the experiment and of its runs.</param>
/// <param name="spec">The claimed spec, with its id.</param>
/// <param name="stop">Says whether the experiment is to stop. Receives the run that is under way.</param>
/// <param name="display">Shows the runs.</param>
internal sealed class LocalExperimentActivities(
    string runsFolder, ExperimentSpec spec, AccountConnection? account, ExperimentStop stop, IExperimentDisplay display,
    TableAccount? tables = null)
{
    private static readonly TimeSpan StopPoll = TimeSpan.FromSeconds(0.2);

    private readonly FolderRunStore _store = new(runsFolder);
    private readonly IRunPlanner _planner = RunPlanner.From(spec);
    private Task _statusWrites = Task.CompletedTask;

    /// <summary>A run of an experiment as it is claimed on this machine; null if it cannot be measured here.</summary>
    /// <param name="simulated">Whether each run has a simulated account of its own.</param>
    public static PlannedRun? AsClaimed(PlannedRun run, bool simulated, TableAccount? tables) =>
        WhyNotTestableHere(run, tables) is null ? run with { Spec = ClaimedSpecOf(run.Spec, simulated) } : null;

    public async Task<ExperimentOutcome> RunAsync(ILogger logger)
    {
        var engine = new LocalEngine(logger) { DelayAsync = DelayAsync, OnStatus = status => ShowStatus((ExperimentStatus)status) };
        engine.AddOrchestrator<ExperimentTurn, ExperimentOutcome>(
            ExperimentFunctionNames.ExperimentOrchestrator,
            (context, turn) => ExperimentOrchestrator.RunAsync(context, turn, _planner));
        engine.AddOrchestrator<RunSpec, RunOutcome>(FunctionNames.RunOrchestrator, async (_, run) => await RunAsync(run));
        engine.AddActivity<ExperimentSpec, IReadOnlyDictionary<int, string>>(
            ExperimentFunctionNames.CheckVariants, _ => Task.FromResult<IReadOnlyDictionary<int, string>>(CheckVariants()));
        // Another program on this machine, such as a server, sets the flag in the run store.
        var files = new ExperimentFiles(_store, spec.Id!);
        await files.WithdrawStopAsync(CancellationToken.None);
        engine.AddActivity<string, bool>(
            ExperimentFunctionNames.IsExperimentStopRequested,
            async _ => stop.IsRequested || await files.IsStopRequestedAsync(CancellationToken.None));
        engine.AddActivity<ExperimentRunRequest, ExperimentRunClaim>(
            ExperimentFunctionNames.ClaimExperimentRun, request => ClaimAsync(request.Spec, request.Question));
        engine.AddActivity<RateQuestion, MeasuredRun>(
            ExperimentFunctionNames.JudgeRate, question => ExperimentSteps.JudgeRateAsync(_store, question, CancellationToken.None));
        engine.AddActivity<ExperimentEnding, ExperimentOutcome>(
            ExperimentFunctionNames.SaveExperimentReport, ending =>
                ExperimentSteps.SaveReportAsync(_store, ending, CancellationToken.None));
        var outcome = await engine.RunAsync<ExperimentOutcome>(
            ExperimentFunctionNames.ExperimentOrchestrator, new ExperimentTurn(spec), ExperimentIds.InstanceId(spec.Id!));
        await _statusWrites;
        return outcome;
    }

    /// <summary>
    /// Claims a run, unless it was measured before. Discards the items of an interrupted run, because its measurement does not count.
    /// </summary>
    public async Task<ExperimentRunClaim> ClaimAsync(RunSpec run, RateQuestion? question = null)
    {
        await _statusWrites;
        var claimed = ClaimedSpecOf(run, simulated: account is null);
        var folder = new RunFolder(runsFolder, run.Id!);
        var files = new RunFiles(_store, folder.RunId);
        // This check comes before the lock, because another run that is under way may hold the lock.
        if (await IsOfAnotherAsync(files, claimed))
            return ExperimentRunClaim.OfAnother(folder.RunId);
        using var runLock = RunLock.TryCreate(folder);
        if (runLock is null)
            return new ExperimentRunClaim { NotClaimed = $"The run '{folder.RunId}' is being run by another process on this machine." };
        if (await IsOfAnotherAsync(files, claimed))
            return ExperimentRunClaim.OfAnother(folder.RunId);
        if (await files.ReadSpecAsync(CancellationToken.None) is not null)
        {
            try
            {
                if (await RemainingWorkReader.ReadAsync(files, CancellationToken.None) == RemainingWork.Conclusion)
                {
                    display.Note($"the report of {folder.RunId} is made again from what the run kept");
                    await ConcludeAsync(claimed, folder);
                }

                if (await ReadMeasuredAsync(files) is { } measured)
                {
                    if (question is null || LimitCondition.From(question.Limit).Judge(question.Run, measured).Held is not null)
                    {
                        display.Found(_planner.PlaceOf(run), measured);
                        return new ExperimentRunClaim { Measured = ReportSaver.OutcomeOf(measured) };
                    }

                    display.Note($"{folder.RunId} did not count, and is measured again");
                }
            }
            catch (EvidenceException e) when (e.Problem is EvidenceProblem.Damaged or EvidenceProblem.Contradiction)
            {
                display.Note($"{e.Item} cannot be used: {e.Reason}. The run is measured again.");
            }

            await RunLeftovers.DiscardAsync(folder, files, AccountOf(claimed));
        }

        if (!await files.TryClaimAsync(claimed, CancellationToken.None))
            return ExperimentRunClaim.OfAnother(folder.RunId);
        await files.CreateStartedByIfAbsentAsync(ExperimentIds.StartOf(spec.Id!), CancellationToken.None);
        await files.CreateListingIfAbsentAsync(
            new RunListing(folder.RunId, claimed.Name, TimeProvider.System.GetUtcNow()) { Experiment = spec.Id }, CancellationToken.None);
        return new ExperimentRunClaim { Spec = claimed };
    }

    private static string? WhyNotTestableHere(PlannedRun run, TableAccount? tables) =>
        MachineChecks.WhyNotTestable(run.Spec) ?? TableAccount.WhyNotTestable(run.Spec, tables);

    private AccountConnection? AccountOf(RunSpec run) => RunAccounts.ConnectionOf(run, account, tables);

    private static RunSpec ClaimedSpecOf(RunSpec run, bool simulated) =>
        simulated && !run.Workload.Kind.UsesTables() ? run with { Simulation = run.Simulation ?? new SimulationSpec() } : run;

    /// <summary>Whether the run's id was claimed for another run.</summary>
    private static async Task<bool> IsOfAnotherAsync(RunFiles files, RunSpec claimed) =>
        await files.ReadSpecAsync(CancellationToken.None) is { } known && !ClaimedRun.IsSame(known, claimed);

    private Dictionary<int, string> CheckVariants() => (_planner.All ?? [])
        .Where(run => run.Repeat == 1)
        .Select(run => (run.Variant, Reason: WhyNotTestableHere(run, tables)))
        .Where(one => one.Reason is not null)
        .ToDictionary(one => one.Variant, one => one.Reason!);

    private async Task<RunOutcome> RunAsync(RunSpec claimed)
    {
        var folder = new RunFolder(runsFolder, claimed.Id!);
        using var runLock = RunLock.TryTake(folder) ?? throw new InputException($"run '{folder.RunId}' is being run by another process.");
        var run = _planner.PlaceOf(claimed);
        var result = await MeasureAsync(run, claimed, folder);
        display.Ended(run, result);
        return result.Outcome;
    }

    private async Task DelayAsync(TimeSpan delay)
    {
        var end = TimeProvider.System.GetTimestamp() + (long)(delay.TotalSeconds * TimeProvider.System.TimestampFrequency);
        while (!stop.IsRequested && TimeProvider.System.GetTimestamp() < end)
            await Task.Delay(delay < StopPoll ? delay : StopPoll, CancellationToken.None);
    }

    private void ShowStatus(ExperimentStatus status)
    {
        display.Show(status);
        if (_statusWrites.Exception?.InnerException is { } error)
            ExceptionDispatchInfo.Throw(error);
        _statusWrites = WriteAfterAsync(_statusWrites, status);
    }

    /// <summary>Writes a status after the earlier ones. The next activity that waits for the writes throws their error.</summary>
    private async Task WriteAfterAsync(Task earlier, ExperimentStatus status)
    {
        await earlier;
        await new ExperimentFiles(_store, spec.Id!).WriteStatusAsync(status, CancellationToken.None);
    }

    private async Task<RunResult> MeasureAsync(PlannedRun run, RunSpec claimed, RunFolder folder)
    {
        var opened = AccountOf(claimed) is { } given
            ? await RunAccounts.UseAsync(folder, given, stop.GiveUp)
            : await RunAccounts.StartAsync(folder, claimed, stop.GiveUp);
        await using var session = new RunSession(claimed, folder, opened);
        stop.Watch(session);
        try
        {
            return await display.ShowWhileAsync(run, session.Tally, session.RunAsync());
        }
        finally
        {
            stop.Watch(null);
        }
    }

    /// <summary>Finishes a run whose program was killed after its documents were done.</summary>
    private async Task ConcludeAsync(RunSpec claimed, RunFolder folder)
    {
        DurableFile.DeleteTemporaryFiles(folder.FullPath);
        var opened = AccountOf(claimed) is { } given
            ? await RunAccounts.UseAsync(folder, given, stop.GiveUp)
            : await RunAccounts.FindAsync(folder, key: null, stop.GiveUp, mayBeGone: true);
        if (opened is null)
            return;
        await using var session = new RunSession(claimed, folder, opened);
        await session.RunAsync();
    }

    /// <summary>The report of a measured run; null if the run has no report or was not measured.</summary>
    private static async Task<RunReport?> ReadMeasuredAsync(RunFiles files) =>
        await RemainingWorkReader.ReadAsync(files, CancellationToken.None) == RemainingWork.None
            && await files.ReadReportAsync(JobFiles.ReportName, CancellationToken.None) is { } json
            && RunForms.Kind.Read(json, files.RunId) is var report
            && UnmeasuredRuns.IsMeasured(report.State)
            ? report
            : null;
}
