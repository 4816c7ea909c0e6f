namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>
/// A container's physical partitions, which share its throughput: splits and merges change them, also by themselves for a raised
/// throughput and for their size.
/// </summary>
internal sealed class ContainerSplits
{
    private const int MaxSeconds = 7_200;
    private const int MinSeconds = 300;
    private const int SecondsOfAllPartitions = 2_000_000;

    private readonly ContainerResource _container;
    private readonly PartitionLayout _layout;
    private volatile PartitionMap _map;

    /// <summary>When to split partitions for a raised throughput, in ticks of the clock; 0 for never.</summary>
    private long _dueTicks;

    /// <summary>1 while a split of full partitions is queued.</summary>
    private int _forSize;

    /// <param name="container">Its settings and offer are set.</param>
    /// <param name="state">State from an earlier process; null for a new container.</param>
    public ContainerSplits(ContainerResource container, PartitionLayout layout, ContainerState? state)
    {
        _container = container;
        _layout = layout;
        (var settings, var offer, var shared) = (container.Settings, container.OwnOffer, container.Database.Shared);
        var count = state?.Partitions.Count(partition => !partition.WasSplit)
            ?? (offer is null ? shared!.Partitions : layout.CountFor(offer.Throughput, offer.Autoscale));
        var secondsKept = SecondsKeptFor(count);
        _map = state is null
            ? PartitionMap.Create(
                settings.Version, count, (ordinal, range) => new PhysicalPartition(ordinal, range, CreateBudget(ordinal), secondsKept))
            : PartitionMap.Restore(
                settings.Version,
                [.. state.Partitions.Select(one => PhysicalPartition.Restore(one, RangeOf(one), CreateBudget(one.Ordinal), secondsKept))],
                state.MapRevision);

        RequestUnitBudget CreateBudget(int ordinal) => offer is null
            ? shared!.BudgetOf(ordinal)
            : layout.CreateBudget((double)offer.Throughput / count);

        static PartitionRange RangeOf(PartitionState one) => new(
            EffectivePartitionKey.Parse(one.MinInclusive), EffectivePartitionKey.Parse(one.MaxExclusive),
            one.MinInclusive, one.MaxExclusive);

        foreach (var partition in _map.All)
            partition.Store.Follow(settings.CreateRules(partition.Store));
        if (offer?.Buckets is not null)
            ShareThroughput_NeedsLock(_map);
    }

    public PartitionMap Map => _map;

    /// <summary>Whether a raised throughput waits for splits.</summary>
    public bool ArePending => _layout.Clock.NowTicks < Volatile.Read(ref _dueTicks);

    /// <summary>Seconds in each partition's ledger; fewer for more partitions.</summary>
    public static int SecondsKeptFor(int partitions) => Math.Clamp(SecondsOfAllPartitions / partitions, MinSeconds, MaxSeconds);

    /// <summary>Follows a change of the container's offer, at once or after <see cref="SimulationSpec.SplitDelay"/>.</summary>
    public void Rescale_NeedsLock()
    {
        ShareThroughput_NeedsLock(_map);
        var splits = _container.OwnOffer is { } offer && _map.Live.Count < _layout.FewestFor(offer.Throughput);
        Volatile.Write(ref _dueTicks, splits ? _layout.Clock.NowTicks + _layout.SplitDelay.Ticks : 0);
        if (splits && _layout.SplitDelay == TimeSpan.Zero)
            SplitForThroughput();
    }

    /// <summary>Called with every operation. Starts due splits for a raised throughput in the background.</summary>
    public void Observe()
    {
        var due = Volatile.Read(ref _dueTicks);
        if (due != 0 && _layout.Clock.NowTicks >= due && Interlocked.CompareExchange(ref _dueTicks, 0, due) == due)
            ThreadPool.UnsafeQueueUserWorkItem(static splits => splits.SplitForThroughput(), this, preferLocal: false);
    }

