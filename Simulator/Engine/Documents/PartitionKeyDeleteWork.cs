namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>
/// Deletes all documents of one partition key at once, and charges at most 10% of the RU that the partition has in a second. The service
/// deletes them in the background with at most 10% of the throughput.
/// </summary>
internal sealed class PartitionKeyDeleteWork : DocumentWork
{
    private const double ShareOfASecond = 0.1;

    private PartitionKeyIdentity _key;
    private PhysicalPartition? _partition;

    /// <summary>UTF-8 of a JSON array with the key's values.</summary>
    public required ReadOnlyMemory<byte> PartitionKeyJson { get; init; }

    public override OperationKind Kind => OperationKind.Delete;

    public override PhysicalPartition? Partition => _partition;

    /// <summary>Returns false if the request is invalid. The result then holds the error.</summary>
    public bool TryPrepare()
    {
        Result = default;
        _partition = null;
        if (!OperationPreparer.TryReadKey(Container.Settings.PartitionKey, PartitionKeyJson, out _key))
            return FailToPrepare(OperationPreparer.InvalidKeyResult(PartitionKeyJson));
        _partition = Container.Map.Find(_key.Position);
        return true;
    }

    public override void Execute(long nowTicks)
    {
        var partition = _partition!;
        lock (partition.Gate)
        {
            if (!TryEnter_NeedsLock(partition, nowTicks))
                return;
            var charge = Charges.EmptyRead + DeleteAll_NeedsLock(partition, nowTicks);
            var most = RequestUnits.From(partition.Budget.UnitsPerSecond * ShareOfASecond);
            Finish_NeedsLock(partition, ServiceStatus.Ok, charge.Parts > most.Parts ? most : charge, nowTicks);
        }
    }

    public override bool TryReroute() => TryPrepare();

    private RequestUnits DeleteAll_NeedsLock(PhysicalPartition partition, long nowTicks)
    {
        var charge = RequestUnits.Zero;
        var keys = new List<DocumentKey>();
        var cursor = partition.Store.SeekAfter(0);
        while (partition.Store.TryNext(ref cursor, out var address))
        {
            ref var record = ref partition.Store.Record(address);
            if (record.Key.PartitionKeyHash != _key.Hash)
                continue;
            charge += ChargeOfDelete(partition.Store.Body(address));
            keys.Add(record.Key);
        }

        foreach (var key in keys)
        {
            partition.Remove_NeedsLock(partition.Store.Find(key), nowTicks);
            partition.Counter.Documents.Deleted++;
        }

        return charge;
    }
}
