namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>One page of a query or read feed from one physical partition. The next partition begins a new page.</summary>
internal sealed class QueryWork : DocumentPageWork
{
    /// <summary>Largest number of records that are read before the lock is released for writers; fewer if each record is parsed.</summary>
    private const int RecordsPerHold = 2_048;
    private const int ParsedRecordsPerHold = 128;

    /// <summary>A function may take seconds.</summary>
    private const int RecordsWithCallsPerHold = 1;

    /// <summary>Number of rows, characters and elements made of documents after which the lock is released.</summary>
    private const int ProducedPerHold = 64 * 1024;

    private bool _choosesPartition;
    private bool _isInterrupted;
    private PageCharge? _charge;
    private TimeSpan _physicalPlanTime;
    private TimeSpan _executionTime;

    /// <summary>
    /// How long a page may search; the next page continues. A page of ORDER BY, DISTINCT or an aggregate must see all documents, so it has
    /// no limit, but the functions of the container that it calls have: this time. Default 5 s, as in the service (docs: concepts-limits).
    /// </summary>
    public TimeSpan MaxPageTime { get; init; } = TimeSpan.FromSeconds(5);

    public required ParsedQuery Query { get; init; }

    private bool CallsFunctions => Query.Syntax.UserCalls.Count > 0;

    public QueryContinuation Continuation { get; set; }

    /// <summary>Where the next page begins; null after the last one.</summary>
    public QueryContinuation? Next { get; private set; }

    /// <summary>The header of query metrics.</summary>
    public string Metrics => _charge!.Metrics(_physicalPlanTime, _executionTime);

    /// <summary>Returns false if the request is invalid. The result then holds the error.</summary>
    public bool TryPrepare()
    {
        var start = TimeProvider.System.GetTimestamp();
        var isPrepared = TryPlan();
        _physicalPlanTime = TimeProvider.System.GetElapsedTime(start);
        return isPrepared;
    }

    private bool TryPlan()
    {
        if (Scope.Key is null && Query.FixedPartitionKey(Container.Settings) is { } fixedKey)
            Scope = Scope with { Key = fixedKey };
        _choosesPartition |= Scope.Partition is null;
        if (Scope is { Partition: null, Key: { } key })
            Scope = Scope with { Partition = Container.Map.Find(key.Position) };
        Result = default;
        Next = null;
        if (Scope.Partition is null)
            EnterSplits();
        var first = Scope.Partition
            ?? (Continuation == default ? Container.Map.Live[0] : Container.Partitions.ElementAtOrDefault(Continuation.Partition));
        var error = first is null || (Continuation != default && !Holds(first, Continuation.Partition))
            || (Scope.Partition is null && (first.Status == PartitionStatus.Split || Continuation.HasLostOrder(Container.Map.Live)))
            ? "The continuation token does not belong to the query."
            : null;
        if (error is not null)
            return FailToPrepare(OperationResult.Fail(ServiceStatus.BadRequest, error));
        Current = first!;
        // A client that names the range continues in the partition into which its own partition was merged.
        if (Continuation != default && Continuation.Partition != Current.Ordinal)
            Continuation = Continuation with { Partition = Current.Ordinal, AfterSequence = Continuation.AfterIn(Current) };
        return true;
    }

    public override void Execute(long nowTicks)
    {
        var partition = Current!;
        if (!TryAdmit(partition, nowTicks))
            return;
        var result = ReadPage(nowTicks);
        lock (partition.Gate)
        {
            if (_isInterrupted)
                Withdraw_NeedsLock(partition);
            else
                Finish_NeedsLock(partition, result, result.Charge, nowTicks);
        }
    }

    /// <summary>Reads the page and returns its charge, without admitting the work and recording it; a script calls only this.</summary>
    public OperationResult ReadPage(long nowTicks)
    {
        Output.ResetWrittenCount();
        ItemCount = 0;
        Next = null;
        _isInterrupted = false;
        try
        {
            BeginPage();
            var charge = WritePage(Current!, nowTicks);
            EndPage();
            return new OperationResult { Status = ServiceStatus.Ok, Charge = charge };
        }
        catch (RequestException e)
        {
            // A document makes the query exceed its limits, a function of the container fails, or a result is no JSON.
            return OperationResult.From(e) with { Charge = Charges.QueryPage(0, 0) };
        }
    }

    public override bool TryReroute()
    {
        if (!_choosesPartition)
            return Current!.Status == PartitionStatus.CompletingSplit;
        Scope = Scope with { Partition = null };
        return TryPrepare();
    }

    /// <summary>Moves the continuation to the partition that has the documents now, if its own partition was split or merged.</summary>
    private void EnterSplits()
    {
        while (Continuation != default && Container.Partitions.ElementAtOrDefault(Continuation.Partition) is { } partition
            && partition.Status == PartitionStatus.Split)
        {
            PhysicalPartition[] parts = [.. Container.Map.Live.Where(one => one.Parents.Contains(partition.Id))];
            if (!parts.All(part => Holds(part, partition.Ordinal)))
                return;
            Continuation = Continuation.Enter(parts[0]);
        }
    }

