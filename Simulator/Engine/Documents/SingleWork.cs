using System.Buffers;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>One operation on one document.</summary>
internal sealed class SingleWork(ArrayBufferWriter<byte> output) : DocumentWork
{
    public DocumentOperation Operation { get; } = new();

    public override OperationKind Kind => Operation.Kind;

    public override bool IsWrite => Operation.IsWrite;

    public override int? Partition => Operation.Partition < 0 ? null : Operation.Partition;

    public override OperationResult Result => Operation.Result;

    /// <summary>False when the result says already what is wrong with the request.</summary>
    public bool TryPrepare()
    {
        if (OperationPreparer.TryPrepare(Container, Operation))
            return true;
        // The attempt is the caller's all the same, so it has to be in the ledger.
        PhysicalPartition partition = Container.Partitions[Math.Max(0, Operation.Partition)];
        lock (partition.Gate)
            partition.Counter.Attempt(Kind);
        return false;
    }

    public override void Execute(long nowTicks)
    {
        PhysicalPartition partition = Container.Partitions[Operation.Partition];
        lock (partition.Gate)
            Operation.Result = OperationAdmission.Execute(Container, partition, Operation, output, nowTicks);
    }

    public override bool TryRoute() => TryPrepare();

    public override void Fail(int? status, int subStatus, bool executed, long nowTicks)
    {
        PhysicalPartition partition = Container.Partitions[Operation.Partition];
        lock (partition.Gate)
            Operation.Result = OperationAdmission.Fail(partition, Kind, Operation.Result, status, subStatus, executed, nowTicks);
    }
}
