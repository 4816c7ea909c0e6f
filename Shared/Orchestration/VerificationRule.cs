namespace ScaleOut.Orchestration;

/// <summary>Turns the rise of a container's count into what it says of a workload.</summary>
internal static class VerificationRule
{
    /// <summary>Of reads and queries, which leave the count as it is.</summary>
    public static readonly Verification Nothing = new(Verified: null);

    /// <summary>
    /// By how much the count shows that the workload changed the container: its rise for what writes documents; for deletes its fall from
    /// what the run preloaded.
    /// </summary>
    /// <param name="spec">The run's spec.</param>
    /// <param name="counted">By how much the count rose since before the first write.</param>
    public static Verification From(RunSpec spec, Verification counted, IReadOnlyList<WorkerOutcome> workers)
    {
        if (spec.Workload.Kind != WorkloadKind.Delete || counted.Verified is not { } rise)
            return counted;
        if (spec.Container.Name is not null)
            return counted with { Verified = -rise };
        // A worker that has done anything wrote its share of the preload first.
        return workers.Any(worker => worker.End != WorkerEnd.Done && worker.Counts.Done == 0)
            ? new Verification(Verified: null, "the run ended before all documents to delete were there")
            : counted with { Verified = spec.Workload.PreloadOf(spec.Documents) - rise };
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
