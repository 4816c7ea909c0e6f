using ScaleOut.Experiments;

namespace ScaleOut.Http;

/// <summary>What runs the experiments behind the interface: Durable Functions, or the dev box.</summary>
public interface IExperimentHost
{
    /// <summary>Starts an experiment, or queues it. Its id has been claimed in the run store.</summary>
    Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks an experiment to stop, and the run of it that is on; what was measured is reported.</summary>
    Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>Those of an experiment's runs that could be measured here and are not, in their order.</summary>
    Task<IReadOnlyList<ExperimentRun>> ReadLeftAsync(ExperimentSpec spec, CancellationToken cancellationToken);

    /// <summary>Takes up an experiment that has ended, for the runs that are left, or queues it. Of several callers at once one succeeds.</summary>
    /// <param name="spec">Its claimed spec.</param>
    /// <param name="left">Runs that are left.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>Null when it is taken up, else why not: a sentence for the caller.</returns>
    Task<string?> TryResumeAsync(ExperimentSpec spec, IReadOnlyList<ExperimentRun> left, CancellationToken cancellationToken);

    /// <summary>How far an experiment is. Null when the host does not know it, or not any more: the interface then asks the run store.</summary>
    Task<HostedExperiment?> ReadStatusAsync(string id, CancellationToken cancellationToken);
}
