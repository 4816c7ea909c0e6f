namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>The constant parts of the system properties after a document's own properties.</summary>
internal sealed record DocumentTail(byte[] BeforeRid, byte[] BeforeSelf, byte[] BeforeEtag, byte[] BeforeTimestamp);

/// <summary>The persisted state of a container, without its settings, its offer and its documents.</summary>
/// <param name="TimestampSeconds">When it was created.</param>
/// <param name="Partitions">Current and former partitions, by ordinal.</param>
internal sealed record ContainerState(long TimestampSeconds, int Revision, int MapRevision, IReadOnlyList<PartitionState> Partitions);

/// <summary>A container: its settings, its offer, and its physical partitions, which splits and merges change.</summary>
internal sealed class ContainerResource : IOfferOwner
{
    private const int MaxSeconds = 7_200;
    private const int MinSeconds = 300;
    private const int SecondsOfAllPartitions = 2_000_000;

    private readonly Lock _changes = new();
    private readonly AccountClock _clock;
    private readonly PartitionLayout _layout;
    private volatile State _state;
    private volatile PartitionMap _map;
    private long _documentsWhenDeleted;

    /// <summary>When to split partitions for a raised throughput, in ticks of the clock; 0 for never.</summary>
    private long _splitDueTicks;

    /// <summary>Time until which the throughput buckets cannot be changed, in ticks of the clock.</summary>
    private long _bucketsFixedUntilTicks;

    /// <summary>1 while a split of full partitions is queued.</summary>
    private int _splitsForSize;

    /// <param name="offer">Null to share the database's throughput.</param>
    /// <param name="state">State from an earlier process; null for a new container.</param>
    public ContainerResource(
        DatabaseResource database, uint number, ContainerSettings settings, Offer? offer, PartitionLayout layout, AccountClock clock,
        ContainerState? state = null)
    {
        _clock = clock;
        _layout = layout;
        Database = database;
        Number = number;
        RidBytes = RidEncoding.Container(database.RidBytes, number);
        Rid = RidEncoding.Text(RidBytes);
        OfferRid = RidEncoding.Offer(number);
        Link = $"dbs/{database.Name}/colls/{settings.Name}";
        EscapedLink = $"dbs/{Uri.EscapeDataString(database.Name)}/colls/{Uri.EscapeDataString(settings.Name)}";
        SelfLink = $"dbs/{database.Rid}/colls/{Rid}/";
        TimestampSeconds = state?.TimestampSeconds ?? AccountClock.UnixSecond(clock.NowTicks);
        _state = new State(settings, offer, state?.Revision ?? 0);

        var count = state?.Partitions.Count(partition => !partition.WasSplit)
            ?? (offer is null ? database.Shared!.Partitions : layout.CountFor(offer.Throughput, offer.Autoscale));
        var secondsKept = SecondsKeptFor(count);
        _map = state is null
            ? PartitionMap.Create(
                settings.Version, count, (ordinal, range) => new PhysicalPartition(ordinal, range, CreateBudget(ordinal), secondsKept))
            : PartitionMap.Restore(
                settings.Version,
                [.. state.Partitions.Select(one => PhysicalPartition.Restore(one, RangeOf(one), CreateBudget(one.Ordinal), secondsKept))],
                state.MapRevision);

        RequestUnitBudget CreateBudget(int ordinal) => offer is null
            ? database.Shared!.BudgetOf(ordinal)
            : layout.CreateBudget((double)offer.Throughput / count, clock);

        static PartitionRange RangeOf(PartitionState one) => new(
            EffectivePartitionKey.Parse(one.MinInclusive), EffectivePartitionKey.Parse(one.MaxExclusive),
            one.MinInclusive, one.MaxExclusive);

        foreach (var partition in _map.All)
            partition.Store.Follow(settings.CreateRules(partition.Store));
        if (offer?.Buckets is not null)
            ShareThroughput_NeedsLock(_map);

        DocumentTail = new DocumentTail(
            Encoding.ASCII.GetBytes(",\"_rid\":\""),
            Encoding.ASCII.GetBytes($"\",\"_self\":\"{SelfLink}docs/"),
            Encoding.ASCII.GetBytes("/\",\"_etag\":\"\\\""),
            Encoding.ASCII.GetBytes("\\\"\",\"_attachments\":\"attachments/\",\"_ts\":"));
    }

