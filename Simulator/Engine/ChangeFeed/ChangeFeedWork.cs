namespace ScaleOut.Simulator.Engine.ChangeFeed;

/// <summary>
/// One page of a partition's change feed, by log sequence number: in mode <c>LatestVersion</c> each document once, at its last change, in
/// mode <c>AllVersionsAndDeletes</c> every write. A page never ends within a transaction, so it may have more than asked for. Both halves
/// of a split partition continue its numbers, and documents of merged partitions keep theirs.
/// </summary>
internal sealed class ChangeFeedWork : DocumentPageWork
{
    private const int MaxPageBytes = 4 * 1024 * 1024;
    private const int StepsPerHold = 2_048;

    private const string IsAhead =
        "The continuation is ahead of the partition's last write, as after a crash of the account. Read from the beginning or from now on.";

    private const string IsNotRetained =
        "The changes after the continuation are not retained any more, or were not retained when they were made.";

    private bool _isFull;
    private RequestUnits _reads;

    /// <summary>The end of the last transaction on the page.</summary>
    private long _transactionEnd;

    public required ChangeFeedStart Start { get; init; }

    /// <summary>Whether the mode is <c>AllVersionsAndDeletes</c>.</summary>
    public required bool HasAllVersions { get; init; }

    /// <summary>All changes up to this log sequence number were on this page or earlier ones.</summary>
    public long ContinuationLsn { get; private set; }

    /// <summary>Returns false if the request is invalid. The result then holds the error.</summary>
    public bool TryPrepare()
    {
        Result = default;
        Current = Scope.Partition ?? (Scope.Key is { } key ? Container.Map.Find(key.Position) : null)
            ?? (Container.Map.Live.Count == 1 ? Container.Map.Live[0] : null);
        var error = Current is null
            ? "Container is partitioned, but no partition key or partition key range id was specified for the change feed."
            : ErrorOfStart(Current);
        return error is null || FailToPrepare(OperationResult.Fail(ServiceStatus.BadRequest, error));
    }

    /// <summary>Why the feed cannot go on from its start; null if it can. A partition keeps its versions from now on.</summary>
    private string? ErrorOfStart(PhysicalPartition partition)
    {
        lock (partition.Gate)
        {
            if (HasAllVersions)
                partition.KeepVersions_NeedsLock();
            return ErrorAfter_NeedsLock(partition, Start.AfterLsn);
        }
    }

    private string? ErrorAfter_NeedsLock(PhysicalPartition partition, long? after) => after > partition.Lsn ? IsAhead
        : HasAllVersions && after < partition.Versions?.AfterLsn ? IsNotRetained
        : null;

    public override void Execute(long nowTicks)
    {
        var partition = Current!;
        Output.ResetWrittenCount();
        (ItemCount, _reads, _isFull, _transactionEnd) = (0, RequestUnits.Zero, false, 0);
        if (!TryAdmit(partition, nowTicks))
            return;

        BeginPage();
        var isInterrupted = !TryRead(partition, out var error);
        EndPage();

        lock (partition.Gate)
        {
            if (isInterrupted)
                Withdraw_NeedsLock(partition);
            else if (error is not null)
                Finish_NeedsLock(partition, OperationResult.Fail(ServiceStatus.BadRequest, error), Charges.EmptyRead, nowTicks);
            else
                Finish_NeedsLock(partition, ItemCount == 0 ? ServiceStatus.NotModified : ServiceStatus.Ok, Charges.Feed(_reads), nowTicks);
        }
    }

    public override bool TryReroute() => Scope.Partition is null ? TryPrepare() : Scope.Partition.Status == PartitionStatus.CompletingSplit;

    /// <summary>Writes the page's documents, and releases the lock for writers in between. False if the partition began to split.</summary>
    /// <param name="error">What the page has instead of documents.</param>
    private bool TryRead(PhysicalPartition partition, out string? error)
    {
        var after = Start.AfterLsn;
        error = null;
        while (true)
        {
            lock (partition.Gate)
            {
                if (partition.IsSplitting)
                    return false;
                ContinuationLsn = after ??= partition.Lsn;
                // Writes in between may have driven out what was not yet read. If the page has documents, the next one fails.
                if (ErrorAfter_NeedsLock(partition, after) is { } reason)
                {
                    error = ItemCount == 0 ? reason : null;
                    return true;
                }

                if (!(HasAllVersions ? ReadVersions_NeedsLock(partition) : ReadSome_NeedsLock(partition)))
                {
                    // After the last change there are only deletes, which the latest versions do not show.
                    if (!_isFull)
                        ContinuationLsn = Math.Max(ContinuationLsn, partition.Lsn);
                    return true;
                }

                after = ContinuationLsn;
            }
        }
    }

