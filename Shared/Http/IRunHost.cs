using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Http;

/// <summary>What runs the runs behind the interface: Durable Functions, or the dev box.</summary>
public interface IRunHost
{
    HostRules Rules { get; }

    /// <summary>Starts a run, or queues it. Its id has been claimed in the run store, and it is in the catalog.</summary>
    Task StartAsync(RunSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks a run to stop; what was done is reported.</summary>
    Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>How far a run is. Null when the host does not know it, or not any more: the interface then asks the run store.</summary>
    Task<HostedRun?> ReadStatusAsync(string id, CancellationToken cancellationToken);
}
