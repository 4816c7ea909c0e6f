using ScaleOut.Orchestration;

namespace ScaleOut.DevBox.Processes;

/// <summary>Runs the legs of a run's workers.</summary>
internal interface IWorkerPool
{
    /// <summary>Runs a leg.</summary>
    /// <exception cref="LegLostException">It left no result.</exception>
    Task<LegOutput> RunLegAsync(LegInput leg);

    /// <summary>Ends a worker, which gives its memory back.</summary>
    Task EndAsync(int worker);
}
