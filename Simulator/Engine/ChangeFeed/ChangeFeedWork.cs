using System.Buffers;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.ChangeFeed;

/// <summary>
/// One page of a physical partition's change feed in its mode <c>LatestVersion</c>: each document once, at its last change, in the order of
/// the partition's log sequence numbers. Both halves of a split partition continue with the numbers of the whole, and documents of
/// partitions that are merged keep theirs.
/// </summary>
internal sealed class ChangeFeedWork : DocumentPageWork
{
    private const int MaxPageBytes = 4 * 1024 * 1024;
    private const int StepsPerHold = 2_048;

    private bool _isFull;
    private RequestUnits _reads;

    public required ChangeFeedStart Start { get; init; }

    /// <summary>Every change up to it was on this page or one before it.</summary>
    public long ContinuationLsn { get; private set; }

    /// <summary>False when the result says already what is wrong with the request.</summary>
    public bool TryPrepare()
    {
        Result = default;
        Current = Scope.Partition ?? (Scope.Key is { } key ? Container.Map.Find(key.Position) : null)
            ?? (Container.Map.Live.Count == 1 ? Container.Map.Live[0] : null);
        return Current is not null || FailToPrepare(OperationResult.Fail(
            ServiceStatus.BadRequest,
            "Container is partitioned, but no partition key or partition key range id was specified for the change feed."));
    }

    public override void Execute(long nowTicks)
    {
        PhysicalPartition partition = Current!;
        Output.ResetWrittenCount();
        (ItemCount, _reads, _isFull) = (0, RequestUnits.Zero, false);
        if (!TryAdmit(partition, nowTicks))
            return;

        BeginPage();
        bool isInterrupted = !TryRead(partition);
        EndPage();

        lock (partition.Gate)
        {
            if (isInterrupted)
            {
                Withdraw(partition);
                return;
            }

            RequestUnits charge = Charges.Feed(_reads);
            partition.RecordCharge(Kind, charge, nowTicks, Claim);
            int status = ItemCount == 0 ? ServiceStatus.NotModified : ServiceStatus.Ok;
            Result = new OperationResult { Status = status, Charge = charge, Lsn = partition.Lsn };
        }
    }

    public override bool TryReroute() =>
        Scope.Partition is null ? TryPrepare() : Scope.Partition.Status == PartitionStatus.CompletingSplit;

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

    /// <summary>
    /// Goes on for as long as the partition's lock is held; false at the end of the page or of the feed. Partitions that were merged have
    /// had the same log sequence numbers, so neither ends between two changes of one number.
    /// </summary>
    private bool ReadSome(PhysicalPartition partition)
    {
        ChangeCursor cursor = partition.Store.SeekChangesAfter(ContinuationLsn);
        for (int i = 0; ; i++)
        {
            if (!partition.Store.TryNextChange(ref cursor, out long address))
                return false;
            if (cursor.AfterLsn > ContinuationLsn && (_isFull || i >= StepsPerHold))
                return !_isFull;
            ContinuationLsn = cursor.AfterLsn;
            if (address >= 0)
                Take(partition.Store, address);
        }
    }

    private void Take(PartitionStore store, long address)
    {
        ref DocumentRecord record = ref store.Record(address);
        ReadOnlySpan<byte> body = store.Body(address);
        if (record.TimestampSeconds < Start.FromSeconds || !Scope.Holds(Container, in record, body))
            return;
        if (ItemCount++ > 0)
            Output.Write(","u8);
        DocumentWriter.WriteChange(Output, Container, in record, body);
        _reads += Charges.Read(body.Length);
        _isFull = ItemCount >= PageSize || Output.WrittenCount >= MaxPageBytes;
    }
}
