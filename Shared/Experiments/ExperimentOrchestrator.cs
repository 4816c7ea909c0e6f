namespace ScaleOut.Experiments;

/// <summary>
/// An experiment from its first run to its report, one run after the other. A run that fails is listed with its reason and does not end the
/// experiment.
/// </summary>
public static class ExperimentOrchestrator
{
    /// <summary>Runs a claimed spec to its end.</summary>
    /// <param name="spec">A valid spec with its id.</param>
    public static async Task<ExperimentOutcome> RunAsync(IOrchestrationContext context, ExperimentSpec spec)
    {
        if (spec.Limit is not null)
            return await LimitOrchestrator.RunAsync(context, spec);

        var startedAt = Now(context);
        var runs = ExperimentRuns.From(spec);
        var ends = new List<ExperimentRunEnd>();
        var stopped = false;
        var notTestable = await context.CallActivityAsync<IReadOnlyDictionary<int, string>>(
            ExperimentFunctionNames.CheckVariants, spec, ActivityOptions.WhilePreparing);
        foreach (var run in runs)
        {
            if (notTestable.TryGetValue(run.Variant, out var reason))
            {
                ends.Add(End(run, state: null, reason));
                continue;
            }

            stopped = await PauseAsync(
                context, spec, isFirst: ends.All(end => end.State is null), StatusOf(ExperimentPhase.Running, runs, ends));
            if (stopped)
                break;

            context.SetCustomStatus(StatusOf(ExperimentPhase.Running, runs, ends, run));
            ends.Add(await RunOneAsync(context, spec, run));
        }

        // A run that was stopped with the experiment is no measurement.
        stopped |= ends is [.., { State: RunState.Stopped }] && await IsStopRequestedAsync(context, spec);
        context.SetCustomStatus(StatusOf(ExperimentPhase.Reporting, runs, ends));
        var ending = new ExperimentEnding { Spec = spec, StartedAt = startedAt, FinishedAt = Now(context), Runs = ends, Stopped = stopped };
        var outcome = await context.CallActivityAsync<ExperimentOutcome>(
            ExperimentFunctionNames.SaveExperimentReport, ending, ActivityOptions.WhileConcluding);
        context.SetCustomStatus(StatusOf(ExperimentPhase.Ended, runs, ends) with { Outcome = outcome });
        return outcome;
    }

    /// <summary>Pauses before a run, unless it is the first; gives back whether the experiment is to stop.</summary>
    internal static async Task<bool> PauseAsync(
        IOrchestrationContext context, ExperimentSpec spec, bool isFirst, ExperimentStatus between)
    {
        if (await IsStopRequestedAsync(context, spec))
            return true;
        if (isFirst || spec.Pause <= TimeSpan.Zero)
            return false;
        // No run is under way: a stop must reach the experiment, not the run before.
        context.SetCustomStatus(between);
        await context.CreateTimer(spec.Pause);
        return await IsStopRequestedAsync(context, spec);
    }

    internal static Task<bool> IsStopRequestedAsync(IOrchestrationContext context, ExperimentSpec spec) =>
        context.CallActivityAsync<bool>(ExperimentFunctionNames.IsExperimentStopRequested, spec.Id, ActivityOptions.WhileConcluding);

    /// <summary>Claims a run and runs it, unless it is measured already.</summary>
    internal static async Task<ExperimentRunEnd> RunOneAsync(IOrchestrationContext context, ExperimentSpec spec, ExperimentRun run)
    {
        try
        {
            var request = new ExperimentRunRequest(run.Spec, spec.Id!, ExperimentIds.AttemptIn(context.InstanceId));
            var claim = await context.CallActivityAsync<ExperimentRunClaim>(
                ExperimentFunctionNames.ClaimExperimentRun, request, ActivityOptions.WhilePreparing);
            if (claim.NotClaimed is { } reason)
                return End(run, RunState.Failed, reason) with { IdInUse = claim.IdInUse };
            var outcome = claim.Measured
                ?? await context.CallSubOrchestratorAsync<RunOutcome>(
                    FunctionNames.RunOrchestrator, claim.Spec ?? run.Spec, claim.InstanceId ?? run.Spec.Id!);
            return End(run, outcome.State, outcome is { State: not RunState.Complete, Reasons: [var first, ..] } ? first : null);
        }
        catch (OrchestrationTaskException e)
        {
            return End(run, RunState.Failed, e.Message);
        }
    }

    /// <summary>A reason on one line, at most <see cref="ExperimentRunEnd.MaxReasonLength"/> characters.</summary>
    internal static string? Shorten(string? reason)
    {
        var text = LegOutput.Shorten(reason);
        return text?.Length > ExperimentRunEnd.MaxReasonLength ? text[..ExperimentRunEnd.MaxReasonLength] : text;
    }

    internal static DateTimeOffset Now(IOrchestrationContext context) =>
        new(DateTime.SpecifyKind(context.CurrentUtcDateTime, DateTimeKind.Utc));

    private static ExperimentRunEnd End(ExperimentRun run, RunState? state, string? reason) => new()
    {
        Variant = run.Variant,
        Repeat = run.Repeat,
        RunId = run.Spec.Id!,
        State = state,
        Reason = Shorten(reason),
    };

    private static ExperimentStatus StatusOf(
        ExperimentPhase phase, IReadOnlyList<ExperimentRun> runs, List<ExperimentRunEnd> ends, ExperimentRun? current = null) => new()
    {
        Phase = phase,
        Runs = runs.Count,
        Ended = ends.Count,
        NotComplete = ends.Count(end => end.State is not (null or RunState.Complete)),
        RunId = current?.Spec.Id,
        Variant = current?.VariantName,
        Repeat = current?.Repeat,
    };
}
