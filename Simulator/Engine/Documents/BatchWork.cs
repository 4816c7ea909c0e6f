namespace ScaleOut.Simulator.Engine.Documents;

internal abstract class BatchWork : DocumentWork
{
    /// <summary>Largest size of the documents in one response, the same as for a page.</summary>
    private const int MaxResponseBytes = 4 * 1024 * 1024;

    private readonly List<DocumentOperation> _operations = [];
    private int _count;

    public ReadOnlySpan<DocumentOperation> Operations => CollectionsMarshal.AsSpan(_operations)[.._count];

    public override OperationKind Kind => OperationKind.Batch;

    /// <summary>Whether each operation has its own result.</summary>
    public bool HasOperationResults => Result.Status is ServiceStatus.Ok or ServiceStatus.MultiStatus;

    protected override int ServedOperations
    {
        get
        {
            var served = 0;
            foreach (var operation in Result.IsThrottled ? [] : Operations)
                served += operation.Result.IsThrottled ? 0 : 1;
            return served;
        }
    }

    protected override long ServedBytes
    {
        get
        {
            long bytes = 0;
            foreach (var operation in Operations)
                bytes += operation.Kind == OperationKind.Read ? operation.Output.Length : operation.Body.Length;
            return bytes;
        }
    }

    /// <summary>Whether the operation succeeded, or found the version that the client has already.</summary>
    protected static bool IsGood(in OperationResult result) => result.IsSuccess || result.Status == ServiceStatus.NotModified;

    /// <summary>Whether documents of this size exceed the limit of a response.</summary>
    protected static bool IsTooLarge(int bytes) => bytes > MaxResponseBytes;

    /// <summary>Fails an operation whose document does not fit into the response. It stays charged.</summary>
    protected static void FailAsTooLarge(DocumentOperation operation)
    {
        operation.Output = default;
        operation.Result = OperationResult.Fail(
            ServiceStatus.TooLarge, "Response size is too large: a batch may return 4 MB.", ServiceStatus.BatchResponseTooLarge) with
        {
            Charge = operation.Result.Charge,
            Lsn = operation.Result.Lsn,
        };
    }

    public DocumentOperation Add()
    {
        if (_count == _operations.Count)
            _operations.Add(new DocumentOperation());
        var operation = _operations[_count++];
        operation.Reset();
        return operation;
    }

    /// <summary>Removes the last request's operations. Their objects are reused.</summary>
    public void Clear() => _count = 0;
}

/// <summary>Many operations on one physical partition, each with its own admission, outcome and ledger entry.</summary>
internal sealed class BulkWork : BatchWork
{
    /// <summary>The range that the client addressed; null for none.</summary>
    public PhysicalPartition? Range { get; set; }

    /// <summary>Whether operations continue after a failed one. If not, the remaining operations fail with 424.</summary>
    public bool ContinuesOnError { get; set; }

    public override PhysicalPartition? Partition => Range;

    public void Prepare()
    {
        Result = default;
        foreach (var operation in Operations)
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

        var stopped = false;
        var allGood = true;
        var charge = RequestUnits.Zero;
        var retryAfterMs = 0;
        foreach (var operation in Operations)
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
            Charge = charge.Rounded(),
            Lsn = Range?.Lsn ?? 0,
            RetryAfterMs = retryAfterMs,
        };
    }

    public override bool TryReroute() => Range?.Status == PartitionStatus.CompletingSplit;

    public override void Fail(in FaultDecision fault, bool executed, long nowTicks)
    {
        foreach (var operation in Operations)
        {
            var partition = PartitionOf(operation);
            lock (partition.Gate)
                operation.Result = OperationAdmission.Fail_NeedsLock(
                    partition, operation.Kind, operation.Result, fault, executed, nowTicks);
        }

        Result = fault.ToResult(Result.Charge);
    }

    private void ExecuteOne(DocumentOperation operation, bool stopped, long nowTicks)
    {
        var partition = PartitionOf(operation);
        lock (partition.Gate)
        {
            if (!stopped && operation.Result.Status == 0)
            {
                operation.Result = OperationAdmission.Execute_NeedsLock(this, partition, operation, nowTicks);
                return;
            }

            partition.Counter.Attempt(operation.Kind);
            if (operation.Result.Status == 0)
                operation.Result = OperationResult.FailedDependency;
        }
    }

    private PhysicalPartition PartitionOf(DocumentOperation operation) => Range ?? operation.Partition ?? Container.Partitions[0];
}