    private RequestUnits WritePage(PhysicalPartition partition, long nowTicks)
    {
        var start = TimeProvider.System.GetTimestamp();
        using var results = new ResultWriter(Output);
        using var reader = new DocumentReader(Query, Container, new DateTimeOffset(nowTicks, TimeSpan.Zero), MaxPageTime);
        // Functions that are about to run out of time go on with the next page.
        var searchTime = CallsFunctions ? MaxPageTime * ScriptLimits.Accepting : MaxPageTime;
        var namesKey = Scope.Key is not null && Query.FixedPartitionKey(Container.Settings) is null;
        var pageCharge = new PageCharge(Charges, Query, namesKey);
        var page = QueryPage.Create(Query, Continuation, PageSize, reader, results, pageCharge);
        var after = Continuation.AfterSequence;
        var isFull = false;
        if (page is GroupedPage grouped && Query is { CountsDocuments: true, Condition.IsEmpty: true } && Scope.IsWhole)
            CountAll(partition, grouped);
        else if (Query.Syntax.ReadsDocuments)
            after = Scan(
                partition,
                page.StartsAtBeginning ? 0 : after,
                reader.Scope,
                address =>
                {
                    isFull = !page.Visit(in partition.Store.Record(address), partition.Store.Body(address));
                    return !isFull;
                },
                () => isFull = !page.StartsAtBeginning && TimeProvider.System.GetElapsedTime(start) >= searchTime);

        page.Complete();
        ItemCount = results.Count;
        if (page.Next is { } next)
            Next = next with { Partition = partition.Ordinal, Splits = Continuation.Splits };
        else if (isFull && !page.IsLast && HasMore(partition, after))
            Next = new QueryContinuation(partition.Ordinal, after, (page as StreamedPage)?.Passed ?? 0, Splits: Continuation.Splits);
        else if (!page.IsLast && Scope.Partition is null && Container.Map.Following(partition) is { } following)
            Next = Continuation.Follow(following);
        _charge = pageCharge;
        _executionTime = TimeProvider.System.GetElapsedTime(start);
        return pageCharge.Total;
    }

    private void CountAll(PhysicalPartition partition, GroupedPage page)
    {
        lock (partition.Gate)
        {
            page.CountDocuments(partition.Store.Count);
            _isInterrupted = partition.IsSplitting;
        }
    }

    /// <summary>
    /// Visits candidates until the visitor is done or the time is up. Releases the lock in between for writers. Returns the last sequence
    /// number.
    /// </summary>
    private long Scan(PhysicalPartition partition, long after, QueryScope scope, Func<long, bool> visit, Func<bool> isTimeOver)
    {
        var id = Query.FixedIdHash();
        var hasMore = true;
        while (hasMore)
        {
            lock (partition.Gate)
            {
                if (partition.IsSplitting)
                {
                    _isInterrupted = true;
                    return after;
                }

                if (Scope.Key is { } key && id is { } idHash)
                {
                    var address = partition.Store.Find(new DocumentKey(key.Hash, idHash));
                    if (address >= 0 && partition.Store.Record(address).Sequence > after)
                        visit(address);
                    // No other document has the id and key.
                    return long.MaxValue;
                }

                hasMore = ScanSome_NeedsLock(partition, id, ref after, scope, visit);
            }

            hasMore = hasMore && !isTimeOver();
        }

        return after;
    }

    /// <summary>Visits a batch of records under the lock. False if there are no more records, or the visitor is done.</summary>
    private bool ScanSome_NeedsLock(
        PhysicalPartition partition, ulong? id, ref long after, QueryScope scope, Func<long, bool> visit)
    {
        var cursor = partition.Store.SeekAfter(after);
        var records = CallsFunctions ? RecordsWithCallsPerHold
            : Query.ReturnsDocuments && !Query.Condition.HasExpressions ? RecordsPerHold : ParsedRecordsPerHold;
        var enough = scope.Produced + ProducedPerHold;
        for (var i = 0; i < records && scope.Produced < enough; i++)
        {
            if (!partition.Store.TryNext(ref cursor, out var address))
                return false;
            ref var record = ref partition.Store.Record(address);
            after = record.Sequence;
            if ((id is { } wanted && record.Key.IdHash != wanted)
                || !(Scope.IsWhole || Scope.Holds(Container, in record, partition.Store.Body(address))))
                continue;
            if (!visit(address))
                return false;
        }

        return true;
    }

    /// <summary>
    /// Whether a continuation of one partition continues in another. Documents keep their order through splits and merges, except if a
    /// partition's parts are merged again.
    /// </summary>
    private static bool Holds(PhysicalPartition partition, int continued)
    {
        var id = continued.ToString(CultureInfo.InvariantCulture);
        return partition.Ordinal == continued || (partition.Parents.Contains(id) && partition.Shifts.GetValueOrDefault(id) >= 0);
    }

    /// <summary>Whether there may be another document. The search is limited to <see cref="RecordsPerHold"/> records.</summary>
    private bool HasMore(PhysicalPartition partition, long after)
    {
        lock (partition.Gate)
        {
            _isInterrupted |= partition.IsSplitting;
            // The last document of a logical partition may only be followed by those of others.
            var cursor = partition.Store.SeekAfter(after);
            for (var i = 0; i < RecordsPerHold && partition.Store.TryNext(ref cursor, out var address); i++)
            {
                if (Scope.IsWhole || Scope.Holds(Container, in partition.Store.Record(address), partition.Store.Body(address)))
                    return true;
            }

            return partition.Store.TryNext(ref cursor, out _);
        }
    }
}
