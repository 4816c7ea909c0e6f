namespace ScaleOut.Experiments;

/// <summary>
/// Runs an experiment from its first run to its report, one run after the other, in the order of its planner. A run that fails is listed
/// with its reason and does not end the experiment. After each run the orchestration continues as new, so that its history holds one run.
/// </summary>
public static class ExperimentOrchestrator
{
    /// <summary>Runs a claimed spec to its end. Returns null only when it continues as new.</summary>
    /// <param name="planner">Plans the runs of the spec.</param>
    public static async Task<ExperimentOutcome?> RunAsync(IOrchestrationContext context, ExperimentTurn turn, IRunPlanner planner)
    {
        var spec = turn.Spec;
        var startedAt = turn.StartedAt ?? Now(context);
        var measured = turn.Measured.ToList();
        var stopped = false;
        // The status of the turn before names its run, and not every engine keeps it.
        if (measured.Count > 0)
            context.SetCustomStatus(StatusOf(ExperimentPhase.Running, planner, measured));
        var notTestable = turn.NotTestable ?? await context.CallActivityAsync<IReadOnlyDictionary<int, string>>(
            ExperimentFunctionNames.CheckVariants, spec, ActivityOptions.WhilePreparing);
        planner = planner.Without([.. notTestable.Keys]);
        while (planner.Next(measured) is { } run)
        {
            if (notTestable.TryGetValue(run.Variant, out var reason))
            {
                measured.Add(run.End(state: null, reason));
                continue;
            }

            stopped = await PauseAsync(context, spec, planner, measured);
            if (stopped)
                break;

            context.SetCustomStatus(StatusOf(ExperimentPhase.Running, planner, measured, run));
            measured.Add(await MeasureAsync(context, spec, run));
            if (planner.Next(measured) is not null && OrchestrationVersions.IsAtLeast(context.Version, "1.2"))
            {
                context.ContinueAsNew(turn with { StartedAt = startedAt, NotTestable = notTestable, Measured = measured });
                return null;
            }
        }

        // A stop reaches the run in progress too. Then that run is the last one, and it is not a measurement.
        stopped |= measured is [.., { State: RunState.Stopped }] && await IsStopRequestedAsync(context, spec);
        context.SetCustomStatus(StatusOf(ExperimentPhase.Reporting, planner, measured));
        var ending = new ExperimentEnding
        {
            Spec = spec, StartedAt = startedAt, FinishedAt = Now(context), Runs = measured, Stopped = stopped,
        };
        var outcome = await context.CallActivityAsync<ExperimentOutcome>(
            ExperimentFunctionNames.SaveExperimentReport, ending, ActivityOptions.WhileConcluding);
        context.SetCustomStatus(StatusOf(ExperimentPhase.Ended, planner, measured) with { Outcome = outcome });
        return outcome;
    }

    /// <summary>Pauses before each run except the first. Returns whether the experiment is to stop.</summary>
    private static async Task<bool> PauseAsync(
        IOrchestrationContext context, ExperimentSpec spec, IRunPlanner planner, List<MeasuredRun> measured)
    {
        if (await IsStopRequestedAsync(context, spec))
            return true;
        if (measured.All(run => run.State is null) || spec.Pause <= TimeSpan.Zero)
            return false;
        // The status names no run during the pause, so that a stop reaches the experiment and not the previous run.
        context.SetCustomStatus(StatusOf(ExperimentPhase.Running, planner, measured));
        await context.CreateTimer(spec.Pause);
        return await IsStopRequestedAsync(context, spec);
    }

    private static Task<bool> IsStopRequestedAsync(IOrchestrationContext context, ExperimentSpec spec) =>
        context.CallActivityAsync<bool>(ExperimentFunctionNames.IsExperimentStopRequested, spec.Id, ActivityOptions.WhileConcluding);

    /// <summary>Runs a planned run, unless it is measured already. In a search, then asks whether the rate held.</summary>
    private static async Task<MeasuredRun> MeasureAsync(IOrchestrationContext context, ExperimentSpec spec, PlannedRun run)
    {
        try
        {
            var end = await RunOneAsync(context, spec, run);
            if (run.Rate is null)
                return end;
            if (end.IdInUse || end.State is not (RunState.Complete or RunState.Incomplete))
                return end with { Reason = end.Reason ?? $"It was {end.State}." };
            return await context.CallActivityAsync<MeasuredRun>(
                ExperimentFunctionNames.JudgeRate, new RateQuestion(spec.Limit!, end), ActivityOptions.WhileConcluding);
        }
        catch (OrchestrationTaskException e)
        {
            return run.End(RunState.Failed, e.Message);
        }
    }

