namespace ScaleOut.DevBox.Processes;

/// <summary>The worker processes of a run. A process is started when its worker has a leg to run and no process.</summary>
/// <param name="coresOf">Cores that each worker is bound to, by worker; null for none.</param>
/// <param name="operations">Most operations that each worker is going to do; null if that is not known.</param>
/// <param name="silence">How long a process may send nothing while it runs a leg; null for <see cref="WorkerProcess.Silence"/>.</param>
/// <param name="onSilence">Receives a warning about a worker whose process sends nothing for long. Optional.</param>
internal sealed class WorkerPool(
    WorkerHandshake handshake,
    string runId,
    string logFolder,
    Action<WorkerProgress> onProgress,
    IReadOnlyList<int?>? coresOf = null,
    long? operations = null,
    TimeSpan? silence = null,
    Action<int, string>? onSilence = null) : IWorkerPool, IAsyncDisposable
{
    private readonly ConcurrentDictionary<int, WorkerProcess> _processes = new();
    private volatile string? _whyKilled;

    public async Task<LegOutput> RunLegAsync(LegInput leg)
    {
        // Starting a process takes milliseconds, and a thousand of them must not block the caller.
        await Task.Yield();
        var process = await ProcessOfAsync(leg.Assignment.Worker);
        return await process.RunLegAsync(leg);
    }

    /// <summary>Id of the process of a worker that runs a leg.</summary>
    internal int ProcessIdOf(int worker) => _processes[worker].Id;

    public async Task EndAsync(int worker)
    {
        if (_processes.TryRemove(worker, out var process))
            await process.DisposeAsync();
    }

    /// <summary>Ends all processes at once; their legs are lost, and none is started any more.</summary>
    /// <param name="why">Such as <c>the run was stopped</c>.</param>
    public void KillAll(string why)
    {
        _whyKilled ??= why;
        foreach (var process in _processes.Values)
            process.Kill(why);
    }

    public async ValueTask DisposeAsync()
    {
        _whyKilled ??= "the run is over";
        await Task.WhenAll(_processes.Keys.Select(EndAsync));
    }

    private async Task<WorkerProcess> ProcessOfAsync(int worker)
    {
        if (_processes.TryGetValue(worker, out var process) && !process.Alive)
            await EndAsync(worker);
        if (_whyKilled is { } before)
            throw new LegLostException($"no worker process is started any more, because {before}");

        try
        {
            // One leg of a worker runs at a time, so nobody else starts its process.
            process = _processes.GetOrAdd(worker, Start);
        }
        catch (Exception e) when (e is Win32Exception or InvalidOperationException)
        {
            throw new LegLostException($"the worker's process could not be started: {e.Message}", e);
        }

        if (_whyKilled is { } why)
            process.Kill(why);
        return process;
    }

    private WorkerProcess Start(int worker) => WorkerProcess.Start(
        handshake,
        runId,
        worker,
        Path.Combine(logFolder, $"worker-{worker.ToString("D4", CultureInfo.InvariantCulture)}.log"),
        onProgress,
        coresOf is not null && CoreSet.IsSupported ? CoreSet.From(coresOf, worker, CoreSet.Allowed()) : null,
        operations,
        silence,
        warning => onSilence?.Invoke(worker, warning));
}

/// <summary>Runs the legs of a run's workers.</summary>
internal interface IWorkerPool
{
    /// <exception cref="LegLostException">The leg left no result.</exception>
    Task<LegOutput> RunLegAsync(LegInput leg);

    /// <summary>Ends a worker's process, which frees its memory.</summary>
    Task EndAsync(int worker);
}
