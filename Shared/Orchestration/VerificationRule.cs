namespace ScaleOut.Orchestration;

/// <summary>Says what the rise of a container's count means for a workload.</summary>
internal static class VerificationRule
{
    /// <summary>For reads and queries, which leave the count as it is.</summary>
    public static readonly Verification Nothing = new(Verified: null);

    /// <summary>
    /// By how many documents the workload changed the container: the rise of the count for writes; for deletes its fall from what the run
    /// preloaded; for a mix its rise, or with more deletes than writes its fall as a negative number.
    /// </summary>
    /// <param name="counted">By how much the count rose since before the first write.</param>
    public static Verification From(RunSpec spec, Verification counted, IReadOnlyList<WorkerOutcome> workers)
    {
        var preloads = spec.Workload.Kind == WorkloadKind.Delete || (spec.Workload.Mix is not null && spec.Workload.NeedsDocuments);
        if (!preloads || counted.Verified is not { } rise)
            return counted;
        if (spec.Container.Name is not null)
            return counted with { Verified = -rise };
        // A worker that has done anything wrote its share of the preload first.
        return workers.Any(worker => worker.End != WorkerEnd.Done && worker.Counts.Done == 0)
            ? new Verification(Verified: null, "the run ended before all documents to work on were there")
            : counted with
            {
                Verified = (spec.Workload.Mix is null ? 1 : -1) * (spec.Workload.PreloadOf(spec.Documents) - rise),
            };
    }
}

/// <summary>What the container itself says after the last write.</summary>
/// <param name="Verified">By how many documents its count rose; null when it could not be counted.</param>
/// <param name="Reason">Why it could not be counted.</param>
public sealed record Verification(long? Verified, string? Reason = null)
{
    /// <summary>Provisioned RU/s after the last write; null if the account does not report it.</summary>
    public double? BudgetPerSecond { get; init; }
}
