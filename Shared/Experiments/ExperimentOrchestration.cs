using ScaleOut.Orchestration;

namespace ScaleOut.Experiments;

/// <summary>
/// An experiment from its first run to its report, one run after the other. Deterministic: it awaits nothing but the port's tasks and reads no clock but the port's.
/// A run that fails is told of and does not end the experiment.
/// </summary>
public static class ExperimentOrchestration
{
    /// <summary>Runs a claimed spec to its end.</summary>
    /// <param name="port">The engine.</param>
    /// <param name="spec">A valid spec with its id.</param>
    public static async Task<ExperimentOutcome> RunAsync(IExperimentPort port, ExperimentSpec spec)
    {
        ArgumentNullException.ThrowIfNull(port);
        ArgumentNullException.ThrowIfNull(spec);

        var startedAt = port.UtcNow;
        var runs = ExperimentRuns.Of(spec);
        var ends = new List<ExperimentRunEnd>();
        var stopped = false;
        foreach (var run in runs)
        {
            if (port.WhyNotTestable(run) is { } reason)
            {
                ends.Add(End(run, state: null, reason));
                continue;
            }

            stopped = await port.IsStopRequestedAsync();
            if (!stopped && spec.Pause > TimeSpan.Zero && ends.Any(end => end.State is not null))
            {
                // No run is on: a stop must reach the experiment, not the run before.
                port.PublishStatus(StatusOf(ExperimentPhase.Running, runs, ends));
                await port.DelayAsync(spec.Pause);
                stopped = await port.IsStopRequestedAsync();
            }

            if (stopped)
                break;

            port.PublishStatus(StatusOf(ExperimentPhase.Running, runs, ends, run));
            ends.Add(await RunOneAsync(port, run));
        }

        // A run that was stopped with the experiment is no measurement.
        stopped |= ends is [.., { State: RunState.Stopped }] && await port.IsStopRequestedAsync();
        port.PublishStatus(StatusOf(ExperimentPhase.Reporting, runs, ends));
        var outcome = await port.SaveReportAsync(new ExperimentEnding
        {
            Spec = spec,
            StartedAt = startedAt,
            FinishedAt = port.UtcNow,
            Runs = ends,
            Stopped = stopped,
        });
        port.PublishStatus(StatusOf(ExperimentPhase.Ended, runs, ends) with { Outcome = outcome });
        return outcome;
    }

    private static async Task<ExperimentRunEnd> RunOneAsync(IExperimentPort port, ExperimentRun run)
    {
        try
        {
            var outcome = await port.RunAsync(run);
            return End(run, outcome.State, outcome is { State: not RunState.Complete, Reasons: [var first, ..] } ? first : null);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            return End(run, RunState.Failed, e.Message) with { IdInUse = e is RunIdInUseException };
        }
    }

    private static ExperimentRunEnd End(ExperimentRun run, RunState? state, string? reason)
    {
        var text = LegOutput.Shorten(reason);
        return new()
        {
            Variant = run.Variant,
            Repeat = run.Repeat,
            RunId = run.Spec.Id!,
            State = state,
            Reason = text?.Length > ExperimentRunEnd.MaxReasonLength ? text[..ExperimentRunEnd.MaxReasonLength] : text,
        };
    }

    private static ExperimentStatus StatusOf(ExperimentPhase phase, IReadOnlyList<ExperimentRun> runs, List<ExperimentRunEnd> ends, ExperimentRun? current = null) => new()
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
