using System.Collections.Concurrent;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Documents;

namespace ScaleOut.Workers.Legs;

/// <summary>A run's clients, one for each worker and its settings, and its documents.</summary>
internal sealed class OpenRun : IDisposable
{
    private readonly ConcurrentDictionary<(int Worker, ClientSettings Settings), WarmClient> _clients = new();
    private readonly Lock _gate = new();
    private IDocumentSource? _documents;

    /// <summary>Legs under way; guarded by <see cref="OpenRuns"/>, as is <see cref="LastUsed"/>.</summary>
    public int Legs { get; set; }

    public DateTimeOffset LastUsed { get; set; }

    /// <exception cref="DocumentException">They cannot be made.</exception>
    public IDocumentSource DocumentsFor(WorkerAssignment assignment)
    {
        lock (_gate)
            return _documents ??= DocumentSources.For(assignment);
    }

    /// <summary>The worker's client; made and warmed at its first leg here.</summary>
    /// <param name="account">Where it leads.</param>
    /// <param name="assignment">The worker's.</param>
    /// <param name="begins">Whether the worker has just begun. A client that is there already is of the run before it was measured anew, and knows a container that is gone.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task<WarmClient> ClientForAsync(AccountConnection account, WorkerAssignment assignment, bool begins, CancellationToken cancellationToken)
    {
        var key = (assignment.Worker, assignment.Client);
        if (begins && _clients.TryRemove(key, out var stale))
            stale.Dispose();
        if (_clients.TryGetValue(key, out var open))
            return open;

        var opened = await WarmClient.OpenAsync(account, assignment, cancellationToken);
        if (_clients.TryAdd(key, opened))
            return opened;
        opened.Dispose();
        return _clients[key];
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var client in _clients.Values)
            client.Dispose();
        _clients.Clear();
    }
}
