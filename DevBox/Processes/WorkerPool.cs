using System.Collections.Concurrent;
using System.ComponentModel;

namespace ScaleOut.DevBox.Processes;

/// <summary>The worker processes of a run. A process is started when its worker has a leg to run and no process.</summary>
/// <param name="coresOf">Cores that each worker is bound to, by worker; null for none.</param>
/// <param name="operations">Most operations that each worker is going to do; null if that is not known.</param>
internal sealed class WorkerPool(
    WorkerHandshake handshake,
    string runId,
    string logFolder,
    Action<WorkerProgress> onProgress,
    IReadOnlyList<int?>? coresOf = null,
    long? operations = null) : IWorkerPool, IAsyncDisposable
{
    private readonly ConcurrentDictionary<int, WorkerProcess> _processes = new();
    private volatile bool _killed;

    public async Task<LegOutput> RunLegAsync(LegInput leg)
    {
        // Starting a process takes milliseconds, and a thousand of them must not block the caller.
        await Task.Yield();
        var process = await ProcessOfAsync(leg.Assignment.Worker);
        return await process.RunLegAsync(leg);
    }

    public async Task EndAsync(int worker)
    {
        if (_processes.TryRemove(worker, out var process))
            await process.DisposeAsync();
    }

    /// <summary>Ends all processes at once; their legs are lost, and none is started any more.</summary>
    public void KillAll()
    {
        _killed = true;
        foreach (var process in _processes.Values)
            process.Kill();
    }

    public async ValueTask DisposeAsync()
    {
        _killed = true;
        await Task.WhenAll(_processes.Keys.Select(EndAsync));
    }

    private async Task<WorkerProcess> ProcessOfAsync(int worker)
    {
        if (_processes.TryGetValue(worker, out var process) && !process.Alive)
            await EndAsync(worker);
        if (_killed)
            throw new LegLostException("the worker processes were ended");

        try
        {
            // One leg of a worker runs at a time, so nobody else starts its process.
            process = _processes.GetOrAdd(worker, Start);
        }
        catch (Exception e) when (e is Win32Exception or InvalidOperationException)
        {
            throw new LegLostException($"the worker's process could not be started: {e.Message}", e);
        }

        if (_killed)
            process.Kill();
        return process;
    }

    private WorkerProcess Start(int worker) => WorkerProcess.Start(
        handshake,
        runId,
        worker,
        Path.Combine(logFolder, $"worker-{worker.ToString("D4", CultureInfo.InvariantCulture)}.log"),
        onProgress,
        coresOf is not null && CoreSet.IsSupported ? CoreSet.From(coresOf, worker, CoreSet.Allowed()) : null,
        operations);
}

/// <summary>Runs the legs of a run's workers.</summary>
internal interface IWorkerPool
{
    /// <summary>Runs a leg.</summary>
    /// <exception cref="LegLostException">The leg left no result.</exception>
    Task<LegOutput> RunLegAsync(LegInput leg);

    /// <summary>Ends a worker's process, which frees its memory.</summary>
    Task EndAsync(int worker);
}
