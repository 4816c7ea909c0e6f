using ScaleOut.Specs;

namespace ScaleOut.Api.Hosts;

/// <summary>What executes the runs behind the HTTP interface: Durable Functions, or the dev box.</summary>
public interface IRunHost
{
    /// <summary>Why nothing can be started or queued now, in a sentence; null while it can.</summary>
    string? WhyFull => null;

    /// <summary>Starts a run, or queues it. Its id has been claimed in the run store, and it is in the catalog.</summary>
    Task StartAsync(RunSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks a run to stop; what was done is reported.</summary>
    Task<StopResult> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>How far a run is. Null when the host does not know it, or not any more: the interface then asks the run store.</summary>
    Task<HostedRun?> ReadStatusAsync(string id, CancellationToken cancellationToken);
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
}
