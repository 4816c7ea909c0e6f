namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Why a run is not complete, in sentences; empty for a complete one.</summary>
internal static class RunReasons
{
    /// <summary>Workers named one by one before the rest is only counted.</summary>
    public const int NamedWorkers = 5;

    /// <summary>Contradictions of times that are listed one by one before the rest is only counted.</summary>
    public const int NamedTimeErrors = 3;

    public static IReadOnlyList<string> From(RunEnding ending, RunReport report)
    {
        if (report.State == RunState.Complete)
            return [];
        return
        [
            .. ending.Rejections.Select(rejection => $"The run could not start: {rejection}"),
            .. WorkerFailures(ending),
            .. report.MissingLegs,
            .. Times(report.TimeErrors),
            .. Stop(ending, report.Documents),
            .. Failed(ending.Spec.Workload, report.Documents, report.Failures),
            .. Verification(ending, report.Documents),
        ];
    }

    private static IEnumerable<string> WorkerFailures(RunEnding ending)
    {
        var failed = ending.Workers.Where(worker => worker.End == WorkerState.Failed).ToList();
        foreach (var group in failed.GroupBy(worker => worker.Reason ?? "no reason given").Take(NamedWorkers))
            yield return $"{Words.Workers([.. group.Select(worker => worker.Worker)])} could not go on: {group.Key}";
        if (failed.Select(worker => worker.Reason).Distinct().Count() is var reasons and > NamedWorkers)
            yield return $"Workers failed for {reasons - NamedWorkers} more reasons; {Numbers.Count(failed.Count)} of "
                + $"{Numbers.Count(ending.Workers.Count)} workers failed in all.";
    }

    private static IEnumerable<string> Times(IReadOnlyList<string> errors)
    {
        foreach (var error in errors.Take(NamedTimeErrors))
            yield return $"The run's times cannot be right, so no rate is claimed: {error}";
        if (errors.Count > NamedTimeErrors)
            yield return "More contradictions of the run's times are in report.json (timeErrors).";
    }

    private static IEnumerable<string> Stop(RunEnding ending, ReportedDocuments documents)
    {
        if (ending.StoppedInPreparation)
            yield return "The run was stopped while its container was being prepared.";
        else if (ending.Workers.Any(worker => worker.End == WorkerState.Stopped))
            yield return $"The run was stopped with {Numbers.Count(documents.Remaining)} of {Numbers.Count(documents.Asked)} "
                + $"{(ending.Spec.Workload.Action is null ? "documents" : "actions")} remaining.";
    }

    private static IEnumerable<string> Failed(WorkloadSpec workload, ReportedDocuments documents, IReadOnlyList<string> failures)
    {
        if (documents.Failed > 0)
            yield return (workload.Action is null
                    ? $"{Words.Amount(documents.Failed, "document")} failed for good. "
                    : $"{Words.Amount(documents.Failed, "action")} ended at a step that failed for good, without the steps after it. ")
                + $"{(failures.Count > 0 ? $"The first: {string.Join("; ", failures.Take(3))}" : "No reason was recorded.")}";
    }

    private static IEnumerable<string> Verification(RunEnding ending, ReportedDocuments documents)
    {
        if (ending.Container is null || ending.Spec.Workload.LeavesCount)
            yield break;
        var expected = CountRule.Expected(ending.Spec, documents);
        var store = WorkloadWords.From(ending.Spec.Workload.Kind).Store;
        if (documents.Verified is not { } verified)
            yield return $"The {store} could not be counted afterwards, so nothing verifies the counts: "
                + $"{ending.Verification?.Reason ?? "no reason given"}";
        else if (verified != expected)
            yield return $"The {store}'s own count {(IsDelete(ending) ? "fell" : "rose")} by {Numbers.Count(verified)}, "
                + $"{Numbers.Count(Math.Abs(expected - verified))} {(verified < expected ? "fewer" : "more")} than the "
                + $"{Numbers.Count(expected)} "
                + $"{(expected == documents.Asked || ending.Spec.Workload.Steps is null ? "asked" : "done")}."
                + Known(ending, documents, verified);
    }

    private static bool IsDelete(RunEnding ending) => ending.Spec.Workload.Kind == WorkloadKind.Delete;

    /// <summary>
    /// Compares the workers' counts with the container's. Documents that workers found already written, or already deleted, may be the work
    /// of lost legs; then the container's count includes them. If they were in that state before the run, it does not.
    /// </summary>
    private static string Known(RunEnding ending, ReportedDocuments documents, long verified)
    {
        var (isDelete, found) = (IsDelete(ending), documents.Rise is null ? documents.AlreadyPresent : 0);
        var cutsActions = ending.Spec.Workload.Action is not null && documents.Remaining > 0;
        var most = CountRule.Done(documents);
        var least = most - found;
        var did = $"{(isDelete ? "deleted" : "wrote")} {Numbers.Count(least)}"
            + (found > 0 ? $" and found {Numbers.Count(found)} {(isDelete ? "gone" : "there")} already" : "");
        if (verified < least)
            return $" The workers {did}, so {Numbers.Count(least - verified)} {(isDelete
                ? "were written again by somebody else" : "are missing, or somebody else deleted them")}.";
        if (verified > most)
            return $" The workers {did}, so {Numbers.Count(verified - most)} "
                + $"were {(isDelete ? "deleted" : "written")} by {(cutsActions ? "steps that were cut, by " : "")}lost legs, or by "
                + "somebody else.";
        return found == 0
            ? $" That is exactly what the workers {(isDelete ? "deleted" : "wrote")}."
            : $" The workers {did}, which agrees with the count.";
    }
}