    /// <summary>Called after a partition has grown, with its lock. Starts its split in the background if it is full.</summary>
    public void ObserveSize_NeedsLock(PhysicalPartition partition)
    {
        if (partition.Store.StoredBytes > _layout.Storage.MaxBytesOfPartition && Interlocked.Exchange(ref _forSize, 1) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(static splits => splits.SplitForSize(), this, preferLocal: false);
    }

    /// <summary>
    /// Splits a partition in two: it rejects operations until its documents have moved, and all partitions share the throughput.
    /// </summary>
    /// <exception cref="RequestException">404: no such partition; 409: it splits already; 400: it has only one hash.</exception>
    public void Split(int ordinal)
    {
        lock (_container.Changes)
        {
            var map = _map;
            var parent = map.FindRange(ordinal) ?? throw RequestException.NotFound();
            if (parent.Range.Halve(_container.Settings.Version) is not { } halves)
                throw RequestException.BadRequest("The partition holds a single hash and cannot be split.");
            // 1. The parent rejects operations, so that nothing changes while its documents are copied.
            if (!parent.BeginSplit())
                throw RequestException.Conflict();
            // 2. The children get the documents. They are not in the map yet, so they need no lock.
            (var low, var high) = parent.CopyHalves(
                halves, _container.Inspector, map.All.Length, map.Revision + 1, _container.Settings.CreateRules);
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
        lock (_container.Changes)
        {
            var map = _map;
            var lower = map.FindRange(ordinal) ?? throw RequestException.NotFound();
            if (map.Following(lower) is not { } upper)
                throw RequestException.BadRequest("No partition follows this one. Give the lower of the two partitions to merge.");
            if (_container.OwnOffer is not { } offer)
                throw RequestException.BadRequest("The container shares its database's throughput; its partitions are not merged.");
            if (map.Live.Count - 1 < _layout.FewestFor(offer.Throughput))
            {
                throw RequestException.BadRequest(
                    $"{map.Live.Count - 1} partitions cannot serve {offer.Throughput} RU/s; lower the throughput first.");
            }

            if (lower.StoredBytes + upper.StoredBytes > _layout.Storage.MaxBytesOfPartition)
                throw RequestException.BadRequest($"The two hold more than the {StorageLimits.PartitionSize} of a partition together.");
            // The steps of Split.
            if (!lower.BeginSplit() || !upper.BeginSplit())
                throw RequestException.Conflict();
            var whole = lower.CopyTogether(
                upper, map.All.Length, map.Revision + 1, _container.Settings.CreateRules, _layout.Clock.NowTicks);
            ReplaceMap_NeedsLock(map.Replace([lower, upper], [whole]), lower, upper);
        }
    }

    /// <summary>
    /// Splits partitions until the throughput has as many as it needs, ceil(RU/s / 10,000) ("Best practices for scaling provisioned
    /// throughput"). The partitions that were split least often come first.
    /// </summary>
    private void SplitForThroughput()
    {
        lock (_container.Changes)
        {
            Volatile.Write(ref _dueTicks, 0);
            while (!_container.IsDeleted && _container.OwnOffer is { } offer && _map.Live.Count < _layout.FewestFor(offer.Throughput))
                Split(_map.Live.OrderBy(partition => partition.Parents.Count).ThenBy(partition => partition.Ordinal).First().Ordinal);
        }
    }

    private void SplitForSize()
    {
        lock (_container.Changes)
        {
            Volatile.Write(ref _forSize, 0);
            while (!_container.IsDeleted && _map.Live.FirstOrDefault(IsTooLarge) is { } full)
                Split(full.Ordinal);
        }

        bool IsTooLarge(PhysicalPartition partition) =>
            partition.StoredBytes > _layout.Storage.MaxBytesOfPartition && partition.Range.Halve(_container.Settings.Version) is not null
            && _map.Live.Count < SimulationSpec.MaxPhysicalPartitions;
    }

    private void ReplaceMap_NeedsLock(PartitionMap next, params ReadOnlySpan<PhysicalPartition> parents)
    {
        ShareThroughput_NeedsLock(next);
        _map = next;
        foreach (var parent in parents)
            parent.Close(PartitionStatus.Split);
    }

    private void ShareThroughput_NeedsLock(PartitionMap map)
    {
        // A container without its own offer uses the database's budgets, which do not change.
        if (_container.OwnOffer is not { } offer)
            return;
        var share = _layout.ShareOf(offer.Throughput, map.Live.Count);
        foreach (var partition in map.Live)
            partition.Share(share, offer.Buckets ?? [], _layout.Clock.NowTicks);
    }
}
