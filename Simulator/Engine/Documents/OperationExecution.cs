namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Executes one prepared operation. The caller has checked the budget, and records the charge.</summary>
/// <param name="undo">Records the changes of the operation for a rollback; null outside of transactions.</param>
internal readonly ref struct OperationExecution(
    DocumentWork work, PhysicalPartition partition, DocumentOperation operation, UndoLog? undo, long nowTicks)
{
    private const string UniqueKeyMessage = "Unique index constraint violation.";

    private int UniqueKeys => work.Container.Settings.Policies.UniqueKeys.Count;

    /// <summary>Executes the operation and writes the document that is returned to the work's output.</summary>
    public OperationResult Run_NeedsLock()
    {
        var address = partition.Store.Find(operation.Key);
        var result = operation.Kind switch
        {
            OperationKind.Create or OperationKind.Upsert when operation.InvalidBody is { } invalid => Refuse(invalid),
            OperationKind.Create when address >= 0 => Conflict(),
            OperationKind.Create or OperationKind.Upsert when address < 0 => Add_NeedsLock(out address),
            OperationKind.Read when operation.SessionLsn > partition.Lsn =>
                OperationResult.SessionNotAvailable with { Charge = work.Charges.EmptyRead },
            OperationKind.Read when address < 0 =>
                OperationResult.Fail(ServiceStatus.NotFound, RequestException.ResourceNotFound) with { Charge = work.Charges.EmptyRead },
            _ when address < 0 => Stop(ServiceStatus.NotFound, RequestException.ResourceNotFound),
            OperationKind.Read => Read(address),
            _ when !Matches(operation.IfMatch, address) =>
                Stop(ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage),
            OperationKind.Patch => Patch_NeedsLock(ref address),
            OperationKind.Delete => Delete_NeedsLock(address),
            _ when operation.InvalidBody is { } invalid => Refuse(invalid),
            OperationKind.Replace when operation.Facts.Key != operation.Key && partition.Store.Find(operation.Facts.Key) >= 0 =>
                Conflict(),
            _ => Replace_NeedsLock(ref address),
        };
        result.Lsn = partition.Lsn;
        if (operation.ReturnsBody && result.Status is (ServiceStatus.Ok or ServiceStatus.Created))
        {
            var start = work.Output.WrittenCount;
            DocumentWriter.Write(work.Output, work.Container, in partition.Store.Record(address), partition.Store.Body(address));
            operation.Output = (start, work.Output.WrittenCount - start);
        }

        return result;
    }

    private OperationResult Add_NeedsLock(out long address)
    {
        var facts = operation.Facts;
        address = -1;
        if (CannotStore(facts.Body.Length) is { } rejection)
            return rejection;
        var record = new DocumentRecord
        {
            Key = operation.Key,
            Number = partition.NextNumber_NeedsLock(),
            Version = ++partition.Lsn,
            TimestampSeconds = (uint)AccountClock.UnixSecond(nowTicks),
        };
        address = partition.Store.Add(record, facts.Body.Span);
        partition.Versions?.Write(in record, facts.Body.Span, previousLsn: 0);
        work.Container.Splits.ObserveSize_NeedsLock(partition);
        if (operation.Kind == OperationKind.Create)
            partition.Counter.Documents.Created++;
        else
            partition.Counter.Documents.UpsertedNew++;
        undo?.Added(operation.Kind, operation.Key);
        var charge = work.Charges.Model.Create(facts.Body.Length, facts.Entries) + ChargeModel.UniqueKeys(UniqueKeys);
        return Done(ServiceStatus.Created, charge, record);
    }

    private OperationResult Replace_NeedsLock(ref long address)
    {
        var facts = operation.Facts;
        var before = partition.Store.Body(address);
        if (CannotStore(facts.Body.Length - before.Length) is { } rejection)
            return rejection;
        var charge = work.Charges.Model.Replace(before.Length, facts.Body.Length, ChangedEntries(address, before))
            + ChargeModel.UniqueKeys(UniqueKeys);
        undo?.Changing(operation.Kind, facts.Key, in partition.Store.Record(address), before);
        var record = new DocumentRecord
        {
            Key = facts.Key,
            Version = ++partition.Lsn,
            TimestampSeconds = (uint)AccountClock.UnixSecond(nowTicks),
        };
        var previousLsn = partition.Store.Record(address).TransactionLsn;
        address = partition.Store.Replace(address, record, facts.Body.Span);
        partition.Versions?.Write(in partition.Store.Record(address), facts.Body.Span, previousLsn);
        work.Container.Splits.ObserveSize_NeedsLock(partition);
        partition.Counter.Documents.Replaced++;
        return Done(ServiceStatus.Ok, charge, record);
    }

    /// <summary>Entries that go or come, with those of <c>_ts</c>, which is the same in two writes of one second.</summary>
    private int ChangedEntries(long address, ReadOnlySpan<byte> before)
    {
        var indexing = work.Container.Settings.Indexing;
        if (indexing.Charged is null)
            return 0;
        var isLater = partition.Store.Record(address).TimestampSeconds != (uint)AccountClock.UnixSecond(nowTicks);
        return indexing.ChangedEntries(before, operation.Facts.Body.Span) + (isLater ? IndexEntries.OfValue : 0);
    }

    private OperationResult Patch_NeedsLock(ref long address)
    {
        if (ApplyPatch(address) is { } error)
            return Refuse(error);
        var result = Replace_NeedsLock(ref address);
        if (result.IsSuccess)
            result.Charge = work.Charges.Model.Patch(result.Charge, operation.Patch!.Steps.Count);
        return result;
    }

    /// <summary>Sets the operation's facts to those of the patched document. Returns the error, or null.</summary>
    private OperationResult? ApplyPatch(long address)
    {
        var body = partition.Store.Body(address);
        if (!operation.Patch!.Holds(body))
            return OperationResult.Fail(ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage);
        if (DocumentPatcher.Apply(operation.Patch, body, out var reason) is not { } changed)
            return OperationResult.Fail(ServiceStatus.BadRequest, reason);
        if (changed.Length > StorageLimits.MaxBytesOfDocument)
            return OperationResult.Fail(ServiceStatus.TooLarge, StorageLimits.IsTooLarge);
        var container = work.Container;
        DocumentFacts facts = default;
        if (container.Inspector.TryInspect(changed, ref facts, out reason))
            reason = container.Settings.CheckTtl(changed.Span);
        if (reason is null && facts.Key != operation.Key)
            reason = $"A patch cannot change the document's id or its partition key {container.Settings.PartitionKeyPath}.";
        if (facts.IsToBeRewritten)
            facts.Body = OperationPreparer.Rewrite(facts.Body);
        operation.Facts = facts;
        return reason is null ? null : OperationResult.Fail(ServiceStatus.BadRequest, reason);
    }

    private OperationResult Delete_NeedsLock(long address)
    {
        var record = partition.Store.Record(address);
        var body = partition.Store.Body(address);
        undo?.Changing(OperationKind.Delete, record.Key, in record, body);
        var charge = work.ChargeOfDelete(body);
        partition.Remove_NeedsLock(address, nowTicks);
        partition.Counter.Documents.Deleted++;
        return new OperationResult { Status = ServiceStatus.NoContent, Charge = charge };
    }

    private OperationResult Read(long address)
    {
        ref var record = ref partition.Store.Record(address);
        var isKnown = operation.IfNoneMatch is not null && Matches(operation.IfNoneMatch, address);
        return isKnown
            ? Done(ServiceStatus.NotModified, work.Charges.EmptyRead, record)
            : Done(ServiceStatus.Ok, work.Charges.Read(record.BodyLength), record);
    }

    private bool Matches(string? etag, long address) => etag is null or "*"
        || etag.Trim('"') == DocumentEtag.Quoted(work.Container.Number, partition.Store.Record(address).Version).Trim('"');

    /// <summary>
    /// Why the document cannot be stored: another one has its unique values, or its partition key is full. Null if it can.
    /// </summary>
    private OperationResult? CannotStore(long addedBytes) =>
        partition.Store.Rules?.ConflictsWith(operation.Key, operation.Facts.Body.Span) == true
            ? Conflict() with { Message = UniqueKeyMessage }
        : partition.Store.WouldExceed(operation.Key.PartitionKeyHash, addedBytes, work.Container.Storage.MaxBytesOfKey)
            ? Stop(ServiceStatus.Forbidden, StorageLimits.PartitionKeyIsFull, ServiceStatus.PartitionKeyFull)
        : null;

    private static OperationResult Done(int status, RequestUnits charge, in DocumentRecord record) =>
        new() { Status = status, Charge = charge, Version = record.Version };

    private OperationResult Refuse(in OperationResult error) => error with { Charge = work.Charges.Model.Rejected };

    private OperationResult Conflict() => OperationResult.Fail(ServiceStatus.Conflict, RequestException.IsTaken) with
    {
        Charge = work.Charges.Model.Conflict(operation.Facts.Entries, UniqueKeys),
    };

    private OperationResult Stop(int status, string message, int subStatus = 0) =>
        Refuse(OperationResult.Fail(status, message, subStatus));
}
