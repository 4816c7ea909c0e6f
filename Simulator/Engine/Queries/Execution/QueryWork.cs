using System.Buffers;
using System.Globalization;
using System.Text;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>
/// One page of a query or a read feed, from one physical partition; the page behind its last one begins with the next partition.
/// </summary>
internal sealed class QueryWork : DocumentWork
{
    /// <summary>Records that are looked at before writers are let in: fewer when each of them is parsed.</summary>
    private const int RecordsPerHold = 2_048;
    private const int ParsedRecordsPerHold = 128;

    private PhysicalPartition? _partition;
    private bool _choosesPartition;
    private bool _isInterrupted;

    public required ParsedQuery Query { get; init; }

    /// <summary>Results of a page, 1 and more.</summary>
    public required int PageSize { get; init; }

    /// <summary>The only partition to look at; null for all, one behind the other.</summary>
    public PhysicalPartition? OnlyPartition { get; set; }

    /// <summary>The only partition key to look at, from the request or from the query's conditions.</summary>
    public PartitionKeyIdentity? OnlyKey { get; set; }

    /// <summary>Positions to look at, when the client asks for less than whole partitions.</summary>
    public (EffectivePartitionKey Start, EffectivePartitionKey End)? OnlyPositions { get; set; }

    /// <summary>Hierarchical keys to look at, when the client asks for less than whole partitions.</summary>
    public HierarchicalRange? OnlyHierarchy { get; set; }

    public QueryContinuation Continuation { get; set; }

    public long SessionLsn { get; set; }

    /// <summary>Results on the page; of aggregates without groups, 1.</summary>
    public int ItemCount { get; private set; }

    /// <summary>Where the next page begins; null behind the last one.</summary>
    public QueryContinuation? Next { get; private set; }

    /// <summary>Whether only a client with a query plan can combine the partitions' results.</summary>
    public bool NeedsPlan => !Query.IsPlain && OnlyPartition is null && Container.Map.Live.Count > 1;

    public override OperationKind Kind => OperationKind.Query;

    public override PhysicalPartition? Partition => _partition;

    /// <summary>False when the result says already what is wrong with the request.</summary>
    public bool TryPrepare()
    {
        OnlyKey ??= Query.FixedPartitionKey(Container.Settings);
        _choosesPartition |= OnlyPartition is null;
        OnlyPartition ??= OnlyKey is { } key ? Container.Map.Find(key.Position) : null;
        Result = default;
        Next = null;
        if (OnlyPartition is null)
            EnterSplits();
        PhysicalPartition? first = OnlyPartition
            ?? (Continuation == default ? Container.Map.Live[0] : Container.Partitions.ElementAtOrDefault(Continuation.Partition));
        string? error = first is null || (Continuation != default && !Holds(first, Continuation.Partition))
            ? "The continuation token does not belong to the query."
            : NeedsPlan ? "Cross partition query needs a query plan."
            : null;
        if (error is not null)
            return FailToPrepare(OperationResult.Fail(ServiceStatus.BadRequest, error));
        _partition = first;
        return true;
    }

