using System.Buffers;
using System.Globalization;
using System.Text;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>One page of a query or a read feed, from one physical partition; the page behind its last one begins with the next partition.</summary>
internal sealed class QueryWork(ArrayBufferWriter<byte> output) : DocumentWork
{
    private const int MaxPageBytes = 4 * 1024 * 1024;
    private const int RecordsPerHold = 2_048;

    private OperationResult _result;
    private int _partition;
    private bool _choosesPartition;
    private bool _isInterrupted;

    public ParsedQuery Query { get; set; } = ParsedQuery.Everything;

    /// <summary>The only partition to look at; null for all, one behind the other.</summary>
    public int? OnlyPartition { get; set; }

    /// <summary>The only partition key to look at, from the request or from the query's conditions.</summary>
    public PartitionKeyIdentity? OnlyKey { get; set; }

    /// <summary>Positions to look at, when the client asks for less than whole partitions.</summary>
    public (EffectivePartitionKey Start, EffectivePartitionKey End)? OnlyPositions { get; set; }

    public QueryContinuation Continuation { get; set; }

    /// <summary>Documents of a page, 1 and more.</summary>
    public int PageSize { get; set; }

    public long SessionLsn { get; set; }

    /// <summary>Documents on the page; of a count, 1.</summary>
    public int ItemCount { get; private set; }

    /// <summary>Where the next page begins; null behind the last one.</summary>
    public QueryContinuation? Next { get; private set; }

    public override OperationKind Kind => OperationKind.Query;

    public override bool IsWrite => false;

    public override int? Partition => _partition;

    public override OperationResult Result => _result;

    /// <summary>False when the result says already what is wrong with the request.</summary>
    public bool TryPrepare()
    {
        OnlyKey ??= QueryTarget.PartitionKeyOf(Container, Query);
        _choosesPartition |= OnlyPartition is null;
        OnlyPartition ??= OnlyKey is { } key ? Container.Table.Find(key.Position).Ordinal : null;
        _partition = OnlyPartition ?? (Continuation == default ? Container.Table.Live[0].Ordinal : Continuation.Partition);
        _result = default;
        Next = null;
        string? fault = _partition >= Container.Partitions.Length || (Continuation != default && !Holds(Container.Partitions[_partition], Continuation.Partition))
            ? "The continuation token does not belong to the query."
            : Query.Projection != QueryProjection.Documents && OnlyPartition is null && Container.Table.Live.Count > 1
                ? "Cross partition query with aggregates needs a query plan."
                : null;
        if (fault is null)
            return true;
        _result = OperationResult.Fail(ServiceStatus.BadRequest, fault);
        PhysicalPartition partition = Container.Partitions[0];
        lock (partition.Gate)
            partition.Counter.Attempt(Kind);
        return false;
    }

