namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Determines the state in which a run ended.</summary>
internal static class RunStateRule
{
    /// <summary>
    /// A run is complete only if every document, or every step of the load, is done, and the container's own count changed by exactly that.
    /// Reads and queries do not change the count. A run with a failed worker is failed even if it was stopped, so that the failure is
    /// reported. A run whose times contradict each other is not complete. Documents that may have expired may be missing from the count.
    /// </summary>
    /// <param name="documents">The run's counts.</param>
    /// <param name="missingLegs">Legs whose results are missing. What they did is in no figure.</param>
    /// <param name="hasTimeErrors">Whether the run's times contradict each other.</param>
    /// <param name="startedAt">When the run was first started.</param>
    public static RunState From(
        RunEnding ending, ReportedDocuments documents, IReadOnlyList<string> missingLegs, bool hasTimeErrors, DateTimeOffset startedAt)
    {
        if (ending.StoppedInPreparation)
            return RunState.Stopped;
        if (ending.Container is null || ending.Workers.Any(worker => worker.End == WorkerState.Failed))
            return RunState.Failed;
        var workload = ending.Spec.Workload;
        var wentThrough = documents.Remaining == 0
            || (workload.Steps is not null && ending.Workers.All(worker => worker.End == WorkerState.Done));
        if (!hasTimeErrors
            && documents.Failed == 0
            && missingLegs.Count == 0
            && wentThrough
            && (workload.LeavesCount || documents.Verified == CountRule.Expected(ending.Spec, documents)
                || CountRule.Expired(ending.Spec, documents, ending.FinishedAt - startedAt) > 0))
            return RunState.Complete;
        return ending.Workers.Any(worker => worker.End == WorkerState.Stopped) ? RunState.Stopped : RunState.Incomplete;
    }
}
