namespace ScaleOut.Workers.Legs;

/// <summary>
/// Keeps clients and documents of runs open for their next legs. A function instance executes legs of many runs, so a run that was idle for
/// <see cref="Idle"/> is closed when a leg of another run begins.
/// </summary>
internal sealed class RunCache(TimeProvider time) : IDisposable
{
    /// <summary>Longer than a run waits between two legs of a worker.</summary>
    public static readonly TimeSpan Idle = TimeSpan.FromMinutes(5);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, CachedRun> _runs = [];

    /// <summary>Begins a leg of a run. Disposing the lease ends it.</summary>
    public Lease Enter(string runId)
    {
        List<CachedRun> idle;
        CachedRun? run;
        lock (_gate)
        {
            idle = TakeOut_NeedsLock(run => run.Key != runId && run.Value.Legs == 0 && time.GetUtcNow() - run.Value.LastUsed >= Idle);
            if (!_runs.TryGetValue(runId, out run))
                _runs.Add(runId, run = new CachedRun(time));
            run.Legs++;
        }

        // Closing connections takes a while, and other legs must not wait for it.
        idle.ForEach(closed => closed.Dispose());
        return new Lease(this, run);
    }

    public void Dispose()
    {
        List<CachedRun> all;
        lock (_gate)
            all = TakeOut_NeedsLock(_ => true);
        all.ForEach(closed => closed.Dispose());
    }

    /// <summary>Removes runs from the cache. The caller must dispose them.</summary>
    private List<CachedRun> TakeOut_NeedsLock(Func<KeyValuePair<string, CachedRun>, bool> isMeant)
    {
        var taken = _runs.Where(isMeant).ToList();
        taken.ForEach(run => _runs.Remove(run.Key));
        return [.. taken.Select(run => run.Value)];
    }

    private void Leave(CachedRun run)
    {
        lock (_gate)
        {
            run.Legs--;
            run.LastUsed = time.GetUtcNow();
        }
    }

    public readonly struct Lease(RunCache owner, CachedRun run) : IDisposable
    {
        public CachedRun Run => run;

        public void Dispose() => owner.Leave(run);
    }
}

/// <summary>A run's clients, one for each worker and its settings, its documents, and the clock of its legs in this process.</summary>
internal sealed class CachedRun(TimeProvider time) : IDisposable
{
    private readonly ConcurrentDictionary<(int Worker, ClientSettings Settings), IWorkerClient> _clients = new();
    private readonly Lock _gate = new();
    private IDocumentSource? _documents;

    /// <summary>Legs under way; guarded by <see cref="RunCache"/>, as is <see cref="LastUsed"/>.</summary>
    public int Legs { get; set; }

    public DateTimeOffset LastUsed { get; set; }

    /// <summary>
    /// The clock of the run's legs in this process. It reads the wall clock only once, so that a change of the wall clock does not shift
    /// legs relative to each other.
    /// </summary>
    public AnchoredClock Clock { get; } = new(time);

    /// <exception cref="DocumentException">The documents cannot be made.</exception>
    public IDocumentSource DocumentsFor(WorkerAssignment assignment)
    {
        lock (_gate)
            return _documents ??= DocumentSources.For(assignment);
    }

    /// <summary>The worker's client, opened at its first leg here.</summary>
    /// <param name="begins">
    /// Whether the worker has just begun. Then an open client is from before the run was resumed, and uses a container that no longer
    /// exists.
    /// </param>
    /// <param name="onRetry">Receives errors that go on for seconds and are retried.</param>
    public async Task<IWorkerClient> ClientForAsync(
        AccountConnection account,
        WorkerAssignment assignment,
        bool begins,
        Func<Exception, Task> onRetry,
        CancellationToken cancellationToken)
    {
        var key = (assignment.Worker, assignment.Client);
        if (begins && _clients.TryRemove(key, out var stale))
            stale.Dispose();
        if (_clients.TryGetValue(key, out var open))
            return open;

        var opened = await WorkerClients.OpenAsync(account, assignment, onRetry, cancellationToken);
        if (_clients.TryAdd(key, opened))
            return opened;
        opened.Dispose();
        return _clients[key];
    }

    public void Dispose()
    {
        foreach (var client in _clients.Values)
            client.Dispose();
        _clients.Clear();
    }
}
