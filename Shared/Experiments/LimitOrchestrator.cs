namespace ScaleOut.Experiments;

/// <summary>
/// A search for the highest rate that a spec holds: run after run, each chosen by what those before it said (<see cref="LimitSearch"/>),
/// and then the report. Whoever resumes it comes to the same runs, which are measured already, and goes on from there.
/// </summary>
internal static class LimitOrchestrator
{
    /// <summary>Searches to the end.</summary>
    /// <param name="spec">A valid spec of a search, with its id.</param>
    public static async Task<ExperimentOutcome> RunAsync(IOrchestrationContext context, ExperimentSpec spec)
    {
        var limit = spec.Limit ?? throw new ArgumentException("The experiment looks for no limit.", nameof(spec));
        var startedAt = ExperimentOrchestrator.Now(context);
        var measurements = new List<LimitMeasurement>();
        var decision = LimitSearch.Next(limit, measurements);
        while (decision.End is null)
        {
            var between = StatusOf(ExperimentPhase.Running, decision, measurements);
            if (await ExperimentOrchestrator.PauseAsync(context, spec, isFirst: measurements.Count == 0, between))
            {
                decision = decision with { End = LimitEnd.Stopped };
                break;
            }

            var run = LimitRuns.From(spec, decision.Rate, decision.Repeat);
            context.SetCustomStatus(StatusOf(ExperimentPhase.Running, decision, measurements, run));
            measurements.Add(await MeasureAsync(context, spec, run, decision.Rate));
            var next = LimitSearch.Next(limit, measurements);
            // A run that was stopped with the search is no measurement.
            var stopped = measurements[^1].Held is null && await ExperimentOrchestrator.IsStopRequestedAsync(context, spec);
            decision = stopped ? next with { End = LimitEnd.Stopped } : next;
        }

        context.SetCustomStatus(StatusOf(ExperimentPhase.Reporting, decision, measurements));
        var ending = new LimitEnding
        {
            Spec = spec,
            StartedAt = startedAt,
            FinishedAt = ExperimentOrchestrator.Now(context),
            Measurements = measurements,
            End = decision.End!.Value,
            Bracket = decision.Bracket,
        };
        var outcome = await context.CallActivityAsync<ExperimentOutcome>(
            ExperimentFunctionNames.SaveLimitReport, ending, ActivityOptions.WhileConcluding);
        context.SetCustomStatus(StatusOf(ExperimentPhase.Ended, decision, measurements) with { Outcome = outcome });
        return outcome;
    }

    private static async Task<LimitMeasurement> MeasureAsync(
        IOrchestrationContext context, ExperimentSpec spec, ExperimentRun run, double rate)
    {
        LimitMeasurement Nothing(string? reason) => new()
        {
            Rate = rate, Repeat = run.Repeat, RunId = run.Spec.Id!, Reason = ExperimentOrchestrator.Shorten(reason) ?? "It failed.",
        };

        var end = await ExperimentOrchestrator.RunOneAsync(context, spec, run);
        if (end.IdInUse || end.State is not (RunState.Complete or RunState.Incomplete))
            return Nothing(end.Reason ?? $"It was {end.State}.");
        try
        {
            return await context.CallActivityAsync<LimitMeasurement>(
                ExperimentFunctionNames.MeasureLimit, new LimitRunRequest(spec.Limit!, rate, run.Repeat, run.Spec.Id!),
                ActivityOptions.WhileConcluding);
        }
        catch (OrchestrationTaskException e)
        {
            return Nothing(e.Message);
        }
    }

    private static ExperimentStatus StatusOf(
        ExperimentPhase phase, LimitDecision decision, List<LimitMeasurement> measurements, ExperimentRun? current = null) => new()
    {
        Phase = phase,
        Runs = measurements.Count + (current is null ? 0 : 1),
        Ended = measurements.Count,
        NotComplete = measurements.Count(measurement => measurement.Held is null),
        RunId = current?.Spec.Id,
        Variant = current?.VariantName,
        Repeat = current?.Repeat,
        Bracket = decision.Bracket with
        {
            Low = IfMeasured(decision.Bracket.Low, measurements), High = IfMeasured(decision.Bracket.High, measurements),
        },
        Measured = measurements.Count == 0 ? null : measurements[^1],
    };

    /// <summary>The ends of what may be tried are no rates of which anything is shown until they are measured.</summary>
    private static double? IfMeasured(double? rate, List<LimitMeasurement> measurements) =>
        measurements.Any(measurement => measurement.Rate == rate && measurement.Held is not null) ? rate : null;
}

/// <summary>A run whose report says whether a rate held.</summary>
/// <param name="Rate">Rate that was asked for, documents per second over all workers.</param>
/// <param name="Repeat">From 1.</param>
/// <param name="RunId">The run's id.</param>
public sealed record LimitRunRequest(LimitSpec Limit, double Rate, int Repeat, string RunId);

/// <summary>
/// What the orchestration knows when a search has ended; with the runs' reports in the run store it makes the search's report.
/// </summary>
public sealed record LimitEnding
{
    /// <summary>The experiment's spec, with its id.</summary>
    public required ExperimentSpec Spec { get; init; }

    /// <summary>On the engine's clock; of a resumed search, when it was resumed.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>In the order in which they were made.</summary>
    public IReadOnlyList<LimitMeasurement> Measurements { get; init; } = [];

    public required LimitEnd End { get; init; }

    /// <summary>Where the limit lies.</summary>
    public required LimitBracket Bracket { get; init; }
}
