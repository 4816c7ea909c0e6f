using System.Buffers;
using System.Globalization;
using System.Text;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.ChangeFeed;

/// <summary>
/// One page of a physical partition's change feed in its mode <c>LatestVersion</c>: each document once, at its last change, in the order of
/// the partition's log sequence numbers. Both halves of a split partition continue with the numbers of the whole.
/// </summary>
internal sealed class ChangeFeedWork : DocumentWork
{
    private const int MaxPageBytes = 4 * 1024 * 1024;
    private const int StepsPerHold = 2_048;

    private PhysicalPartition? _partition;
    private bool _isFull;
    private long _bytesRead;

    public required ChangeFeedStart Start { get; init; }

    /// <summary>Documents of a page, 1 and more.</summary>
    public required int PageSize { get; init; }

    /// <summary>The partition that the client named; null when it named a partition key alone.</summary>
    public PhysicalPartition? OnlyPartition { get; init; }

    public PartitionKeyIdentity? OnlyKey { get; init; }

    /// <summary>Positions to look at, when the client asks for less than the whole partition.</summary>
    public (EffectivePartitionKey Start, EffectivePartitionKey End)? OnlyPositions { get; init; }

    /// <summary>Hierarchical keys to look at, when the client asks for less than the whole partition.</summary>
    public HierarchicalRange? OnlyHierarchy { get; init; }

    public long SessionLsn { get; set; }

    public int ItemCount { get; private set; }

    /// <summary>Every change up to it was on this page or one before it.</summary>
    public long ContinuationLsn { get; private set; }

    public override OperationKind Kind => OperationKind.Query;

    public override PhysicalPartition? Partition => _partition;

    /// <summary>False when the result says already what is wrong with the request.</summary>
    public bool TryPrepare()
    {
        Result = default;
        _partition = OnlyPartition ?? (OnlyKey is { } key ? Container.Map.Find(key.Position) : null)
            ?? (Container.Map.Live.Count == 1 ? Container.Map.Live[0] : null);
        return _partition is not null || FailToPrepare(OperationResult.Fail(
            ServiceStatus.BadRequest,
            "Container is partitioned, but no partition key or partition key range id was specified for the change feed."));
    }

    public override void Execute(long nowTicks)
    {
        PhysicalPartition partition = _partition!;
        Output.ResetWrittenCount();
        (ItemCount, _bytesRead, _isFull) = (0, 0, false);
        if (!TryAdmit(partition, nowTicks))
            return;

        Output.Write(Encoding.ASCII.GetBytes($"{{\"_rid\":\"{Container.Rid}\",\"Documents\":["));
        bool isInterrupted = !TryRead(partition);
        Output.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"],\"_count\":{ItemCount}}}")));

        lock (partition.Gate)
        {
            if (isInterrupted)
            {
                partition.Counter.Withdraw(Kind);
                Result = RejectionOf(partition);
                return;
            }

            RequestUnits charge = ItemCount == 0 ? RequestCharges.LookUp : RequestCharges.QueryPage(_bytesRead);
            partition.RecordCharge(Kind, charge, nowTicks);
            int status = ItemCount == 0 ? ServiceStatus.NotModified : ServiceStatus.Ok;
            Result = new OperationResult { Status = status, Charge = charge, Lsn = partition.Lsn };
        }
    }

    public override bool TryReroute() => OnlyPartition is null ? TryPrepare() : OnlyPartition.Status == PartitionStatus.CompletingSplit;

    private bool TryAdmit(PhysicalPartition partition, long nowTicks)
    {
        lock (partition.Gate)
        {
            if (!OperationAdmission.TryAdmit(partition, Kind, nowTicks, out OperationResult rejection))
            {
                Result = rejection.IsRejectedBySplit ? RejectionOf(partition) : rejection;
                return false;
            }

            if (SessionLsn <= partition.Lsn)
                return true;
            partition.RecordCharge(Kind, RequestCharges.LookUp, nowTicks);
            Result = OperationResult.SessionNotAvailable with { Charge = RequestCharges.LookUp, Lsn = partition.Lsn };
            return false;
        }
    }

    /// <summary>Writes the page's documents, letting writers in between; false when the partition began to split meanwhile.</summary>
    private bool TryRead(PhysicalPartition partition)
    {
        long? after = Start.AfterLsn;
        while (true)
        {
            lock (partition.Gate)
            {
                if (partition.IsSplitting)
                    return false;
                ContinuationLsn = after ??= partition.Lsn;
                if (!ReadSome(partition))
                {
                    // Behind the last change there are only deletes, which the feed does not have.
                    if (!_isFull)
                        ContinuationLsn = Math.Max(ContinuationLsn, partition.Lsn);
                    return true;
                }

                after = ContinuationLsn;
            }
        }
    }

    /// <summary>Goes on for as long as the partition's lock is held; false at the end of the page or of the feed.</summary>
    private bool ReadSome(PhysicalPartition partition)
    {
        ChangeCursor cursor = partition.Store.SeekChangesAfter(ContinuationLsn);
        for (int i = 0; i < StepsPerHold; i++)
        {
            if (!partition.Store.TryNextChange(ref cursor, out long address))
                return false;
            ContinuationLsn = cursor.AfterLsn;
            if (address >= 0)
                Take(partition.Store, address);
            if (_isFull)
                return false;
        }

        return true;
    }

    private void Take(PartitionStore store, long address)
    {
        ref DocumentRecord record = ref store.Record(address);
        ReadOnlySpan<byte> body = store.Body(address);
        if (record.TimestampSeconds < Start.FromSeconds
            || (OnlyKey is { } key && record.Key.PartitionKeyHash != key.Hash)
            || (OnlyPositions is { } positions && !IsWithin(positions, body))
            || OnlyHierarchy?.Holds(Container.Settings.PartitionKey, body) == false)
            return;
        if (ItemCount++ > 0)
            Output.Write(","u8);
        DocumentWriter.WriteChange(Output, Container, in record, body);
        _bytesRead += body.Length;
        _isFull = ItemCount >= PageSize || Output.WrittenCount >= MaxPageBytes;
    }

    private bool IsWithin((EffectivePartitionKey Start, EffectivePartitionKey End) positions, ReadOnlySpan<byte> body)
    {
        DocumentFacts facts = default;
        return Container.Inspector.TryInspect(body.ToArray(), ref facts, out _)
            && facts.PartitionKey.Position.Position >= positions.Start.Position
            && facts.PartitionKey.Position.Position < positions.End.Position;
    }

    private static OperationResult RejectionOf(PhysicalPartition partition) =>
        partition.Status == PartitionStatus.CompletingSplit ? OperationResult.CompletingSplit : OperationResult.RangeGone;
}