    /// <summary>Reads about <see cref="StepsPerHold"/> changes under the lock. False at the end of the page or feed.</summary>
    /// <remarks>
    /// Changes of merged partitions can have the same log sequence number. The method never stops between two changes with one number or of
    /// one transaction.
    /// </remarks>
    private bool ReadSome_NeedsLock(PhysicalPartition partition)
    {
        var cursor = partition.Store.SeekChangesAfter(ContinuationLsn);
        for (var i = 0; ; i++)
        {
            if (!partition.Store.TryNextChange(ref cursor, out var address))
                return false;
            if (cursor.AfterLsn > Math.Max(ContinuationLsn, _transactionEnd) && (_isFull || i >= StepsPerHold))
                return !_isFull;
            ContinuationLsn = cursor.AfterLsn;
            if (address >= 0)
                Take_NeedsLock(partition.Store, address);
        }
    }

    private void Take_NeedsLock(PartitionStore store, long address)
    {
        ref var record = ref store.Record(address);
        var body = store.Body(address);
        if (record.TimestampSeconds < Start.FromSeconds || !Scope.Holds(Container, in record, body))
            return;
        BeginItem();
        DocumentWriter.WriteChange(Output, Container, in record, body);
        EndItem(body.Length, record.TransactionLsn);
    }

    /// <summary>Reads all versions as <see cref="ReadSome_NeedsLock"/> reads the latest ones.</summary>
    private bool ReadVersions_NeedsLock(PhysicalPartition partition)
    {
        var steps = 0;
        foreach (var version in partition.Versions?.After(ContinuationLsn) ?? [])
        {
            if (version.Lsn > _transactionEnd && (_isFull || steps >= StepsPerHold))
                return !_isFull;
            steps++;
            ContinuationLsn = version.Lsn;
            if (!Scope.Holds(Container, version.Record, version.Body))
                continue;
            BeginItem();
            VersionWriter.Write(Output, Container, version);
            EndItem(version.IsDeleted ? 0 : version.Body.Length, version.TransactionLsn);
        }

        return false;
    }

    private void BeginItem()
    {
        if (ItemCount++ > 0)
            Output.Write(","u8);
    }

    private void EndItem(int bodyBytes, long transactionLsn)
    {
        _transactionEnd = Math.Max(_transactionEnd, transactionLsn);
        _reads += Charges.Read(bodyBytes);
        _isFull = ItemCount >= PageSize || Output.WrittenCount >= MaxPageBytes;
    }
}

/// <param name="AfterLsn">Null to start after the latest write.</param>
/// <param name="FromSeconds">Only documents whose last change was in this second since 1970 or later.</param>
internal readonly record struct ChangeFeedStart(long? AfterLsn, long FromSeconds)
{
    /// <summary>Some clients write the day of the month with one digit.</summary>
    private const string Rfc1123 = "ddd, d MMM yyyy HH':'mm':'ss 'GMT'";

    public static readonly ChangeFeedStart Beginning = new(0, 0);

    public static readonly ChangeFeedStart Now = new(null, 0);

    /// <summary>The ETag of a page, which is its continuation.</summary>
    public static string Etag(long lsn) => string.Create(CultureInfo.InvariantCulture, $"\"{lsn}\"");

    /// <summary>Reads the conditions of a request; false if they are malformed. A continuation takes precedence over a time.</summary>
    /// <param name="continuation">Header <c>If-None-Match</c>: an ETag of the feed, or <c>*</c> for now.</param>
    public static bool TryParse(string? continuation, string? modifiedSince, out ChangeFeedStart start)
    {
        start = Beginning;
        if (continuation is not null)
        {
            start = Now;
            if (continuation.Trim() == "*")
                return true;
            var isLsn = long.TryParse(
                continuation.AsSpan().Trim().Trim('"'), NumberStyles.None, CultureInfo.InvariantCulture, out var lsn);
            start = new ChangeFeedStart(lsn, 0);
            return isLsn;
        }

        if (modifiedSince is null)
            return true;
        var isTime = DateTimeOffset.TryParseExact(
            modifiedSince, Rfc1123, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var since);
        start = new ChangeFeedStart(0, since.ToUnixTimeSeconds());
        return isTime;
    }
}
