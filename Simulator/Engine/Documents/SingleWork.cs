using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>One operation on one document.</summary>
internal sealed class SingleWork : DocumentWork
{
    public DocumentOperation Operation { get; } = new();

    public override OperationKind Kind => Operation.Kind;

    public override PhysicalPartition? Partition => Operation.Partition;

    protected override long ServedBytes => IsWrite ? Operation.Body.Length : Output.WrittenCount;

    /// <summary>False when the result says already what is wrong with the request.</summary>
    public bool TryPrepare() => OperationPreparer.TryPrepare(Container, Operation) || FailToPrepare(Operation.Result);

    public override void Execute(long nowTicks)
    {
        lock (Partition!.Gate)
            Result = OperationAdmission.Execute(this, Partition, Operation, nowTicks);
    }

    public override bool TryReroute() => TryPrepare();
}
