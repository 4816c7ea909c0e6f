using System.Buffers;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Does prepared operations. The caller holds the partition's lock, has asked the budget, and books the charge.</summary>
internal static class OperationExecutor
{
    /// <summary>Does the operation, writes the document that is returned to <paramref name="output"/>, and notes what it changes in <paramref name="undo"/>.</summary>
    public static DocumentResult Execute(ContainerResource container, PhysicalPartition partition, DocumentOperation operation, ArrayBufferWriter<byte> output, UndoLog? undo, long nowTicks)
    {
        long address = partition.Store.Find(operation.Key);
        DocumentResult result = operation.Kind switch
        {
            DocumentOperationKind.Create when address >= 0 => Stopped(DocumentStatus.Conflict, "Entity with the specified id already exists in the system."),
            DocumentOperationKind.Create => Add(container, partition, operation, undo, nowTicks, ref address),
            DocumentOperationKind.Upsert when address < 0 => Add(container, partition, operation, undo, nowTicks, ref address),
            DocumentOperationKind.Read when address < 0 && operation.SessionLsn > partition.Lsn =>
                Stopped(DocumentStatus.NotFound, "The read session is not available for the input session token.", DocumentStatus.ReadSessionNotAvailable),
            _ when address < 0 => Stopped(DocumentStatus.NotFound, "Entity with the specified id does not exist in the system."),
            DocumentOperationKind.Read => Read(container, partition, operation, address),
            _ when !Matches(operation.IfMatch, container, partition, address) =>
                Stopped(DocumentStatus.PreconditionFailed, "Operation cannot be performed because one of the specified precondition is not met."),
            DocumentOperationKind.Delete => Delete(partition, undo, address),
            _ => Replace(partition, operation, undo, nowTicks, ref address),
        };
        result.Lsn = partition.Lsn;
        if (operation.ReturnsBody && result.Status is (DocumentStatus.Ok or DocumentStatus.Created))
        {
            int start = output.WrittenCount;
            DocumentWriter.Write(output, container, in partition.Store.Record(address), partition.Store.Body(address));
            operation.Output = (start, output.WrittenCount - start);
        }

        return result;
    }

    private static DocumentResult Add(ContainerResource container, PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks, ref long address)
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
        if (operation.Kind == DocumentOperationKind.Create)
            partition.Ledger.Created++;
        else
            partition.Ledger.UpsertedNew++;
        undo?.Added(operation.Kind, operation.Key);
        return new DocumentResult { Status = DocumentStatus.Created, Charge = RequestCharges.Write(facts.Body.Length, facts.Leaves), Version = record.Version };
    }

    private static DocumentResult Replace(PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks, ref long address)
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
        partition.Ledger.Replaced++;
        return new DocumentResult { Status = DocumentStatus.Ok, Charge = RequestCharges.Write(facts.Body.Length, facts.Leaves), Version = record.Version };
    }

    private static DocumentResult Delete(PhysicalPartition partition, UndoLog? undo, long address)
    {
        DocumentRecord record = partition.Store.Record(address);
        undo?.Changing(DocumentOperationKind.Delete, in record, partition.Store.Body(address));
        partition.Store.Remove(address);
        partition.Lsn++;
        partition.Ledger.Deleted++;
        return new DocumentResult { Status = DocumentStatus.NoContent, Charge = RequestCharges.Write(record.BodyLength, record.Leaves) };
    }

    private static DocumentResult Read(ContainerResource container, PhysicalPartition partition, DocumentOperation operation, long address)
    {
        ref DocumentRecord record = ref partition.Store.Record(address);
        if (operation.SessionLsn > partition.Lsn)
            return Stopped(DocumentStatus.NotFound, "The read session is not available for the input session token.", DocumentStatus.ReadSessionNotAvailable);
        if (operation.IfNoneMatch is not null && Matches(operation.IfNoneMatch, container, partition, address))
            return new DocumentResult { Status = DocumentStatus.NotModified, Charge = RequestCharges.LookUp, Version = record.Version };
        return new DocumentResult { Status = DocumentStatus.Ok, Charge = RequestCharges.Read(record.BodyLength), Version = record.Version };
    }

    private static bool Matches(string? etag, ContainerResource container, PhysicalPartition partition, long address) =>
        etag is null or "*" || etag.Trim('"') == DocumentEtag.Quoted(container.Number, partition.Store.Record(address).Version).Trim('"');

    private static DocumentResult Stopped(int status, string message, int subStatus = 0) =>
        new() { Status = status, SubStatus = subStatus, Message = message, Charge = RequestCharges.LookUp };
}
