using System.Buffers;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Asks the partition's budget, does the operation, charges it and books it. The caller holds the partition's lock.</summary>
internal static class OperationAdmission
{
    public static DocumentResult Execute(ContainerResource container, PhysicalPartition partition, DocumentOperation operation, ArrayBufferWriter<byte> output, long nowTicks)
    {
        if (!TryAdmit(partition, operation.Kind, nowTicks, out DocumentResult rejection))
            return rejection;
        DocumentResult result = OperationExecutor.Execute(container, partition, operation, output, undo: null, nowTicks);
        partition.BookCharge(operation.Kind, result.Charge, nowTicks);
        return result;
    }

    /// <summary>Books the attempt; false with the answer when the partition or container is gone or the budget used up.</summary>
    public static bool TryAdmit(PhysicalPartition partition, DocumentOperationKind kind, long nowTicks, out DocumentResult rejection)
    {
        rejection = default;
        if (partition.Status is PartitionStatus.CompletingSplit or PartitionStatus.Split)
        {
            // Clients ask again elsewhere without telling their caller, so this is no attempt in the caller's sense.
            rejection = DocumentResult.OfSplit(PartitionStatus.CompletingSplit);
            return false;
        }

        partition.Ledger.Attempt(kind);
        if (partition.Status == PartitionStatus.Deleted)
        {
            rejection = DocumentResult.Fail(DocumentStatus.NotFound, "Owner resource does not exist.", DocumentStatus.OwnerNotFound);
            return false;
        }

        if (partition.Budget.TryAdmit(nowTicks, out int retryAfterMs))
            return true;
        partition.BookThrottled(kind, nowTicks);
        rejection = Throttled(retryAfterMs) with { Lsn = partition.Lsn };
        return false;
    }

    /// <summary>Books what a fault made of an operation: the client counts an attempt, and a 429 when it sees one.</summary>
    public static DocumentResult Fail(PhysicalPartition partition, DocumentOperationKind kind, DocumentResult result, int? status, int subStatus, bool executed, long nowTicks)
    {
        if (!executed)
            partition.Ledger.Attempt(kind);
        if (status == DocumentStatus.TooManyRequests && !(executed && result.IsThrottled))
            partition.BookThrottled(kind, nowTicks);
        return new DocumentResult
        {
            Status = status ?? 0,
            SubStatus = subStatus,
            Charge = executed ? result.Charge : RequestUnits.Zero,
            Lsn = partition.Lsn,
            RetryAfterMs = status == DocumentStatus.TooManyRequests ? 1 : 0,
            Message = "A fault rule of the simulated account answered.",
        };
    }

    private static DocumentResult Throttled(int retryAfterMs) => new()
    {
        Status = DocumentStatus.TooManyRequests,
        SubStatus = DocumentStatus.RequestUnitsExhausted,
        RetryAfterMs = retryAfterMs,
        Message = "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later.",
    };
}
