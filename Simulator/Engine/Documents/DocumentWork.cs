namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>The document operations of one request: one, a batch, or a page. It is prepared, then run by the pipeline.</summary>
internal abstract class DocumentWork
{
    /// <summary>Set before preparing.</summary>
    public ContainerResource Container { get; set; } = null!;

    /// <summary>Buffer for the returned documents; set before executing.</summary>
    public ArrayBufferWriter<byte> Output { get; set; } = null!;

    /// <summary>Set before executing, unless charges are the default ones.</summary>
    public RequestCharges Charges { get; set; } = RequestCharges.Default;

    /// <summary>The client's priority and throughput bucket; set before executing.</summary>
    public BudgetClaim Claim { get; set; }

    public abstract OperationKind Kind { get; }

    /// <summary>The work's partition; null for several.</summary>
    public abstract PhysicalPartition? Partition { get; }

    public OperationResult Result { get; protected set; }

    /// <summary>When the response is due; set by the pipeline.</summary>
    public ResponseDelay Delay { get; set; }

    /// <summary>The time of the response without the network's, in ms; set by the pipeline.</summary>
    public double ServiceMs { get; set; }

    /// <summary>What the work asked of the service, which decides its latency.</summary>
    public ServiceDemand Demand => new(IsWrite, ServedOperations, ServedBytes, Partition?.Budget.Utilization ?? 0);

    /// <summary>Operations that were not throttled.</summary>
    protected virtual int ServedOperations => Result.IsThrottled ? 0 : 1;

    /// <summary>Bytes of the documents that were written, or returned.</summary>
    protected virtual long ServedBytes => IsWrite ? 0 : Output.WrittenCount;

    public bool IsWrite => Kind is not (OperationKind.Read or OperationKind.Query);

    /// <summary>The charge of a delete of a document, which is that of its create.</summary>
    public RequestUnits ChargeOfDelete(ReadOnlySpan<byte> body) =>
        Charges.Model.Create(body.Length, Container.Settings.Indexing.CountEntries(body))
        + ChargeModel.UniqueKeys(Container.Settings.Policies.UniqueKeys.Count);

    /// <summary>Executes and records the work under the partition's lock and budget.</summary>
    public abstract void Execute(long nowTicks);

    /// <summary>
    /// Called if a split rejected the work: whether to execute it again, on the partition that has the key now or on the same one after its
    /// split. False if the client must read the ranges first.
    /// </summary>
    public abstract bool TryReroute();

    /// <summary>Ends with a fault's status instead of the work's own result.</summary>
    /// <param name="executed">Whether the operations were done nevertheless.</param>
    public virtual void Fail(in FaultDecision fault, bool executed, long nowTicks)
    {
        lock (Partition!.Gate)
            Result = OperationAdmission.Fail_NeedsLock(Partition, Kind, Result, fault, executed, nowTicks);
    }

    /// <summary>Whether the partition admits the work; if not, the result says why.</summary>
    protected bool TryEnter_NeedsLock(PhysicalPartition partition, long nowTicks)
    {
        Result = default;
        if (OperationAdmission.TryAdmit_NeedsLock(partition, Kind, Claim, nowTicks, out var rejection))
            return true;
        Result = rejection;
        return false;
    }

    /// <summary>Whether the partition has the writes that the session has seen; if not, the work ends.</summary>
    protected bool MeetsSession_NeedsLock(PhysicalPartition partition, long sessionLsn, long nowTicks)
    {
        if (sessionLsn <= partition.Lsn)
            return true;
        Finish_NeedsLock(partition, OperationResult.SessionNotAvailable, Charges.EmptyRead, nowTicks);
        return false;
    }

    /// <summary>Charges the sum of the request, rounded, records it and sets the result.</summary>
    protected void Finish_NeedsLock(PhysicalPartition partition, in OperationResult result, RequestUnits charge, long nowTicks)
    {
        charge = charge.Rounded();
        partition.RecordCharge_NeedsLock(Kind, charge, nowTicks, Claim);
        Result = result with { Charge = charge, Lsn = partition.Lsn };
    }

    protected void Finish_NeedsLock(PhysicalPartition partition, int status, RequestUnits charge, long nowTicks) =>
        Finish_NeedsLock(partition, new OperationResult { Status = status }, charge, nowTicks);

    /// <summary>Ends with an error before executing. The attempt counts in the ledger nevertheless. Returns false.</summary>
    protected bool FailToPrepare(in OperationResult result)
    {
        Result = result;
        var partition = Partition ?? Container.Partitions[0];
        lock (partition.Gate)
            partition.Counter.Attempt(Kind);
        return false;
    }
}

internal sealed record DocumentScope
{
    public static DocumentScope All { get; } = new();

    /// <summary>The partition that the client named, or that contains the requested keys; null for none.</summary>
    public PhysicalPartition? Partition { get; init; }

    public PartitionKeyIdentity? Key { get; init; }

    /// <summary>The range of positions, if the client asks for less than whole partitions.</summary>
    public (EffectivePartitionKey Start, EffectivePartitionKey End)? Positions { get; init; }

    /// <summary>The range of hierarchical keys, if the client asks for less than whole partitions.</summary>
    public HierarchicalRange? Hierarchy { get; init; }

    public bool IsWhole => Key is null && Positions is null && Hierarchy is null;

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

/// <summary>One page from one physical partition: of a query, a read feed or the change feed.</summary>
internal abstract class DocumentPageWork : DocumentWork
{
    /// <summary>Largest number of results on a page.</summary>
    public required int PageSize { get; init; }

    public DocumentScope Scope { get; set; } = DocumentScope.All;

    public long SessionLsn { get; set; }

    /// <summary>Number of results on the page; 1 for aggregates without groups.</summary>
    public int ItemCount { get; protected set; }

    public override OperationKind Kind => OperationKind.Query;

    public override PhysicalPartition? Partition => Current;

    /// <summary>The page's partition; set by preparing.</summary>
    protected PhysicalPartition? Current { get; set; }

    /// <summary>Whether the partition takes the work; if not, the result says why.</summary>
    protected bool TryAdmit(PhysicalPartition partition, long nowTicks)
    {
        lock (partition.Gate)
        {
            var isAdmitted = TryEnter_NeedsLock(partition, nowTicks) && MeetsSession_NeedsLock(partition, SessionLsn, nowTicks);
            if (Result.IsRejectedBySplit)
                Result = RejectionOf(partition);
            return isAdmitted;
        }
    }

    /// <summary>Reverts an admission, because the partition began to split in the meantime.</summary>
    protected void Withdraw_NeedsLock(PhysicalPartition partition)
    {
        partition.Counter.Withdraw(Kind);
        Result = RejectionOf(partition);
    }

    protected void BeginPage() => Output.Write(Encoding.ASCII.GetBytes($"{{\"_rid\":\"{Container.Rid}\",\"Documents\":["));

    protected void EndPage() =>
        Output.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"],\"_count\":{ItemCount}}}")));

    private static OperationResult RejectionOf(PhysicalPartition partition) =>
        partition.Status == PartitionStatus.CompletingSplit ? OperationResult.CompletingSplit : OperationResult.RangeGone;
}
