namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Says how a run ended.</summary>
internal static class RunStateRule
{
    /// <summary>
    /// Complete only when every document is done, or every step of the load, and the container's own count changed by exactly that; reads
    /// and queries leave it as it is. A worker that could not go on outweighs a stop: whoever stopped the run should learn of it. A run
    /// whose times cannot be right is not complete: nothing can be judged by it.
    /// </summary>
    /// <param name="documents">The run's counts.</param>
    /// <param name="missingLegs">Legs whose results are missing: what they did is in no figure, so no figure is the run's.</param>
    /// <param name="hasTimeErrors">Whether instants of its legs contradict each other.</param>
    public static RunState From(RunEnding ending, ReportedDocuments documents, IReadOnlyList<string> missingLegs, bool hasTimeErrors)
    {
        if (ending.StoppedInPreparation)
            return RunState.Stopped;
        if (ending.Container is null || ending.Workers.Any(worker => worker.End == WorkerEnd.Failed))
            return RunState.Failed;
        var workload = ending.Spec.Workload;
        var wentThrough = documents.Remaining == 0
            || (workload.Steps is not null && ending.Workers.All(worker => worker.End == WorkerEnd.Done));
        if (!hasTimeErrors
            && documents.Failed == 0
            && missingLegs.Count == 0
            && wentThrough
            && (workload.LeavesCount || documents.Verified == ExpectedOf(ending, documents)))
            return RunState.Complete;
        return ending.Workers.Any(worker => worker.End == WorkerEnd.Stopped) ? RunState.Stopped : RunState.Incomplete;
    }

    /// <summary>By how much the count is to change: a step load that ends with its last step does not come to all documents.</summary>
    public static long ExpectedOf(RunEnding ending, ReportedDocuments documents)
    {
        var workload = ending.Spec.Workload;
        if (workload.Steps is not null)
            return DoneOf(documents);
        return workload.Mix is { } mix ? MixPattern.For(mix).RiseOf(documents.Asked) : documents.Asked;
    }

    /// <summary>By how much what was done changes the count.</summary>
    public static long DoneOf(ReportedDocuments documents) => documents.Rise ?? (documents.Inserted + documents.AlreadyPresent);
}
