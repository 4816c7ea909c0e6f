using ScaleOut.Orchestration;

namespace ScaleOut.Reports.Building;

/// <summary>Says how a run ended.</summary>
internal static class RunStateRule
{
    /// <summary>
    /// Complete only when every document is done and the container's own count rose by exactly what was asked. A worker that could not go on
    /// outweighs a stop: whoever stopped the run should learn of it.
    /// </summary>
    public static RunState Of(RunEnding ending, DocumentBooks documents)
    {
        if (ending.Container is null || ending.Workers.Any(worker => worker.End == WorkerEnd.Failed))
            return RunState.Failed;
        if (documents is { Failed: 0, Remaining: 0 } && documents.Verified == documents.Asked)
            return RunState.Complete;
        return ending.Workers.Any(worker => worker.End == WorkerEnd.Stopped) ? RunState.Stopped : RunState.Incomplete;
    }
}
