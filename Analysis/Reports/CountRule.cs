namespace ScaleOut.Analysis.Reports;

/// <summary>By how much a run must change the container's document count, and how many expired documents may be missing from it.</summary>
internal static class CountRule
{
    /// <summary>
    /// Time between the first write and the count that is not in a run's own times: the wait for the start, and the retries of the count.
    /// </summary>
    private static readonly TimeSpan UnknownTime = TimeSpan.FromMinutes(10);

    /// <summary>By how much the count must change. A load with steps may end before all documents are done.</summary>
    public static long Expected(RunSpec spec, ReportedDocuments documents)
    {
        var workload = spec.Workload;
        if (workload.Steps is not null)
            return Done(documents);
        return workload.HasSeveralKinds ? (spec with { Documents = documents.Asked }).RiseOf() : documents.Asked;
    }

    /// <summary>By how much the documents that were done change the count.</summary>
    public static long Done(ReportedDocuments documents) => documents.Rise ?? (documents.Inserted + documents.AlreadyPresent);

    /// <summary>
    /// Number of documents that had expired when they were counted. 0 if none can have expired, or if the count is too high.
    /// </summary>
    /// <param name="lasted">From the run's first start to its end.</param>
    public static long Expired(RunSpec spec, ReportedDocuments documents, TimeSpan lasted)
    {
        if (documents.Verified is not { } verified || spec.Container.TimeToLive is not > 0
            || lasted + UnknownTime < TimeSpan.FromSeconds(spec.Container.TimeToLive.Value))
            return 0;
        var missing = Expected(spec, documents) - verified;
        return Math.Max(0, spec.Workload.Kind == WorkloadKind.Delete ? -missing : missing);
    }
}
