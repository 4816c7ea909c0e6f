using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Asks the partition's budget, does the operation, charges it and records it. The caller holds the partition's lock.</summary>
internal static class OperationAdmission
{
    public static OperationResult Execute(DocumentWork work, PhysicalPartition partition, DocumentOperation operation, long nowTicks)
    {
        if (!TryAdmit(partition, operation.Kind, work.Claim, nowTicks, out OperationResult rejection))
            return rejection;
        OperationResult result = OperationExecutor.Execute(work, partition, operation, undo: null, nowTicks);
        partition.RecordCharge(operation.Kind, result.Charge, nowTicks, work.Claim);
        return result;
    }

    /// <summary>Records the attempt; false with the result when the partition or container is gone or the budget used up.</summary>
    public static bool TryAdmit(
        PhysicalPartition partition, OperationKind kind, BudgetClaim claim, long nowTicks, out OperationResult rejection)
    {
        rejection = default;
        if (partition.IsSplitting)
        {
            // Clients ask again elsewhere without notice to their caller, so this is no attempt in the caller's sense.
            rejection = OperationResult.CompletingSplit;
            return false;
        }

        partition.Counter.Attempt(kind);
        if (partition.Status == PartitionStatus.Deleted)
        {
            rejection = OperationResult.Fail(ServiceStatus.NotFound, "Owner resource does not exist.", ServiceStatus.OwnerNotFound);
            return false;
        }

        partition.RemoveExpired(nowTicks);
        if (partition.TryAdmit(claim, nowTicks, out rejection))
            return true;
        partition.RecordThrottled(kind, nowTicks);
        return false;
    }

    /// <summary>Records what a fault made of an operation: the client counts an attempt, and a 429 when it sees one.</summary>
    public static OperationResult Fail(
        PhysicalPartition partition, OperationKind kind, in OperationResult result, in FaultDecision fault, bool executed, long nowTicks)
    {
        if (!executed)
            partition.Counter.Attempt(kind);
        if (fault.Status == ServiceStatus.TooManyRequests && !(executed && result.IsThrottled))
            partition.RecordThrottled(kind, nowTicks);
        return fault.ToResult(executed ? result.Charge : RequestUnits.Zero) with { Lsn = partition.Lsn };
    }
}