    public DatabaseResource Database { get; }

    public string Name => Settings.Name;

    /// <summary>From 1; never reused in the account.</summary>
    public uint Number { get; }

    public long Order => uint.MaxValue + (long)Number;

    public byte[] RidBytes { get; }

    public string Rid { get; }

    public string OfferRid { get; }

    /// <summary>Path by names, such as <c>dbs/a/colls/b</c>.</summary>
    public string Link { get; }

    /// <summary>The path by names for headers; clients unescape it.</summary>
    public string EscapedLink { get; }

    /// <summary>The link of the database, escaped.</summary>
    public string EscapedOwner => $"dbs/{Uri.EscapeDataString(Database.Name)}";

    /// <summary>Path by resource ids, with a slash at its end.</summary>
    public string SelfLink { get; }

    public long TimestampSeconds { get; }

    public bool IsReplacePending => _clock.NowTicks < Volatile.Read(ref _splitDueTicks);

    public PartitionMap Map => _map;

    /// <summary>Current and former partitions, by ordinal.</summary>
    public PhysicalPartition[] Partitions => _map.All;

    public DocumentTail DocumentTail { get; }

    public ContainerScripts Scripts { get; } = new();

    public ContainerSettings Settings => _state.Settings;

    public DocumentInspector Inspector => _state.Inspector;

    /// <summary>Null if the container shares its database's throughput.</summary>
    public Offer? OwnOffer => _state.Offer;

    public Offer Offer => OwnOffer ?? Database.Shared!.Offer;

    public StorageLimits Storage => _layout.Storage;

    public double StoredGigabytes => Storage.Gigabytes(_map.Live.Sum(partition => partition.StoredBytes));

    public bool IsDeleted { get; private set; }

    /// <summary>Changes with every replacement of the settings or the offer.</summary>
    public int Revision => _state.Revision;

    /// <summary>Seconds in each partition's ledger; fewer for more partitions.</summary>
    public static int SecondsKeptFor(int partitions) => Math.Clamp(SecondsOfAllPartitions / partitions, MinSeconds, MaxSeconds);

    /// <exception cref="RequestException">400: the change is not allowed.</exception>
    public void Replace(ContainerSettings settings)
    {
        if (settings.Name != Name)
            throw RequestException.BadRequest("The container's id cannot be changed.");
        if (!settings.PartitionKey.IsSameAs(Settings.PartitionKey))
            throw RequestException.BadRequest("The container's partition key definition cannot be changed.");
        if (!settings.Policies.HasUniqueKeysOf(Settings.Policies))
        {
            throw new RequestException(
                ServiceStatus.Forbidden,
                "The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.");
        }

        if ((settings.FindIndexed(lacking: Settings, policy: Settings) ?? Settings.FindIndexed(settings, settings)) is { } name)
        {
            throw RequestException.BadRequest(
                $"A path of the indexing policy names '{name}', so that this computed property can be neither added nor removed.");
        }

        lock (_changes)
        {
            var changesTtl = settings.Policies.DefaultTtl != Settings.Policies.DefaultTtl;
            _state = new State(settings, OwnOffer, Revision + 1);
            foreach (var partition in changesTtl ? _map.Live : [])
            {
                lock (partition.Gate)
                    partition.Store.Follow(settings.CreateRules(partition.Store));
            }
        }
    }

