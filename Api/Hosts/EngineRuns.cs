namespace ScaleOut.Api.Hosts;

/// <summary>
/// The status of a run on a durable engine: what the engine knows of the orchestration, and what the workers have reported by queue.
/// </summary>
public static class EngineRuns
{
    /// <summary>How far a run is; null when the engine knows less than the run store does.</summary>
    /// <param name="spec">The run's.</param>
    /// <param name="instance">Its orchestration; null when the engine does not know it.</param>
    /// <param name="stopRequested">Whether its stop flag is set.</param>
    /// <param name="messages">The newest progress of its workers.</param>
    /// <param name="now">UTC.</param>
    public static RunStatus? From(
        RunSpec spec, EngineInstance? instance, bool stopRequested, IReadOnlyList<WorkerProgress> messages, DateTimeOffset now) =>
        instance switch
        {
            null => null,
            { IsAlive: true } => Live(spec, instance, stopRequested, messages, now),
            { Status.Outcome: { } outcome } => RunStatus.From(outcome, spec.Documents),
            { State: EngineState.Failed } =>
                Gone(spec, HostedState.Failed, LegOutput.Shorten(instance.Failure) ?? "Its orchestration failed."),
            _ => Gone(
                spec, HostedState.Interrupted,
                "Its orchestration was ended by hand. Workers that are still at work end when the run is stopped."),
        };

    private static RunStatus Live(
        RunSpec spec, EngineInstance instance, bool stopRequested, IReadOnlyList<WorkerProgress> messages, DateTimeOffset now)
    {
        var phase = instance.Status?.Phase;
        var queued = instance.State == EngineState.Pending || phase == RunPhase.Queued;
        var tally = new RunTally(spec);
        tally.SetPhase(phase ?? RunPhase.Preparing);
        foreach (var message in messages.OrderBy(message => message.Worker))
            tally.Take(message);
        if (stopRequested)
            tally.SetStopping();
        var run = tally.Snapshot();
        return run with
        {
            State = queued && !stopRequested ? HostedState.Queued : run.State,
            Phase = phase,
            RunsAhead = queued ? instance.Status?.RunsAhead : null,
            StartedAt = queued ? null : instance.CreatedAt,
            ElapsedSeconds = queued ? null : Math.Round(Math.Max(0, (now - instance.CreatedAt).TotalSeconds), 2),
            LostLegs = messages.Sum(message => message.Attempt - 1),
            Workers = phase is null or RunPhase.Queued or RunPhase.Preparing or RunPhase.WaitingForRoles ? [] : run.Workers,
        };
    }

    private static RunStatus Gone(RunSpec spec, HostedState state, string reason) =>
        new() { State = state, Asked = spec.Documents, Reasons = [reason] };
}
