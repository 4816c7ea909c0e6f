namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>A TransactionalBatch: operations on one partition key that are all done or none. It counts as one operation.</summary>
internal sealed class TransactionWork : BatchWork
{
    private PhysicalPartition? _partition;
    private bool _reads;

    /// <summary>UTF-8 of a JSON array with one value; empty if the client gave none.</summary>
    public ReadOnlyMemory<byte> PartitionKeyJson { get; set; }

    /// <summary>The latest write that the client's session has seen on the partition; 0 for none.</summary>
    public long SessionLsn { get; set; }

    public override PhysicalPartition? Partition => _partition;

    /// <summary>Whether an operation failed, so that the batch was rolled back.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Returns false if the request is invalid. The result then holds the error.</summary>
    public bool TryPrepare()
    {
        Result = default;
        HasFailed = _reads = false;
        _partition = null;
        if (!OperationPreparer.TryReadKey(Container.Settings.PartitionKey, PartitionKeyJson, out var key))
            return FailToPrepare(OperationPreparer.InvalidKeyResult(PartitionKeyJson));
        _partition = Container.Map.Find(key.Position);
        foreach (var operation in Operations)
        {
            operation.PartitionKeyJson = PartitionKeyJson;
            // Direct has one token for both conditions, so clients send the condition of a read in a batch as If-Match.
            if (operation.Kind == OperationKind.Read)
            {
                _reads = true;
                operation.IfNoneMatch ??= operation.IfMatch;
            }

            OperationPreparer.TryPrepare(Container, operation);
        }

        return true;
    }

    public override void Execute(long nowTicks)
    {
        var partition = _partition!;
        lock (partition.Gate)
        {
            if (!TryEnter_NeedsLock(partition, nowTicks) || (_reads && !MeetsSession_NeedsLock(partition, SessionLsn, nowTicks)))
                return;
            (var allSucceeded, var charge) = ExecuteAll_NeedsLock(partition, nowTicks);
            var result = new OperationResult
            {
                Status = allSucceeded ? ServiceStatus.Ok : ServiceStatus.MultiStatus, SubStatus = allSucceeded ? 0 : FailedSubStatus(),
            };
            Finish_NeedsLock(partition, result, charge, nowTicks);
        }
    }

    public override bool TryReroute() => TryPrepare();

    /// <summary>The sub-status of the operation that failed, for the whole batch; 0 for none.</summary>
    private int FailedSubStatus()
    {
        foreach (var operation in Operations)
        {
            if (operation.Result.Status >= ServiceStatus.BadRequest && operation.Result.Status != ServiceStatus.FailedDependency)
                return operation.Result.SubStatus;
        }

        return 0;
    }

    private (bool Succeeded, RequestUnits Charge) ExecuteAll_NeedsLock(PhysicalPartition partition, long nowTicks)
    {
        var undo = new UndoLog();
        var charge = RequestUnits.Zero;
        var allSucceeded = true;
        foreach (var operation in Operations)
        {
            if (operation.Result.Status == 0)
                operation.Result = new OperationExecution(this, partition, operation, undo, nowTicks).Run_NeedsLock();
            // Operations before a failure remain charged, as in the service.
            charge += operation.Result.Charge;
            allSucceeded &= operation.Result.IsSuccess;
            var failed = operation;
            if (IsGood(operation.Result))
            {
                if (!IsTooLarge(Output.WrittenCount))
                    continue;
                // The service fails the last operation, whichever one did not fit.
                failed = Operations[^1];
                FailAsTooLarge(failed);
            }

            HasFailed = true;
            undo.RollBack(partition);
            foreach (var other in Operations)
            {
                if (other == failed)
                    continue;
                other.Output = default;
                other.Result = OperationResult.FailedDependency with { Charge = other.Result.Charge };
            }

            return (false, charge);
        }

        undo.Commit(partition);
        return (allSucceeded, charge);
    }
}

/// <summary>The changes of a transaction to one partition, so that they can be undone.</summary>
internal sealed class UndoLog
{
    private readonly List<(OperationKind Kind, DocumentKey Key, DocumentRecord Old, byte[]? Body)> _steps = [];

    public void Added(OperationKind kind, DocumentKey key) => _steps.Add((kind, key, default, null));

    public void Changing(OperationKind kind, DocumentKey newKey, in DocumentRecord record, ReadOnlySpan<byte> body) =>
        _steps.Add((kind, newKey, record, body.ToArray()));

    /// <summary>Makes the changes one write for clients: each has the log sequence number of the last one.</summary>
    public void Commit(PhysicalPartition partition)
    {
        foreach ((_, var key, _, _) in _steps)
        {
            var address = partition.Store.Find(key);
            if (address < 0)
                continue;
            ref var record = ref partition.Store.Record(address);
            record.LaterInTransaction = (ushort)Math.Min(partition.Lsn - record.Version, DocumentRecord.MaxLater);
        }

        if (_steps.Count > 0)
            partition.Versions?.JoinLast(_steps.Count);
    }

    /// <summary>Undoes all changes, the last one first, also in the ledger.</summary>
    public void RollBack(PhysicalPartition partition)
    {
        for (var i = _steps.Count - 1; i >= 0; i--)
        {
            (var kind, var key, var old, var body) = _steps[i];
            if (body is null)
            {
                partition.Store.Remove(partition.Store.Find(key));
                if (kind == OperationKind.Create)
                    partition.Counter.Documents.Created--;
                else
                    partition.Counter.Documents.UpsertedNew--;
            }
            else if (kind == OperationKind.Delete)
            {
                partition.Store.Add(old, body);
                partition.Counter.Documents.Deleted--;
            }
            else
            {
                partition.Store.Replace(partition.Store.Find(key), old, body);
                partition.Counter.Documents.Replaced--;
            }
        }

        partition.Versions?.RemoveLast(_steps.Count);
        // A restored document gets a new sequence number, which no later write may reuse.
        partition.Lsn = Math.Max(partition.Lsn, partition.Store.LastSequence);
    }
}

internal sealed class SingleWork : DocumentWork
{
    public DocumentOperation Operation { get; } = new();

    public override OperationKind Kind => Operation.Kind;

    public override PhysicalPartition? Partition => Operation.Partition;

    protected override long ServedBytes => IsWrite ? Operation.Body.Length : Output.WrittenCount;

    /// <summary>Returns false if the request is invalid. The result then holds the error.</summary>
    public bool TryPrepare() => OperationPreparer.TryPrepare(Container, Operation) || FailToPrepare(Operation.Result);

    public override void Execute(long nowTicks)
    {
        lock (Partition!.Gate)
            Result = OperationAdmission.Execute_NeedsLock(this, Partition, Operation, nowTicks);
    }

    public override bool TryReroute() => TryPrepare();
}