    /// <summary>
    /// Changes the throughput: at once if the partitions can serve it, else when enough of them are split, after
    /// <see cref="SimulationSpec.SplitDelay"/>.
    /// </summary>
    public void Rescale(Offer offer)
    {
        lock (_changes)
        {
            if (!(offer.Buckets ?? []).SequenceEqual(OwnOffer?.Buckets ?? []))
            {
                if (_clock.NowTicks < _bucketsFixedUntilTicks)
                {
                    throw new RequestException(
                        ServiceStatus.TooManyRequests, "Throughput buckets can be changed once in ten minutes.",
                        ServiceStatus.BucketsChangedTooOften);
                }

                _bucketsFixedUntilTicks = _clock.NowTicks + ThroughputBucket.TimeBetweenChanges.Ticks;
            }

            _state = new State(Settings, offer, Revision + 1);
            ShareThroughput_NeedsLock(_map);
            var splits = OwnOffer is not null && _map.Live.Count < _layout.FewestFor(offer.Throughput);
            Volatile.Write(ref _splitDueTicks, splits ? _clock.NowTicks + _layout.SplitDelay.Ticks : 0);
            if (splits && _layout.SplitDelay == TimeSpan.Zero)
                SplitForThroughput();
        }
    }

    /// <summary>Called with every operation. Starts due splits for a raised throughput in the background.</summary>
    public void Observe()
    {
        var due = Volatile.Read(ref _splitDueTicks);
        if (due != 0 && _clock.NowTicks >= due && Interlocked.CompareExchange(ref _splitDueTicks, 0, due) == due)
            ThreadPool.UnsafeQueueUserWorkItem(static container => container.SplitForThroughput(), this, preferLocal: false);
    }

    /// <summary>
    /// Splits partitions until the throughput has as many as it needs, ceil(RU/s / 10,000) ("Best practices for scaling provisioned
    /// throughput"). The partitions that were split least often come first.
    /// </summary>
    private void SplitForThroughput()
    {
        lock (_changes)
        {
            Volatile.Write(ref _splitDueTicks, 0);
            while (!IsDeleted && OwnOffer is { } offer && _map.Live.Count < _layout.FewestFor(offer.Throughput))
                Split(_map.Live.OrderBy(partition => partition.Parents.Count).ThenBy(partition => partition.Ordinal).First().Ordinal);
        }
    }

    /// <summary>Called after a partition has grown, with its lock. Starts its split in the background if it is full.</summary>
    public void ObserveSize_NeedsLock(PhysicalPartition partition)
    {
        if (partition.Store.StoredBytes > Storage.MaxBytesOfPartition && Interlocked.Exchange(ref _splitsForSize, 1) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(static container => container.SplitForSize(), this, preferLocal: false);
    }

    private void SplitForSize()
    {
        lock (_changes)
        {
            Volatile.Write(ref _splitsForSize, 0);
            while (!IsDeleted && _map.Live.FirstOrDefault(IsTooLarge) is { } full)
                Split(full.Ordinal);
        }

        bool IsTooLarge(PhysicalPartition partition) =>
            partition.StoredBytes > Storage.MaxBytesOfPartition && partition.Range.Halve(Settings.Version) is not null
            && _map.Live.Count < SimulationSpec.MaxPhysicalPartitions;
    }

    /// <summary>
    /// Splits a partition in two: it rejects operations until its documents have moved, and all partitions share the throughput.
    /// </summary>
    /// <exception cref="RequestException">404: no such partition; 409: it splits already; 400: it has only one hash.</exception>
    public void Split(int ordinal)
    {
        lock (_changes)
        {
            var map = _map;
            var parent = FindRange(ordinal) ?? throw RequestException.NotFound();
            if (parent.Range.Halve(Settings.Version) is not { } halves)
                throw RequestException.BadRequest("The partition holds a single hash and cannot be split.");
            // 1. The parent rejects operations, so that nothing changes while its documents are copied.
            if (!parent.BeginSplit())
                throw RequestException.Conflict();
            // 2. The children get the documents. They are not in the map yet, so they need no lock.
            (var low, var high) = parent.CopyHalves(
                halves, Inspector, map.All.Length, map.Revision + 1, Settings.CreateRules);
            // 3. The map is replaced before the parent is closed, so that a client that gets a 410 finds the children.
            ReplaceMap_NeedsLock(map.Replace([parent], [low, high]), parent);
        }
    }

    /// <summary>Merges a partition with the following one: both reject operations until their documents have moved.</summary>
    /// <exception cref="RequestException">
    /// 404: no such partition; 409: it is being deleted; 400: it is the last one, fewer partitions cannot serve the throughput or hold the
    /// documents, or the container shares its database's throughput.
    /// </exception>
    public void Merge(int ordinal)
    {
        lock (_changes)
        {
            var map = _map;
            var lower = FindRange(ordinal) ?? throw RequestException.NotFound();
            if (map.Following(lower) is not { } upper)
                throw RequestException.BadRequest("No partition follows this one. Give the lower of the two partitions to merge.");
            if (OwnOffer is not { } offer)
                throw RequestException.BadRequest("The container shares its database's throughput; its partitions are not merged.");
            if (map.Live.Count - 1 < _layout.FewestFor(offer.Throughput))
            {
                throw RequestException.BadRequest(
                    $"{map.Live.Count - 1} partitions cannot serve {offer.Throughput} RU/s; lower the throughput first.");
            }

            if (lower.StoredBytes + upper.StoredBytes > Storage.MaxBytesOfPartition)
                throw RequestException.BadRequest($"The two hold more than the {StorageLimits.PartitionSize} of a partition together.");
            // The steps of Split.
            if (!lower.BeginSplit() || !upper.BeginSplit())
                throw RequestException.Conflict();
            var whole = lower.CopyTogether(upper, map.All.Length, map.Revision + 1, Settings.CreateRules, _clock.NowTicks);
            ReplaceMap_NeedsLock(map.Replace([lower, upper], [whole]), lower, upper);
        }
    }

    private void ReplaceMap_NeedsLock(PartitionMap next, params ReadOnlySpan<PhysicalPartition> parents)
    {
        ShareThroughput_NeedsLock(next);
        _map = next;
        foreach (var parent in parents)
            parent.Close(PartitionStatus.Split);
    }

    public void Delete()
    {
        lock (_changes)
        {
            IsDeleted = true;
            foreach (var partition in Partitions)
                _documentsWhenDeleted += partition.Close(PartitionStatus.Deleted);
        }
    }

    /// <summary>The partition with a range id; null if there is none or it was split.</summary>
    public PhysicalPartition? FindRange(ReadOnlySpan<char> id) =>
        int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var ordinal) ? FindRange(ordinal) : null;

