using ScaleOut.DevBox.Engine;
using ScaleOut.Experiments;
using ScaleOut.Http;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.DevBox.Serving;

/// <summary>Experiments on this machine for the HTTP interface, in one queue with the runs.</summary>
internal sealed class LocalExperimentHost(WorkQueue queue, string runsFolder, AccountConnection? account, TextWriter log) : IExperimentHost
{
    /// <inheritdoc/>
    public Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        queue.Add(new HostedExperimentSession(spec, new RunFolder(runsFolder, spec.Id!), account, log));
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken) => queue.StopAsync(id);

    /// <inheritdoc/>
    public Task<HostedExperiment?> ReadStatusAsync(string id, CancellationToken cancellationToken) =>
        Task.FromResult(queue.Find(id) is (HostedExperimentSession session, _) ? session.Status() : Elsewhere(id));

    /// <summary>An experiment that another process on this machine has in hand.</summary>
    private HostedExperiment? Elsewhere(string id) =>
        RunLock.IsTaken(new RunFolder(runsFolder, id).LockFile) ? new HostedExperiment(HostedState.Running, Status: null, ["Another program on this machine runs it."]) : null;
}
