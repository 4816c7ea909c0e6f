using System.Buffers;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Many operations of one physical partition in one request, each with its own admission, outcome and place in the ledger.</summary>
internal sealed class BulkWork(ArrayBufferWriter<byte> output) : DocumentWork
{
    private OperationResult _result;

    /// <summary>The operations in their order; kept for the next request.</summary>
    public List<DocumentOperation> Operations { get; } = [];

    /// <summary>Operations of this request; those behind are spare.</summary>
    public int Count { get; set; }

    /// <summary>The range that the client addressed; null when it named none.</summary>
    public PhysicalPartition? Range { get; set; }

    /// <summary>Whether operations go on behind one that failed; else the rest is answered 424.</summary>
    public bool ContinuesOnError { get; set; }

    public override OperationKind Kind => OperationKind.Batch;

    public override bool IsWrite => true;

    public override int? Partition => Range?.Ordinal;

    public override OperationResult Result => _result;

    /// <summary>The next operation to fill.</summary>
    public DocumentOperation Add()
    {
        if (Count == Operations.Count)
            Operations.Add(new DocumentOperation());
        DocumentOperation operation = Operations[Count++];
        operation.Reset();
        return operation;
    }

    public void Prepare()
    {
        _result = default;
        for (int i = 0; i < Count; i++)
        {
            DocumentOperation operation = Operations[i];
            if (OperationPreparer.TryPrepare(Container, operation) && Range is not null && operation.Partition != Range.Ordinal)
                operation.Result = OperationResult.Fail(ServiceStatus.Gone, "The partition key range does not hold the operation's key.", ServiceStatus.PartitionKeyRangeGone);
        }
    }

    public override void Execute(long nowTicks)
    {
        if (Range is { Status: PartitionStatus.CompletingSplit or PartitionStatus.Split })
        {
            _result = OperationResult.OfSplit(Range.Status);
            return;
        }

        bool stopped = false;
        bool allGood = true;
        long charged = 0;
        int retryAfterMs = 0;
        for (int i = 0; i < Count; i++)
        {
            DocumentOperation operation = Operations[i];
            PhysicalPartition partition = PartitionOf(operation);
            lock (partition.Gate)
            {
                if (stopped || operation.Result.Status != 0)
                {
                    partition.Counter.Attempt(operation.Kind);
                    if (operation.Result.Status == 0)
                        operation.Result = OperationResult.Fail(ServiceStatus.FailedDependency, null);
                }
                else
                {
                    operation.Result = OperationAdmission.Execute(Container, partition, operation, output, nowTicks);
                }
            }

            charged += operation.Result.Charge.Hundredths;
            retryAfterMs = Math.Max(retryAfterMs, operation.Result.RetryAfterMs);
            allGood &= operation.Result.IsSuccess;
            stopped |= !operation.Result.IsSuccess && !ContinuesOnError;
        }

        _result = new OperationResult
        {
            Status = allGood ? ServiceStatus.Ok : ServiceStatus.MultiStatus,
            Charge = new(charged),
            Lsn = Range?.Lsn ?? 0,
            RetryAfterMs = retryAfterMs,
        };
    }

    public override bool TryRoute() => Range?.Status == PartitionStatus.CompletingSplit;

    public override void Fail(int? status, int subStatus, bool executed, long nowTicks)
    {
        for (int i = 0; i < Count; i++)
        {
            DocumentOperation operation = Operations[i];
            PhysicalPartition partition = PartitionOf(operation);
            lock (partition.Gate)
                operation.Result = OperationAdmission.Fail(partition, operation.Kind, operation.Result, status, subStatus, executed, nowTicks);
        }

        _result = OperationResult.Fail(status ?? 0, "A fault rule of the simulated account answered.", subStatus) with
        {
            Charge = _result.Charge,
            RetryAfterMs = status == ServiceStatus.TooManyRequests ? 1 : 0,
        };
    }

    private PhysicalPartition PartitionOf(DocumentOperation operation) => Range ?? Container.Partitions[Math.Max(0, operation.Partition)];
}
