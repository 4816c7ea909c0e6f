namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>
/// One wire request's worth of document operations: a single one, a batch, or a query page. It is prepared, goes through the
/// <see cref="OperationPipeline"/>, and then has its result.
/// </summary>
internal abstract class DocumentWork
{
    /// <summary>Set before preparing.</summary>
    public ContainerResource Container { get; set; } = null!;

    /// <summary>Takes the documents that are returned; set before executing.</summary>
    public ArrayBufferWriter<byte> Output { get; set; } = null!;

    /// <summary>What it costs; set before executing, unless it is as documented.</summary>
    public RequestCharges Charges { get; set; } = RequestCharges.Documented;

    /// <summary>The priority and the throughput bucket that the client gave it; set before executing.</summary>
    public BudgetClaim Claim { get; set; }

    public abstract OperationKind Kind { get; }

    /// <summary>The physical partition it goes to; null for several.</summary>
    public abstract PhysicalPartition? Partition { get; }

    /// <summary>How the request ended as a whole.</summary>
    public OperationResult Result { get; protected set; }

    /// <summary>When it began and how long after that its response is due; set by the pipeline.</summary>
    public ResponseDelay Delay { get; set; }

    /// <summary>What it asked of the service, once it is executed.</summary>
    public ServiceDemand Demand => new(IsWrite, ServedOperations, ServedBytes, Partition?.Budget.Utilization ?? 0);

    /// <summary>Operations that were not throttled.</summary>
    protected virtual int ServedOperations => Result.IsThrottled ? 0 : 1;

    /// <summary>Of the documents written, or of what is given back.</summary>
    protected virtual long ServedBytes => IsWrite ? 0 : Output.WrittenCount;

    public bool IsWrite => Kind is not (OperationKind.Read or OperationKind.Query);

    /// <summary>Does it under the partition's lock and budget, and records it.</summary>
    public abstract void Execute(long nowTicks);

    /// <summary>
    /// Called when a split rejected the work: whether it may be executed again, on the partition that has the key now or on the same one
    /// once it has completed the split. False when the client has to ask for the ranges first.
    /// </summary>
    public abstract bool TryReroute();

    /// <summary>Ends with a fault's status instead of its own result.</summary>
    /// <param name="executed">Whether the operations were done all the same.</param>
    public virtual void Fail(in FaultDecision fault, bool executed, long nowTicks)
    {
        lock (Partition!.Gate)
            Result = OperationAdmission.Fail(Partition, Kind, Result, fault, executed, nowTicks);
    }

    /// <summary>
    /// Ends with an error before it is executed. The attempt is the caller's all the same, so it has to be in the ledger.
    /// </summary>
    protected bool FailToPrepare(in OperationResult result)
    {
        Result = result;
        PhysicalPartition partition = Partition ?? Container.Partitions[0];
        lock (partition.Gate)
            partition.Counter.Attempt(Kind);
        return false;
    }
}

/// <summary>Which of a container's documents a request is for.</summary>
internal sealed record DocumentScope
{
    public static DocumentScope All { get; } = new();

    /// <summary>The physical partition that the client named or its limits lead to; null when there is none.</summary>
    public PhysicalPartition? Partition { get; init; }

    /// <summary>The only partition key.</summary>
    public PartitionKeyIdentity? Key { get; init; }

    /// <summary>The only positions, when the client asks for less than whole partitions.</summary>
    public (EffectivePartitionKey Start, EffectivePartitionKey End)? Positions { get; init; }

    /// <summary>The only hierarchical keys, when the client asks for less than whole partitions.</summary>
    public HierarchicalRange? Hierarchy { get; init; }

    /// <summary>Whether every document of a partition is in it.</summary>
    public bool IsWhole => Key is null && Positions is null && Hierarchy is null;

    /// <summary>Whether a document of its partition is in it.</summary>
    public bool Holds(ContainerResource container, in DocumentRecord record, ReadOnlySpan<byte> body) =>
        (Key is not { } key || record.Key.PartitionKeyHash == key.Hash)
        && (Positions is not { } positions || IsWithin(positions, container, body))
        && Hierarchy?.Holds(container.Settings.PartitionKey, body) != false;

    private static bool IsWithin(
        (EffectivePartitionKey Start, EffectivePartitionKey End) positions, ContainerResource container, ReadOnlySpan<byte> body)
    {
        DocumentFacts facts = default;
        return container.Inspector.TryInspect(body.ToArray(), ref facts, out _)
            && facts.PartitionKey.Position.Position >= positions.Start.Position
            && facts.PartitionKey.Position.Position < positions.End.Position;
    }
}