    private static async Task<MeasuredRun> RunOneAsync(IOrchestrationContext context, ExperimentSpec spec, PlannedRun run)
    {
        var request = new ExperimentRunRequest(run.Spec, spec.Id!, ExperimentIds.AttemptIn(context.InstanceId))
        {
            Question = run.Rate is null ? null : new RateQuestion(spec.Limit!, run.End(RunState.Complete, reason: null)),
        };
        var claim = await context.CallActivityAsync<ExperimentRunClaim>(
            ExperimentFunctionNames.ClaimExperimentRun, request, ActivityOptions.WhilePreparing);
        if (claim.NotClaimed is { } reason)
            return run.End(RunState.Failed, reason) with { IdInUse = claim.IdInUse };
        var outcome = claim.Measured
            ?? await context.CallSubOrchestratorAsync<RunOutcome>(
                FunctionNames.RunOrchestrator, claim.Spec ?? run.Spec, claim.InstanceId ?? run.Spec.Id!);
        return run.End(outcome.State, outcome is { State: not RunState.Complete, Reasons: [var first, ..] } ? first : null);
    }

    private static DateTimeOffset Now(IOrchestrationContext context) =>
        new(DateTime.SpecifyKind(context.CurrentUtcDateTime, DateTimeKind.Utc));

    private static bool IsNotComplete(MeasuredRun run) => run.State is not (null or RunState.Complete);

    private static ExperimentStatus StatusOf(
        ExperimentPhase phase, IRunPlanner planner, List<MeasuredRun> measured, PlannedRun? current = null) => new()
        {
            Phase = phase,
            Runs = planner.All?.Count ?? measured.Count + (current is null ? 0 : 1),
            Ended = measured.Count,
            NotComplete = measured.Count(run => run.Rate is null ? IsNotComplete(run) : run.Held is null),
            LastNotComplete = planner.All is { } all && measured.FindLast(IsNotComplete) is { } last
            ? $"{all.First(planned => planned.Variant == last.Variant).VariantName}, repeat {last.Repeat} "
                + $"({last.State.ToString()!.ToLowerInvariant()}){(last.Reason is null ? "" : $": {last.Reason}")}"
            : null,
            RunId = current?.Spec.Id,
            Variant = current?.VariantName,
            Repeat = current?.Repeat,
            Bracket = planner.BracketOf(measured),
            Measured = planner.All is null ? measured.LastOrDefault() : null,
        };
}

/// <summary>
/// Input of an experiment's orchestration, at its start and after each run. Before version 1.2 of the orchestrations, the input is the
/// spec.
/// </summary>
/// <param name="Spec">A valid spec with its id.</param>
public sealed record ExperimentTurn(ExperimentSpec Spec)
{
    /// <summary>When the orchestration began; null in its first turn.</summary>
    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>Reasons by the index of their variant, for the variants that cannot be measured here; null in the first turn.</summary>
    public IReadOnlyDictionary<int, string>? NotTestable { get; init; }

    /// <summary>The runs so far, in the planner's order. Their specs follow from the planner.</summary>
    public IReadOnlyList<MeasuredRun> Measured { get; init; } = [];
}

/// <summary>Asks whether a run of a search held its rate.</summary>
/// <param name="Run">A run that has ended and has a rate.</param>
public sealed record RateQuestion(LimitSpec Limit, MeasuredRun Run);

/// <summary>
/// Names of the orchestrator and the activities of experiments. A durable engine stores them in its histories, so a deployed name must
/// never be given to something else.
/// </summary>
public static class ExperimentFunctionNames
{
    public const string ExperimentOrchestrator = "ExperimentOrchestrator";

    /// <summary>
    /// Input: the experiment's spec. Result: reasons by the index of their variant, for the variants that cannot be measured here.
    /// </summary>
    public const string CheckVariants = "CheckVariants";

    /// <summary>Input: the experiment's id. Result: whether it was asked to stop.</summary>
    public const string IsExperimentStopRequested = "IsExperimentStopRequested";

    /// <summary>Input: <see cref="ExperimentRunRequest"/>. Result: <see cref="ExperimentRunClaim"/>.</summary>
    public const string ClaimExperimentRun = "ClaimExperimentRun";

    /// <summary>Input: <see cref="ExperimentEnding"/>. Result: <see cref="ExperimentOutcome"/>.</summary>
    public const string SaveExperimentReport = "SaveExperimentReport";

    /// <summary>Input: <see cref="RateQuestion"/>. Result: <see cref="MeasuredRun"/>.</summary>
    public const string JudgeRate = "JudgeRate";
}