    public override void Execute(long nowTicks)
    {
        PhysicalPartition partition = _partition!;
        Output.ResetWrittenCount();
        ItemCount = 0;
        Next = null;
        _isInterrupted = false;
        if (!TryAdmit(partition, nowTicks))
            return;

        RequestUnits charge;
        OperationResult result;
        try
        {
            Output.Write(Encoding.ASCII.GetBytes($"{{\"_rid\":\"{Container.Rid}\",\"Documents\":["));
            charge = RequestCharges.QueryPage(WritePage(partition, nowTicks));
            Output.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"],\"_count\":{ItemCount}}}")));
            result = new OperationResult { Status = ServiceStatus.Ok };
        }
        catch (RequestException e)
        {
            // What the query makes of a document is more than it may be.
            charge = RequestCharges.LookUp;
            result = OperationResult.Fail(e.Status, e.Message, e.SubStatus);
        }

        lock (partition.Gate)
        {
            if (_isInterrupted)
            {
                partition.Counter.Withdraw(Kind);
                Result = RejectionOf(partition);
                return;
            }

            partition.RecordCharge(Kind, charge, nowTicks);
            Result = result with { Charge = charge, Lsn = partition.Lsn };
        }
    }

    public override bool TryReroute()
    {
        if (!_choosesPartition)
            return _partition!.Status == PartitionStatus.CompletingSplit;
        OnlyPartition = null;
        return TryPrepare();
    }

    /// <summary>Goes on in the parts of a partition that was split since the continuation was made, one behind the other.</summary>
    private void EnterSplits()
    {
        while (Continuation != default && Container.Partitions.ElementAtOrDefault(Continuation.Partition) is { } partition
            && partition.Status == PartitionStatus.Split)
            Continuation = Continuation.Enter(Container.Map.Live.First(part => part.Parents.Contains(partition.Id)));
    }

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
            Result = OperationResult.SessionNotAvailable with { Charge = RequestCharges.LookUp };
            return false;
        }
    }

    /// <summary>The bytes of the documents that were loaded.</summary>
    private long WritePage(PhysicalPartition partition, long nowTicks)
    {
        using var results = new ResultWriter(Output);
        using var reader = new DocumentReader(Query, Container, new DateTimeOffset(nowTicks, TimeSpan.Zero));
        var page = QueryPage.Create(Query, Continuation, PageSize, reader, results);
        long after = Continuation.AfterSequence;
        bool isFull = false;
        if (page is GroupedPage grouped && Query is { CountsDocuments: true, Condition.IsEmpty: true }
            && OnlyKey is null && OnlyPositions is null && OnlyHierarchy is null)
            CountAll(partition, grouped);
        else
            after = Scan(partition, page.StartsAtBeginning ? 0 : after, address =>
            {
                isFull = !page.Visit(in partition.Store.Record(address), partition.Store.Body(address));
                return !isFull;
            });

        page.Complete();
        ItemCount = results.Count;
        if (page.Next is { } next)
            Next = next with { Partition = partition.Ordinal, Splits = Continuation.Splits };
        else if (isFull && !page.IsLast && HasMore(partition, after))
            Next = new QueryContinuation(partition.Ordinal, after, (page as StreamedPage)?.Passed ?? 0, Splits: Continuation.Splits);
        else if (!page.IsLast && OnlyPartition is null && Container.Map.Following(partition) is { } following)
            Next = Continuation.Follow(following);
        return page.LoadedBytes;
    }

    private void CountAll(PhysicalPartition partition, GroupedPage page)
    {
        lock (partition.Gate)
        {
            page.CountDocuments(partition.Store.Count);
            _isInterrupted = partition.IsSplitting;
        }
    }

    /// <summary>Visits candidates until the visitor has enough, letting writers in between; the last sequence visited.</summary>
    private long Scan(PhysicalPartition partition, long after, Func<long, bool> visit)
    {
        ulong? id = Query.FixedIdHash();
        bool goesOn = true;
        while (goesOn)
        {
            lock (partition.Gate)
            {
                if (partition.IsSplitting)
                {
                    _isInterrupted = true;
                    return after;
                }

                if (OnlyKey is { } key && id is { } idHash)
                {
                    long address = partition.Store.Find(new DocumentKey(key.Hash, idHash));
                    if (address >= 0 && partition.Store.Record(address).Sequence > after)
                        visit(address);
                    return after;
                }

                goesOn = ScanSome(partition, id, ref after, visit);
            }
        }

        return after;
    }

    /// <summary>
    /// Visits as many records as the partition's lock is held for; false when there is no more, or the visitor has enough.
    /// </summary>
    private bool ScanSome(PhysicalPartition partition, ulong? id, ref long after, Func<long, bool> visit)
    {
        ScanCursor cursor = partition.Store.SeekAfter(after);
        int records = Query.ReturnsDocuments && !Query.Condition.HasExpressions ? RecordsPerHold : ParsedRecordsPerHold;
        for (int i = 0; i < records; i++)
        {
            if (!partition.Store.TryNext(ref cursor, out long address))
                return false;
            ref DocumentRecord record = ref partition.Store.Record(address);
            after = record.Sequence;
            if ((OnlyKey is { } key && record.Key.PartitionKeyHash != key.Hash) || (id is { } wanted && record.Key.IdHash != wanted))
                continue;
            if (OnlyPositions is { } positions && !IsWithin(positions, partition.Store.Body(address)))
                continue;
            if (OnlyHierarchy?.Holds(Container.Settings.PartitionKey, partition.Store.Body(address)) == false)
                continue;
            if (!visit(address))
                return false;
        }

        return true;
    }

    private bool IsWithin((EffectivePartitionKey Start, EffectivePartitionKey End) positions, ReadOnlySpan<byte> body)
    {
        DocumentFacts facts = default;
        return Container.Inspector.TryInspect(body.ToArray(), ref facts, out _)
            && facts.PartitionKey.Position.Position >= positions.Start.Position
            && facts.PartitionKey.Position.Position < positions.End.Position;
    }

    /// <summary>Whether a continuation made on one partition continues in another: documents keep their order through splits.</summary>
    private static bool Holds(PhysicalPartition partition, int continued) =>
        partition.Ordinal == continued || partition.Parents.Contains(continued.ToString(CultureInfo.InvariantCulture));

    private static OperationResult RejectionOf(PhysicalPartition partition) =>
        partition.Status == PartitionStatus.CompletingSplit ? OperationResult.CompletingSplit : OperationResult.RangeGone;

    private bool HasMore(PhysicalPartition partition, long after)
    {
        lock (partition.Gate)
        {
            _isInterrupted |= partition.IsSplitting;
            ScanCursor cursor = partition.Store.SeekAfter(after);
            return partition.Store.TryNext(ref cursor, out _);
        }
    }
}
