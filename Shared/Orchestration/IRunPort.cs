using ScaleOut.Specs;

namespace ScaleOut.Orchestration;

/// <summary>
/// What an engine offers to the orchestration: Durable Functions, or the dev box. Only what both have. Orchestration code awaits nothing but these tasks,
/// so that a durable engine can replay it. Every call may be repeated by a resumed run and then gives what it gave before.
/// </summary>
public interface IRunPort
{
    /// <summary>Instance id of the run's own orchestration: the run's id, or one of its own when an experiment measures the run a second time.</summary>
    string RunInstanceId { get; }

    /// <summary>The engine's clock, the same at a replay.</summary>
    DateTimeOffset UtcNow { get; }

    /// <summary>Claims or creates the container and counts it. What the user can mend comes back as refusals, not as an exception.</summary>
    Task<Preparation> PrepareContainerAsync(RunSpec spec);

    /// <summary>Runs <see cref="GroupOrchestration"/>, as a child of its own where the engine has children.</summary>
    Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(WorkerGroup group);

    /// <summary>Runs <see cref="WorkerOrchestration"/> turn after turn until it has an outcome, as a child of its own where the engine has children.</summary>
    Task<WorkerOutcome> RunWorkerAsync(WorkerState worker);

    /// <summary>Runs one leg on a worker.</summary>
    /// <exception cref="LegLostException">It left no result.</exception>
    Task<LegOutput> RunLegAsync(LegInput leg);

    /// <summary>Counts the container after the last write. A failure to count comes back in the result.</summary>
    Task<Verification> VerifyAsync(PreparedContainer container);

    /// <summary>Merges what the legs left into the report and saves it in every form.</summary>
    Task<RunOutcome> SaveReportAsync(RunEnding ending);

    /// <summary>Deletes the container that the run made.</summary>
    Task CleanUpAsync(PreparedContainer container);

    /// <summary>Waits on the engine's clock.</summary>
    Task DelayAsync(TimeSpan delay);

    /// <summary>Shows how far the run is; at most a few KB.</summary>
    void PublishStatus(RunStatus status);
}
