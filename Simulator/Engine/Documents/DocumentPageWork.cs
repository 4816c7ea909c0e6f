namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>One page of documents or results from one physical partition: of a query, a read feed or the change feed.</summary>
internal abstract class DocumentPageWork : DocumentWork
{
    /// <summary>Results of a page, 1 and more.</summary>
    public required int PageSize { get; init; }

    public DocumentScope Scope { get; set; } = DocumentScope.All;

    public long SessionLsn { get; set; }

    /// <summary>Results on the page; of aggregates without groups, 1.</summary>
    public int ItemCount { get; protected set; }

    public override OperationKind Kind => OperationKind.Query;

    public override PhysicalPartition? Partition => Current;

    /// <summary>The partition that the page is from; set when it is prepared.</summary>
    protected PhysicalPartition? Current { get; set; }

    /// <summary>Whether the partition takes the work; else its result says why not.</summary>
    protected bool TryAdmit(PhysicalPartition partition, long nowTicks)
    {
        lock (partition.Gate)
        {
            if (!OperationAdmission.TryAdmit(partition, Kind, Claim, nowTicks, out OperationResult rejection))
            {
                Result = rejection.IsRejectedBySplit ? RejectionOf(partition) : rejection;
                return false;
            }

            if (SessionLsn <= partition.Lsn)
                return true;
            partition.RecordCharge(Kind, Charges.EmptyRead, nowTicks, Claim);
            Result = OperationResult.SessionNotAvailable with { Charge = Charges.EmptyRead, Lsn = partition.Lsn };
            return false;
        }
    }

    /// <summary>Takes back what was admitted, because the partition began to split meanwhile; called under its lock.</summary>
    protected void Withdraw(PhysicalPartition partition)
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