    public override void Execute(long nowTicks)
    {
        PhysicalPartition partition = Container.Partitions[_partition];
        output.ResetWrittenCount();
        ItemCount = 0;
        Next = null;
        _isInterrupted = false;
        lock (partition.Gate)
        {
            if (!OperationAdmission.TryAdmit(partition, Kind, nowTicks, out _result))
            {
                if (_result.IsTurnedAwayBySplit)
                    _result = OperationResult.OfSplit(partition.Status);
                return;
            }

            if (SessionLsn > partition.Lsn)
            {
                _result = OperationResult.Fail(ServiceStatus.NotFound, "The read session is not available for the input session token.", ServiceStatus.ReadSessionNotAvailable);
                partition.RecordCharge(Kind, RequestCharges.LookUp, nowTicks);
                _result.Charge = RequestCharges.LookUp;
                return;
            }
        }

        output.Write(Encoding.ASCII.GetBytes($"{{\"_rid\":\"{Container.Rid}\",\"Documents\":["));
        long bytesRead = Query.Projection == QueryProjection.Documents ? WritePage(partition) : WriteCount(partition);
        output.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"],\"_count\":{ItemCount}}}")));

        RequestUnits charge = RequestCharges.QueryPage(bytesRead);
        lock (partition.Gate)
        {
            if (_isInterrupted)
            {
                partition.Counter.Withdraw(Kind);
                _result = OperationResult.OfSplit(partition.Status);
                return;
            }

            partition.RecordCharge(Kind, charge, nowTicks);
            _result = new OperationResult { Status = ServiceStatus.Ok, Charge = charge, Lsn = partition.Lsn };
        }
    }

    public override bool TryRoute()
    {
        if (!_choosesPartition || OnlyKey is null)
            return Container.Partitions[_partition].Status == PartitionStatus.CompletingSplit;
        OnlyPartition = null;
        return TryPrepare();
    }

    public override void Fail(int? status, int subStatus, bool executed, long nowTicks)
    {
        PhysicalPartition partition = Container.Partitions[_partition];
        lock (partition.Gate)
            _result = OperationAdmission.Fail(partition, Kind, _result, status, subStatus, executed, nowTicks);
    }

    private long WritePage(PhysicalPartition partition)
    {
        long bytesRead = 0;
        int begin = output.WrittenCount;
        bool full = false;
        long after = Scan(partition, Continuation.AfterSequence, address =>
        {
            ref DocumentRecord record = ref partition.Store.Record(address);
            ReadOnlySpan<byte> body = partition.Store.Body(address);
            if (!Query.Matches(body))
                return true;
            if (ItemCount++ > 0)
                output.Write(","u8);
            DocumentWriter.Write(output, Container, in record, body);
            bytesRead += body.Length;
            full = ItemCount >= PageSize || output.WrittenCount - begin >= MaxPageBytes;
            return !full;
        });
        if (full && HasMore(partition, after))
            Next = new QueryContinuation(_partition, after);
        else if (OnlyPartition is null && Container.Table.Following(partition) is { } following)
            Next = new QueryContinuation(following.Ordinal, 0);
        return bytesRead;
    }

    private long WriteCount(PhysicalPartition partition)
    {
        long count = 0;
        if (Query.Filters.Count == 0 && OnlyKey is null && OnlyPositions is null)
        {
            lock (partition.Gate)
            {
                count = partition.Store.Count;
                _isInterrupted = IsSplitting(partition);
            }
        }
        else
        {
            Scan(partition, 0, address =>
            {
                count += Query.Matches(partition.Store.Body(address)) ? 1 : 0;
                return true;
            });
        }

        string format = Query.Projection == QueryProjection.PartialCount ? "[{{\"item\":{0}}}]" : "{0}";
        output.Write(Encoding.ASCII.GetBytes(string.Format(CultureInfo.InvariantCulture, format, count)));
        ItemCount = 1;
        // The index answers a count; what it reads is less than a kilobyte.
        return 1;
    }

    /// <summary>Visits candidates until the visitor has enough, letting writers in between; the last sequence visited.</summary>
    private long Scan(PhysicalPartition partition, long after, Func<long, bool> visit)
    {
        ulong? id = QueryTarget.IdHashOf(Query);
        while (true)
        {
            lock (partition.Gate)
            {
                if (IsSplitting(partition))
                {
                    _isInterrupted = true;
                    return after;
                }

                if (OnlyKey is { } known && id is { } idHash)
                {
                    long address = partition.Store.Find(new DocumentKey(known.Hash, idHash));
                    if (address >= 0 && partition.Store.Record(address).Sequence > after)
                        visit(address);
                    return after;
                }

                ScanCursor cursor = partition.Store.SeekAfter(after);
                for (int i = 0; i < RecordsPerHold; i++)
                {
                    if (!partition.Store.TryNext(ref cursor, out long address))
                        return after;
                    ref DocumentRecord record = ref partition.Store.Record(address);
                    after = record.Sequence;
                    if ((OnlyKey is { } key && record.Key.PartitionKeyHash != key.Hash) || (id is { } wanted && record.Key.IdHash != wanted))
                        continue;
                    if (OnlyPositions is { } positions && !IsWithin(positions, partition.Store.Body(address)))
                        continue;
                    if (!visit(address))
                        return after;
                }
            }
        }
    }

    private bool IsWithin((EffectivePartitionKey Start, EffectivePartitionKey End) positions, ReadOnlySpan<byte> body)
    {
        DocumentFacts facts = default;
        return Container.Inspector.TryInspect(body.ToArray(), ref facts, out _)
            && facts.PartitionKey.Position.Position >= positions.Start.Position
            && facts.PartitionKey.Position.Position < positions.End.Position;
    }

    /// <summary>Whether a continuation made on one partition goes on in another: documents keep their order through splits.</summary>
    private static bool Holds(PhysicalPartition partition, int continued) =>
        partition.Ordinal == continued || partition.Parents.Contains(continued.ToString(CultureInfo.InvariantCulture));

    private static bool IsSplitting(PhysicalPartition partition) => partition.Status is PartitionStatus.CompletingSplit or PartitionStatus.Split;

    private bool HasMore(PhysicalPartition partition, long after)
    {
        lock (partition.Gate)
        {
            _isInterrupted |= IsSplitting(partition);
            ScanCursor cursor = partition.Store.SeekAfter(after);
            return partition.Store.TryNext(ref cursor, out _);
        }
    }
}
