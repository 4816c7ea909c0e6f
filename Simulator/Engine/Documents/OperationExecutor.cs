using System.Buffers;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Does prepared operations. The caller holds the partition's lock, has asked the budget, and records the charge.</summary>
internal static class OperationExecutor
{
    private const string UniqueKeyMessage = "Unique index constraint violation.";

    /// <summary>
    /// Does the operation, writes the document that is returned to <paramref name="output"/>, and notes what it changes in
    /// <paramref name="undo"/>.
    /// </summary>
    public static OperationResult Execute(
        ContainerResource container, PhysicalPartition partition, DocumentOperation operation, ArrayBufferWriter<byte> output,
        UndoLog? undo, long nowTicks)
    {
        long address = partition.Store.Find(operation.Key);
        OperationResult result = operation.Kind switch
        {
            OperationKind.Create when address >= 0 =>
                Stop(ServiceStatus.Conflict, "Entity with the specified id already exists in the system."),
            OperationKind.Create when IsTaken(partition, operation) => Stop(ServiceStatus.Conflict, UniqueKeyMessage),
            OperationKind.Create => Add(partition, operation, undo, nowTicks, ref address),
            OperationKind.Upsert when address < 0 && IsTaken(partition, operation) => Stop(ServiceStatus.Conflict, UniqueKeyMessage),
            OperationKind.Upsert when address < 0 => Add(partition, operation, undo, nowTicks, ref address),
            OperationKind.Read when operation.SessionLsn > partition.Lsn =>
                OperationResult.SessionNotAvailable with { Charge = RequestCharges.LookUp },
            _ when address < 0 => Stop(ServiceStatus.NotFound, "Entity with the specified id does not exist in the system."),
            OperationKind.Read => Read(container, partition, operation, address),
            _ when !Matches(operation.IfMatch, container, partition, address) =>
                Stop(ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage),
            OperationKind.Patch => Patch(container, partition, operation, undo, nowTicks, ref address),
            OperationKind.Delete => Delete(partition, undo, address),
            _ when IsTaken(partition, operation) => Stop(ServiceStatus.Conflict, UniqueKeyMessage),
            _ => Replace(partition, operation, undo, nowTicks, ref address),
        };
        result.Lsn = partition.Lsn;
        if (operation.ReturnsBody && result.Status is (ServiceStatus.Ok or ServiceStatus.Created))
        {
            int start = output.WrittenCount;
            DocumentWriter.Write(output, container, in partition.Store.Record(address), partition.Store.Body(address));
            operation.Output = (start, output.WrittenCount - start);
        }

        return result;
    }

    private static OperationResult Add(
        PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks, ref long address)
    {
        DocumentFacts facts = operation.Facts;
        var record = new DocumentRecord
        {
            Key = operation.Key,
            Number = partition.NextNumber(),
            Version = ++partition.Lsn,
            TimestampSeconds = (uint)AccountClock.UnixSecond(nowTicks),
            Leaves = facts.Leaves,
        };
        address = partition.Store.Add(record, facts.Body.Span);
        if (operation.Kind == OperationKind.Create)
            partition.Counter.Created++;
        else
            partition.Counter.UpsertedNew++;
        undo?.Added(operation.Kind, operation.Key);
        return Written(ServiceStatus.Created, facts, record);
    }

    private static OperationResult Replace(
        PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks, ref long address)
    {
        DocumentFacts facts = operation.Facts;
        undo?.Changing(operation.Kind, in partition.Store.Record(address), partition.Store.Body(address));
        var record = new DocumentRecord
        {
            Version = ++partition.Lsn,
            TimestampSeconds = (uint)AccountClock.UnixSecond(nowTicks),
            Leaves = facts.Leaves,
        };
        address = partition.Store.Replace(address, record, facts.Body.Span);
        partition.Counter.Replaced++;
        return Written(ServiceStatus.Ok, facts, record);
    }

    private static OperationResult Patch(
        ContainerResource container, PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks,
        ref long address)
    {
        if (!PatchExecutor.TryPatch(container, partition, operation, address, out OperationResult error))
            return error;
        if (IsTaken(partition, operation))
            return Stop(ServiceStatus.Conflict, UniqueKeyMessage);
        OperationResult result = Replace(partition, operation, undo, nowTicks, ref address);
        result.Charge = RequestCharges.Patch(result.Charge, operation.Patch!.Steps.Count);
        return result;
    }

    private static OperationResult Delete(PhysicalPartition partition, UndoLog? undo, long address)
    {
        DocumentRecord record = partition.Store.Record(address);
        undo?.Changing(OperationKind.Delete, in record, partition.Store.Body(address));
        partition.Store.Remove(address);
        partition.Lsn++;
        partition.Counter.Deleted++;
        return new OperationResult { Status = ServiceStatus.NoContent, Charge = RequestCharges.Write(record.BodyLength, record.Leaves) };
    }

    private static OperationResult Read(ContainerResource container, PhysicalPartition partition, DocumentOperation operation, long address)
    {
        ref DocumentRecord record = ref partition.Store.Record(address);
        if (operation.IfNoneMatch is not null && Matches(operation.IfNoneMatch, container, partition, address))
            return new OperationResult { Status = ServiceStatus.NotModified, Charge = RequestCharges.LookUp, Version = record.Version };
        return new OperationResult { Status = ServiceStatus.Ok, Charge = RequestCharges.Read(record.BodyLength), Version = record.Version };
    }

    private static bool Matches(string? etag, ContainerResource container, PhysicalPartition partition, long address) =>
        etag is null or "*" || etag.Trim('"') == DocumentEtag.Quoted(container.Number, partition.Store.Record(address).Version).Trim('"');

    /// <summary>Whether another document of the logical partition has the values of a unique key.</summary>
    private static bool IsTaken(PhysicalPartition partition, DocumentOperation operation) =>
        partition.Store.Rules?.ConflictsWith(operation.Key, operation.Facts.Body.Span) == true;

    private static OperationResult Written(int status, in DocumentFacts facts, in DocumentRecord record) =>
        new() { Status = status, Charge = RequestCharges.Write(facts.Body.Length, facts.Leaves), Version = record.Version };

    private static OperationResult Stop(int status, string message) =>
        OperationResult.Fail(status, message) with { Charge = RequestCharges.LookUp };
}
