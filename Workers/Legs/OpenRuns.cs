namespace ScaleOut.Workers.Legs;

/// <summary>
/// What legs of a run leave open for its next ones: clients and documents. An instance that lives on sees many runs, so what a run has not used for
/// <see cref="Idle"/> is let go when a leg of another begins.
/// </summary>
internal sealed class OpenRuns(TimeProvider time) : IDisposable
{
    /// <summary>Longer than a run waits between two legs of a worker; a run that comes back later opens its client anew.</summary>
    public static readonly TimeSpan Idle = TimeSpan.FromMinutes(5);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, OpenRun> _runs = [];

    /// <summary>Begins a leg of a run; disposing the lease ends it.</summary>
    public Lease Enter(string runId)
    {
        lock (_gate)
        {
            foreach (var (id, idle) in _runs.Where(run => run.Key != runId && run.Value.Legs == 0 && time.GetUtcNow() - run.Value.LastUsed >= Idle).ToList())
            {
                _runs.Remove(id);
                idle.Dispose();
            }

            if (!_runs.TryGetValue(runId, out var run))
                _runs.Add(runId, run = new OpenRun(time));
            run.Legs++;
            return new Lease(this, run);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            foreach (var run in _runs.Values)
                run.Dispose();
            _runs.Clear();
        }
    }

    private void Leave(OpenRun run)
    {
        lock (_gate)
        {
            run.Legs--;
            run.LastUsed = time.GetUtcNow();
        }
    }

    /// <summary>Keeps a run open while one of its legs is under way.</summary>
    public readonly struct Lease(OpenRuns owner, OpenRun run) : IDisposable
    {
        public OpenRun Run => run;

        /// <inheritdoc/>
        public void Dispose() => owner.Leave(run);
    }
}
