using System.Buffers;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>A TransactionalBatch: operations on one partition key that are all done or none. For the caller and in the ledger it is one operation.</summary>
internal sealed class TransactionWork(ArrayBufferWriter<byte> output) : DocumentWork
{
    private OperationResult _result;
    private PhysicalPartition? _partition;
    private ReadOnlyMemory<byte> _partitionKeyJson;

    /// <summary>The operations in their order.</summary>
    public List<DocumentOperation> Operations { get; } = [];

    public override OperationKind Kind => OperationKind.Batch;

    public override bool IsWrite => true;

    public override int? Partition => _partition?.Ordinal;

    public override OperationResult Result => _result;

    /// <summary>Whether each operation has a result of its own to show.</summary>
    public bool HasOperationResults { get; private set; }

    /// <summary>False when the result says already what is wrong with the request.</summary>
    public bool TryPrepare(ReadOnlyMemory<byte> partitionKeyJson)
    {
        HasOperationResults = false;
        _partitionKeyJson = partitionKeyJson;
        bool valid = OperationPreparer.TryReadKey(Container.Definition.Version, partitionKeyJson, out PartitionKeyIdentity key);
        _partition = valid ? Container.Table.Find(key.Position) : Container.Partitions[0];
        if (!valid)
        {
            _result = OperationResult.Fail(ServiceStatus.BadRequest, "The batch needs a partition key: a JSON array with one value.");
            lock (_partition.Gate)
                _partition.Counter.Attempt(Kind);
            return false;
        }

        foreach (DocumentOperation operation in Operations)
        {
            operation.PartitionKeyJson = partitionKeyJson;
            OperationPreparer.TryPrepare(Container, operation);
        }

        return true;
    }

    public override void Execute(long nowTicks)
    {
        PhysicalPartition partition = _partition!;
        lock (partition.Gate)
        {
            if (!OperationAdmission.TryAdmit(partition, Kind, nowTicks, out _result))
                return;
            RequestUnits charge = RequestUnits.Zero;
            int failed = ExecuteAll(partition, nowTicks, ref charge);
            partition.RecordCharge(Kind, charge, nowTicks);
            HasOperationResults = true;
            _result = new OperationResult { Status = failed < 0 ? ServiceStatus.Ok : ServiceStatus.MultiStatus, Charge = charge, Lsn = partition.Lsn };
        }
    }

    public override bool TryRoute() => TryPrepare(_partitionKeyJson);

    public override void Fail(int? status, int subStatus, bool executed, long nowTicks)
    {
        HasOperationResults = false;
        lock (_partition!.Gate)
            _result = OperationAdmission.Fail(_partition, Kind, _result, status, subStatus, executed, nowTicks);
    }

    /// <summary>The index of the operation that failed, or -1.</summary>
    private int ExecuteAll(PhysicalPartition partition, long nowTicks, ref RequestUnits charge)
    {
        var undo = new UndoLog();
        for (int i = 0; i < Operations.Count; i++)
        {
            DocumentOperation operation = Operations[i];
            if (operation.Result.Status == 0)
                operation.Result = OperationExecutor.Execute(Container, partition, operation, output, undo, nowTicks);
            // What was done before a failure is charged, as it is on the service.
            charge += operation.Result.Charge;
            if (operation.Result.IsSuccess)
                continue;
            undo.RollBack(partition);
            for (int j = 0; j < Operations.Count; j++)
            {
                if (j != i)
                {
                    Operations[j].Output = default;
                    Operations[j].Result = OperationResult.Fail(ServiceStatus.FailedDependency, null);
                }
            }

            return i;
        }

        return -1;
    }
}
