using System.Collections.Concurrent;
using ScaleOut.Measurement;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Documents;

namespace ScaleOut.Workers.Legs;

/// <summary>A run's clients, one for each worker and its settings, its documents, and the clock of its legs in this process.</summary>
/// <param name="time">The wall clock.</param>
internal sealed class OpenRun(TimeProvider time) : IDisposable
{
    private readonly ConcurrentDictionary<(int Worker, ClientSettings Settings), WarmClient> _clients = new();
    private readonly Lock _gate = new();
    private IDocumentSource? _documents;

    /// <summary>Legs under way; guarded by <see cref="OpenRuns"/>, as is <see cref="LastUsed"/>.</summary>
    public int Legs { get; set; }

    public DateTimeOffset LastUsed { get; set; }

    /// <summary>
    /// The clock of the run's legs here: read once against the wall clock, so that setting that one between two legs moves neither against
    /// the other.
    /// </summary>
    public AnchoredClock Clock { get; } = new(time);

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
