namespace ScaleOut.Api.Hosts;

/// <summary>
/// Makes the status of a run on a durable engine, from the engine's state of the orchestration and the workers' messages.
/// </summary>
public static class EngineRuns
{
    /// <summary>Returns null if the engine does not know the orchestration.</summary>
    /// <param name="stopRequested">Whether the run's stop flag is set.</param>
    /// <param name="messages">The newest progress of the run's workers.</param>
    /// <param name="now">UTC.</param>
    public static RunStatus? From(
        RunSpec spec, EngineInstance? instance, bool stopRequested, IReadOnlyList<WorkerProgress> messages, DateTimeOffset now) =>
        instance switch
        {
            null => null,
            { Outcome: { } outcome } => RunStatus.From(outcome, spec.Documents),
            // A run that failed says so while its container is deleted, and if its orchestration is ended meanwhile.
            { Status: { } last } when last.State.IsEnd() => instance.IsAlive ? last : last with { Phase = null },
            { IsAlive: true } => Live(spec, instance, stopRequested, messages, now),
            { State: EngineState.Failed } =>
                Gone(spec, HostedState.Failed, LegOutput.Shorten(instance.Failure) ?? "Its orchestration failed."),
            _ => Gone(
                spec, HostedState.Interrupted,
                "Its orchestration was ended by hand. Workers that are still at work end when the run is stopped."),
        };

    private static RunStatus Live(
        RunSpec spec, EngineInstance instance, bool stopRequested, IReadOnlyList<WorkerProgress> messages, DateTimeOffset now)
    {
        // Anybody can write to the queue, so a message may name a worker that the run does not have.
        messages = [.. messages.Where(message => message.Workers == spec.Workers)];
        var phase = instance.Status?.Phase;
        var queued = instance.State == EngineState.Pending || phase == RunPhase.Queued;
        var startedAt = instance.Status?.StartedAt;
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
            StartedAt = startedAt,
            // As in its outcome: without the time in which the run is counted, reported and deleted.
            ElapsedSeconds = instance.Status?.ElapsedSeconds
                ?? (startedAt is { } begun ? Math.Round(Math.Max(0, (now - begun).TotalSeconds), 2) : null),
            LostLegs = messages.Sum(message => message.Attempt - 1),
            Workers = phase is null or RunPhase.Queued or RunPhase.Preparing or RunPhase.WaitingForRoles ? [] : run.Workers,
        };
    }

    private static RunStatus Gone(RunSpec spec, HostedState state, string reason) =>
        new() { State = state, Asked = spec.Documents, Reasons = [reason] };
}

/// <summary>Makes the status of an experiment on a durable engine.</summary>
public static class EngineExperiments
{
    /// <param name="state">State of the orchestration.</param>
    /// <param name="status">Status that the orchestration published last; null before the first one.</param>
    /// <param name="failure">Why the orchestration failed; null otherwise.</param>
    /// <param name="stopRequested">Whether the experiment's stop flag is set.</param>
    public static HostedExperiment From(EngineState state, ExperimentStatus? status, string? failure, bool stopRequested) => state switch
    {
        _ when status?.Outcome is { } outcome => new HostedExperiment(HostedExperiment.StateOf(outcome.State), status, []),
        EngineState.Pending => new HostedExperiment(stopRequested ? HostedState.Stopping : HostedState.Queued, status, []),
        EngineState.Running => new HostedExperiment(stopRequested ? HostedState.Stopping : HostedState.Running, status, []),
        EngineState.Terminated => new HostedExperiment(HostedState.Interrupted, status, ["Its orchestration was ended by hand."]),
        _ => new HostedExperiment(HostedState.Failed, status, [LegOutput.Shorten(failure) ?? "Its orchestration failed."]),
    };
}
