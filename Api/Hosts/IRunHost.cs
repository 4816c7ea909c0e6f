namespace ScaleOut.Api.Hosts;

/// <summary>Whether a host can start something now.</summary>
public interface IStartGate
{
    /// <summary>Why nothing can be started or queued now, in a sentence; null while it can.</summary>
    string? WhyFull => null;

    /// <summary>
    /// Waits until no other request looks at <see cref="WhyFull"/> and starts something. Dispose of the result to end the turn.
    /// </summary>
    Task<IDisposable?> EnterStartAsync(CancellationToken cancellationToken) => Task.FromResult<IDisposable?>(null);
}

/// <summary>What executes the runs behind the HTTP interface: Durable Functions, or the dev box.</summary>
public interface IRunHost : IStartGate
{
    /// <summary>Starts a run, or queues it. Its id has been claimed in the run store, and it is in the catalog.</summary>
    Task StartAsync(RunSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks a run to stop; what was done is reported.</summary>
    Task<StopResult> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>Resumes a run that nobody executes and that has not come to its end, or queues it.</summary>
    /// <param name="spec">Its claimed spec.</param>
    /// <returns>Null when it is resumed, else why not: a sentence for the caller.</returns>
    Task<string?> TryResumeAsync(RunSpec spec, CancellationToken cancellationToken) =>
        Task.FromResult<string?>("This server cannot resume a run. Start it again under another id.");

    /// <summary>How far a run is. Null when the host does not know it, or not any more: the interface then asks the run store.</summary>
    Task<RunStatus?> ReadStatusAsync(string id, CancellationToken cancellationToken);
}

/// <summary>What a host did when it was asked to stop something.</summary>
public enum StopResult
{
    /// <summary>It ends within seconds, or never begins. Asking again changes nothing.</summary>
    Stopping,

    /// <summary>It has ended already.</summary>
    Ended,

    /// <summary>This host does not execute it.</summary>
    Unknown,

    /// <summary>Nobody executes it: what executed it ended before it did. It can be resumed.</summary>
    NotRunning,
}

/// <summary>What executes the experiments behind the HTTP interface: Durable Functions, or the dev box.</summary>
public interface IExperimentHost : IStartGate
{
    /// <summary>Starts an experiment, or queues it. Its id has been claimed in the run store.</summary>
    Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks an experiment to stop, and its current run; what was measured is reported.</summary>
    Task<StopResult> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>The experiment's runs that could be measured here and are not, in their order.</summary>
    Task<IReadOnlyList<ExperimentRun>> ReadUnmeasuredAsync(ExperimentSpec spec, CancellationToken cancellationToken);

    /// <summary>
    /// Resumes an experiment that has ended, for the runs that are not measured, or queues it. Of several callers at once one succeeds.
    /// </summary>
    /// <param name="spec">Its claimed spec.</param>
    /// <param name="unmeasured">Runs to measure.</param>
    /// <returns>Null when it is resumed, else why not: a sentence for the caller.</returns>
    Task<string?> TryResumeAsync(ExperimentSpec spec, IReadOnlyList<ExperimentRun> unmeasured, CancellationToken cancellationToken);

    /// <summary>
    /// How far an experiment is. Null when the host does not know it, or not any more: the interface then asks the run store.
    /// </summary>
    Task<HostedExperiment?> ReadStatusAsync(string id, CancellationToken cancellationToken);
}
