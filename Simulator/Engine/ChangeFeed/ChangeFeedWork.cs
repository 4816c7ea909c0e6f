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

/// <summary>Where a page of a partition's change feed begins.</summary>
/// <param name="AfterLsn">Behind this log sequence number; null for now, behind all that was written yet.</param>
/// <param name="FromSeconds">Only documents whose last change was in this second or later, in seconds since 1970.</param>
internal readonly record struct ChangeFeedStart(long? AfterLsn, long FromSeconds)
{
    /// <summary>Some clients write the day of the month with one digit.</summary>
    private const string Rfc1123 = "ddd, d MMM yyyy HH':'mm':'ss 'GMT'";

    public static readonly ChangeFeedStart Beginning = new(0, 0);

    public static readonly ChangeFeedStart Now = new(null, 0);

    /// <summary>The continuation of a page: the ETag that it responds with.</summary>
    public static string Etag(long lsn) => string.Create(CultureInfo.InvariantCulture, $"\"{lsn}\"");

    /// <summary>Reads the conditions of a request; false when they are none of a change feed.</summary>
    /// <param name="continuation">Header <c>If-None-Match</c>: an ETag of the feed, or <c>*</c> for now.</param>
    /// <param name="modifiedSince">Header <c>If-Modified-Since</c>; a continuation goes before it.</param>
    public static bool TryParse(string? continuation, string? modifiedSince, out ChangeFeedStart start)
    {
        start = Beginning;
        if (continuation is not null)
        {
            start = Now;
            if (continuation.Trim() == "*")
                return true;
            bool isLsn = long.TryParse(
                continuation.AsSpan().Trim().Trim('"'), NumberStyles.None, CultureInfo.InvariantCulture, out long lsn);
            start = new ChangeFeedStart(lsn, 0);
            return isLsn;
        }

        if (modifiedSince is null)
            return true;
        bool isTime = DateTimeOffset.TryParseExact(
            modifiedSince, Rfc1123, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset since);
        start = new ChangeFeedStart(0, since.ToUnixTimeSeconds());
        return isTime;
    }
}
