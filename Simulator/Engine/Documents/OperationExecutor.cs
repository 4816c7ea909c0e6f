using ScaleOut.Simulator.Engine.Patches;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Does prepared operations. The caller holds the partition's lock, has asked the budget, and records the charge.</summary>
internal static class OperationExecutor
{
    private const string UniqueKeyMessage = "Unique index constraint violation.";

    /// <summary>
    /// Does the operation, writes the document that is returned to the work's output, and notes what it changes in
    /// <paramref name="undo"/>.
    /// </summary>
    public static OperationResult Execute(
        DocumentWork work, PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks)
    {
        ContainerResource container = work.Container;
        long address = partition.Store.Find(operation.Key);
        OperationResult result = operation.Kind switch
        {
            OperationKind.Create when address >= 0 =>
                Stop(work, ServiceStatus.Conflict, RequestException.IsTaken),
            OperationKind.Create when IsTaken(partition, operation) => Stop(work, ServiceStatus.Conflict, UniqueKeyMessage),
            OperationKind.Create => Add(work, partition, operation, undo, nowTicks, ref address),
            OperationKind.Upsert when address < 0 && IsTaken(partition, operation) => Stop(work, ServiceStatus.Conflict, UniqueKeyMessage),
            OperationKind.Upsert when address < 0 => Add(work, partition, operation, undo, nowTicks, ref address),
            OperationKind.Read when operation.SessionLsn > partition.Lsn =>
                OperationResult.SessionNotAvailable with { Charge = work.Charges.EmptyRead },
            OperationKind.Read when address < 0 =>
                OperationResult.Fail(ServiceStatus.NotFound, RequestException.IsMissing) with { Charge = work.Charges.EmptyRead },
            _ when address < 0 => Stop(work, ServiceStatus.NotFound, RequestException.IsMissing),
            OperationKind.Read => Read(work, partition, operation, address),
            _ when !Matches(operation.IfMatch, container, partition, address) =>
                Stop(work, ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage),
            OperationKind.Patch => Patch(work, partition, operation, undo, nowTicks, ref address),
            OperationKind.Delete => Delete(work, partition, undo, address),
            _ when operation.InvalidBody is { } invalid => invalid with { Charge = work.Charges.LookUp },
            OperationKind.Replace when operation.Facts.Key != operation.Key && partition.Store.Find(operation.Facts.Key) >= 0 =>
                Stop(work, ServiceStatus.Conflict, RequestException.IsTaken),
            _ when IsTaken(partition, operation) => Stop(work, ServiceStatus.Conflict, UniqueKeyMessage),
            _ => Replace(work, partition, operation, undo, nowTicks, ref address),
        };
        result.Lsn = partition.Lsn;
        if (operation.ReturnsBody && result.Status is (ServiceStatus.Ok or ServiceStatus.Created))
        {
            int start = work.Output.WrittenCount;
            DocumentWriter.Write(work.Output, container, in partition.Store.Record(address), partition.Store.Body(address));
            operation.Output = (start, work.Output.WrittenCount - start);
        }

        return result;
    }

    private static OperationResult Add(
        DocumentWork work, PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks, ref long address)
    {
        DocumentFacts facts = operation.Facts;
        if (IsFull(work, partition, operation, facts.Body.Length))
            return StopFull(work);
        var record = new DocumentRecord
        {
            Key = operation.Key,
            Number = partition.NextNumber(),
            Version = ++partition.Lsn,
            TimestampSeconds = (uint)AccountClock.UnixSecond(nowTicks),
            Leaves = facts.Leaves,
        };
        address = partition.Store.Add(record, facts.Body.Span);
        work.Container.ObserveSize(partition);
        if (operation.Kind == OperationKind.Create)
            partition.Counter.Created++;
        else
            partition.Counter.UpsertedNew++;
        undo?.Added(operation.Kind, operation.Key);
        return Done(ServiceStatus.Created, work.Charges.Create(facts.Body.Length, facts.Leaves), record);
    }

    private static OperationResult Replace(
        DocumentWork work, PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks, ref long address)
    {
        DocumentFacts facts = operation.Facts;
        ReadOnlySpan<byte> before = partition.Store.Body(address);
        if (IsFull(work, partition, operation, facts.Body.Length - before.Length))
            return StopFull(work);
        RequestUnits charge = work.Charges.Replace(
            before.Length, facts.Body.Length, IndexDifference.Count(work.Container.Settings.Indexing, before, facts.Body.Span));
        undo?.Changing(operation.Kind, facts.Key, in partition.Store.Record(address), partition.Store.Body(address));
        var record = new DocumentRecord
        {
            Key = facts.Key,
            Version = ++partition.Lsn,
            TimestampSeconds = (uint)AccountClock.UnixSecond(nowTicks),
            Leaves = facts.Leaves,
        };
        address = partition.Store.Replace(address, record, facts.Body.Span);
        work.Container.ObserveSize(partition);
        partition.Counter.Replaced++;
        return Done(ServiceStatus.Ok, charge, record);
    }

