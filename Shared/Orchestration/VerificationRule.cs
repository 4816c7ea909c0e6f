namespace ScaleOut.Orchestration;

/// <summary>Translates the rise of a container's count into the documents that a workload changed.</summary>
internal static class VerificationRule
{
    /// <summary>For reads and queries, which do not change the count.</summary>
    public static readonly Verification Nothing = new(Verified: null);

    /// <summary>
    /// By how many documents the workload changed the container. For writes, this is the rise of the count. For deletes, it is the fall
    /// from the preloaded documents. For a mix and for actions it is the rise, which is negative if there were more deletes than writes.
    /// </summary>
    /// <param name="counted">By how much the count rose since before the first write.</param>
    public static Verification From(RunSpec spec, Verification counted, IReadOnlyList<WorkerOutcome> workers)
    {
        var preloads = spec.Workload.Kind == WorkloadKind.Delete || spec.Workload is { HasSeveralKinds: true, NeedsDocuments: true };
        if (!preloads || counted.Verified is not { } rise)
            return counted;
        if (spec.Container.Name is not null)
            return counted with { Verified = -rise };
        // A worker writes its share of the preload before anything else. If one has done nothing, the preload may be incomplete.
        return workers.Any(worker => worker.End != WorkerState.Done && worker.Counts.Done == 0)
            ? new Verification(Verified: null, "the run ended before all documents to work on were there")
            : counted with
            {
                Verified = (spec.Workload.HasSeveralKinds ? -1 : 1) * (spec.PreloadOf() - rise),
            };
    }
}

/// <summary>What the container itself reports after the last write.</summary>
/// <param name="Verified">By how many documents the count rose; null if it could not be counted.</param>
/// <param name="Reason">Why the documents could not be counted; null otherwise.</param>
public sealed record Verification(long? Verified, string? Reason = null)
{
    /// <summary>Provisioned RU/s after the last write; null if the account does not report it.</summary>
    public double? BudgetPerSecond { get; init; }
}
