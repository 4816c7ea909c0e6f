namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>What the account did since its start: the truth that a run's report is compared with. Totals include containers that are gone.</summary>
public sealed record AccountLedger
{
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset AsOf { get; init; }

    /// <summary>Requests of the wire protocol, of any kind, rejected ones included.</summary>
    public required long WireRequests { get; init; }

    /// <summary>Wire requests turned away before any operation: not authenticated, or not understood.</summary>
    public required long RejectedRequests { get; init; }

    public required DocumentLedger Documents { get; init; }

    public required OperationLedger Operations { get; init; }

    /// <summary>Seconds per partition that <see cref="PartitionLedger.Seconds"/> reaches back at most; fewer for more partitions.</summary>
    public required int SecondsKept { get; init; }

    /// <summary>Containers that exist, and the last 16 that were deleted.</summary>
    public required IReadOnlyList<ContainerLedger> Containers { get; init; }
}
