namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>
/// Many operations of one physical partition in one request, each with its own admission, outcome and place in the ledger.
/// </summary>
internal sealed class BulkWork : BatchWork
{
    /// <summary>The range that the client addressed; null when it named none.</summary>
    public PhysicalPartition? Range { get; set; }

    /// <summary>Whether operations continue behind one that failed; else the rest ends with 424.</summary>
    public bool ContinuesOnError { get; set; }

    public override PhysicalPartition? Partition => Range;

    public void Prepare()
    {
        Result = default;
        foreach (DocumentOperation operation in Operations)
        {
            if (OperationPreparer.TryPrepare(Container, operation) && Range is not null && operation.Partition != Range)
            {
                operation.Result = OperationResult.Fail(
                    ServiceStatus.Gone, "The partition key range does not hold the operation's key.", ServiceStatus.PartitionKeyRangeGone);
            }
        }
    }

    public override void Execute(long nowTicks)
    {
        if (Range is { IsSplitting: true })
        {
            Result = Range.Status == PartitionStatus.Split ? OperationResult.RangeGone : OperationResult.CompletingSplit;
            return;
        }

        bool stopped = false;
        bool allGood = true;
        RequestUnits charge = RequestUnits.Zero;
        int retryAfterMs = 0;
        foreach (DocumentOperation operation in Operations)
        {
            ExecuteOne(operation, stopped, nowTicks);
            if (IsTooLarge(operation.Output.Start + operation.Output.Length))
                FailAsTooLarge(operation);
            charge += operation.Result.Charge;
            retryAfterMs = Math.Max(retryAfterMs, operation.Result.RetryAfterMs);
            allGood &= operation.Result.IsSuccess;
            stopped |= !IsGood(operation.Result) && !ContinuesOnError;
        }

        Result = new OperationResult
        {
            Status = allGood ? ServiceStatus.Ok : ServiceStatus.MultiStatus,
            Charge = charge,
            Lsn = Range?.Lsn ?? 0,
            RetryAfterMs = retryAfterMs,
        };
    }

    public override bool TryReroute() => Range?.Status == PartitionStatus.CompletingSplit;

    public override void Fail(in FaultDecision fault, bool executed, long nowTicks)
    {
        foreach (DocumentOperation operation in Operations)
        {
            PhysicalPartition partition = PartitionOf(operation);
            lock (partition.Gate)
                operation.Result = OperationAdmission.Fail(partition, operation.Kind, operation.Result, fault, executed, nowTicks);
        }

        Result = fault.ToResult(Result.Charge);
    }

    private void ExecuteOne(DocumentOperation operation, bool stopped, long nowTicks)
    {
        PhysicalPartition partition = PartitionOf(operation);
        lock (partition.Gate)
        {
            if (!stopped && operation.Result.Status == 0)
            {
                operation.Result = OperationAdmission.Execute(this, partition, operation, nowTicks);
                return;
            }

            partition.Counter.Attempt(operation.Kind);
            if (operation.Result.Status == 0)
                operation.Result = OperationResult.FailedDependency;
        }
    }

    private PhysicalPartition PartitionOf(DocumentOperation operation) => Range ?? operation.Partition ?? Container.Partitions[0];
}