    private static OperationResult Patch(
        DocumentWork work, PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks, ref long address)
    {
        if (!PatchExecutor.TryPatch(work.Container, partition, operation, address, out OperationResult error))
            return error with { Charge = work.Charges.LookUp };
        if (IsTaken(partition, operation))
            return Stop(work, ServiceStatus.Conflict, UniqueKeyMessage);
        OperationResult result = Replace(work, partition, operation, undo, nowTicks, ref address);
        if (result.IsSuccess)
            result.Charge = work.Charges.Patch(result.Charge, operation.Patch!.Steps.Count);
        return result;
    }

    private static OperationResult Delete(DocumentWork work, PhysicalPartition partition, UndoLog? undo, long address)
    {
        DocumentRecord record = partition.Store.Record(address);
        undo?.Changing(OperationKind.Delete, record.Key, in record, partition.Store.Body(address));
        partition.Store.Remove(address);
        partition.Lsn++;
        partition.Counter.Deleted++;
        RequestUnits charge = work.Charges.Delete(record.BodyLength, record.Leaves);
        return new OperationResult { Status = ServiceStatus.NoContent, Charge = charge };
    }

    private static OperationResult Read(DocumentWork work, PhysicalPartition partition, DocumentOperation operation, long address)
    {
        ref DocumentRecord record = ref partition.Store.Record(address);
        bool isKnown = operation.IfNoneMatch is not null && Matches(operation.IfNoneMatch, work.Container, partition, address);
        return isKnown
            ? Done(ServiceStatus.NotModified, work.Charges.EmptyRead, record)
            : Done(ServiceStatus.Ok, work.Charges.Read(record.BodyLength), record);
    }

    private static bool Matches(string? etag, ContainerResource container, PhysicalPartition partition, long address) =>
        etag is null or "*" || etag.Trim('"') == DocumentEtag.Quoted(container.Number, partition.Store.Record(address).Version).Trim('"');

    /// <summary>Whether another document of the logical partition has the values of a unique key.</summary>
    private static bool IsTaken(PhysicalPartition partition, DocumentOperation operation) =>
        partition.Store.Rules?.ConflictsWith(operation.Key, operation.Facts.Body.Span) == true;

    /// <summary>Whether the partition key cannot take so many bytes more.</summary>
    private static bool IsFull(DocumentWork work, PhysicalPartition partition, DocumentOperation operation, long added) =>
        partition.Store.WouldExceed(operation.Key.PartitionKeyHash, added, work.Container.Storage.MostBytesOfKey);

    private static OperationResult StopFull(DocumentWork work) =>
        Stop(work, ServiceStatus.Forbidden, StorageLimits.PartitionKeyIsFull, ServiceStatus.PartitionKeyFull);

    private static OperationResult Done(int status, RequestUnits charge, in DocumentRecord record) =>
        new() { Status = status, Charge = charge, Version = record.Version };

    private static OperationResult Stop(DocumentWork work, int status, string message, int subStatus = 0) =>
        OperationResult.Fail(status, message, subStatus) with { Charge = work.Charges.LookUp };
}

/// <summary>
/// Turns a patch of a stored document into the facts of the document that replaces it. The caller holds the partition's lock.
/// </summary>
internal static class PatchExecutor
{
    /// <summary>False with what is wrong, not charged yet; the document stays as it is.</summary>
    public static bool TryPatch(
        ContainerResource container, PhysicalPartition partition, DocumentOperation operation, long address, out OperationResult error)
    {
        PatchSpecification patch = operation.Patch!;
        error = default;
        ReadOnlySpan<byte> body = partition.Store.Body(address);
        if (!patch.Holds(body))
            return Stop(ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage, out error);
        if (DocumentPatcher.Apply(patch, body, out string? reason) is not { } changed)
            return Stop(ServiceStatus.BadRequest, reason!, out error);
        if (changed.Length > StorageLimits.MostBytesOfDocument)
            return Stop(ServiceStatus.TooLarge, StorageLimits.DocumentIsTooLarge, out error);
        DocumentFacts facts = default;
        if (container.Inspector.TryInspect(changed, ref facts, out reason))
            reason = container.Settings.CheckTtl(changed.Span);
        if (reason is not null)
            return Stop(ServiceStatus.BadRequest, reason, out error);
        if (facts.Key != operation.Key)
        {
            return Stop(
                ServiceStatus.BadRequest,
                $"A patch cannot change the document's id or its partition key {container.Settings.PartitionKeyPath}.", out error);
        }

        operation.Facts = facts;
        return true;
    }

    private static bool Stop(int status, string message, out OperationResult error)
    {
        error = OperationResult.Fail(status, message);
        return false;
    }
}
