using ScaleOut.Experiments;

namespace ScaleOut.Http;

/// <summary>What runs the experiments behind the interface: Durable Functions, or the dev box.</summary>
public interface IExperimentHost
{
    /// <summary>Starts an experiment, or queues it. Its id has been claimed in the run store.</summary>
    Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks an experiment to stop, and the run of it that is on; what was measured is reported.</summary>
    Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>How far an experiment is. Null when the host does not know it, or not any more: the interface then asks the run store.</summary>
    Task<HostedExperiment?> ReadStatusAsync(string id, CancellationToken cancellationToken);
}
