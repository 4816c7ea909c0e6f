namespace ScaleOut.DevBox.Processes;

/// <summary>The worker processes of a run. A process is started when its worker has a leg to run and no process.</summary>
internal sealed class WorkerPool(
    WorkerHandshake handshake, string runId, string logFolder, Action<WorkerProgress> onProgress) : IWorkerPool, IAsyncDisposable
{
    /// <summary>Cores that each worker is bound to, by worker; null for none.</summary>
    public IReadOnlyList<int?>? CoresOf { get; init; }

    /// <summary>Most operations that each worker is going to do; null if that is not known.</summary>
    public long? Operations { get; init; }

    /// <summary>How long a process may send nothing while it runs a leg.</summary>
    public TimeSpan Silence { get; init; } = WorkerProcess.Silence;

    /// <summary>Receives a warning about a worker whose process sends nothing for long.</summary>
    public Action<int, string>? OnSilence { get; init; }

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

    private WorkerProcess Start(int worker)
    {
        var start = new ProcessStart(
            handshake, runId, worker, Path.Combine(logFolder, $"worker-{worker.ToString("D4", CultureInfo.InvariantCulture)}.log"))
        {
            Cpus = CoresOf is not null && CoreSet.IsSupported ? CoreSet.From(CoresOf, worker, CoreSet.Allowed()) : null,
            Operations = Operations,
        };
        return WorkerProcess.Start(start, onProgress, Silence, warning => OnSilence?.Invoke(worker, warning));
    }
}

/// <summary>Runs the legs of a run's workers.</summary>
internal interface IWorkerPool
{
    /// <exception cref="LegLostException">The leg left no result.</exception>
    Task<LegOutput> RunLegAsync(LegInput leg);

    /// <summary>Ends a worker's process, which frees its memory.</summary>
    Task EndAsync(int worker);
}