    public PhysicalPartition? FindRange(int ordinal)
    {
        var partitions = Partitions;
        return ordinal >= 0 && ordinal < partitions.Length && partitions[ordinal].Status != PartitionStatus.Split
            ? partitions[ordinal] : null;
    }

    /// <summary>Reads the ledger, and adds the container's counts to <paramref name="total"/>.</summary>
    public ContainerLedger ReadLedger(OperationCounter total)
    {
        foreach (var partition in Partitions)
        {
            lock (partition.Gate)
                partition.RemoveExpired_NeedsLock(_clock.NowTicks);
        }

        var counter = new OperationCounter();
        PartitionLedger[] partitions = [.. Partitions.Select(partition => partition.ReadLedger(counter))];
        total.Add(counter);
        return new ContainerLedger
        {
            Database = Database.Name,
            Name = Name,
            ResourceId = Rid,
            Deleted = IsDeleted,
            Throughput = Offer.Throughput,
            DocumentCount = IsDeleted ? _documentsWhenDeleted : partitions.Sum(partition => partition.Documents),
            Documents = counter.ReadDocuments(),
            Operations = counter.ReadOperations(),
            Partitions = partitions,
        };
    }

    private void ShareThroughput_NeedsLock(PartitionMap map)
    {
        // A container without its own offer uses the database's budgets, which do not change.
        if (OwnOffer is null)
            return;
        var share = _layout.ShareOf(Offer.Throughput, map.Live.Count);
        foreach (var partition in map.Live)
            partition.Share(share, Offer.Buckets ?? [], _clock.NowTicks);
    }

    private sealed class State(ContainerSettings settings, Offer? offer, int revision = 0)
    {
        public ContainerSettings Settings { get; } = settings;

        public DocumentInspector Inspector { get; } = new(settings.PartitionKey, settings.Indexing);

        public Offer? Offer { get; } = offer;

        public int Revision { get; } = revision;
    }
}
