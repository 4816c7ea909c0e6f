namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>The constant parts of the system properties after a document's own properties.</summary>
internal sealed record DocumentTail(byte[] BeforeRid, byte[] BeforeSelf, byte[] BeforeEtag, byte[] BeforeTimestamp);

/// <summary>The persisted state of a container, without its settings, its offer and its documents.</summary>
/// <param name="TimestampSeconds">When it was created.</param>
/// <param name="Partitions">Current and former partitions, by ordinal.</param>
internal sealed record ContainerState(long TimestampSeconds, int Revision, int MapRevision, IReadOnlyList<PartitionState> Partitions);

/// <summary>A container: its settings and its offer, with its physical partitions and scripts.</summary>
internal sealed class ContainerResource : IOfferOwner
{
    private readonly PartitionLayout _layout;
    private volatile State _state;
    private long _documentsWhenDeleted;

    /// <summary>Time until which the throughput buckets cannot be changed, in ticks of the clock.</summary>
    private long _bucketsFixedUntilTicks;

    /// <param name="offer">Null to share the database's throughput.</param>
    /// <param name="state">State from an earlier process; null for a new container.</param>
    public ContainerResource(
        DatabaseResource database, uint number, ContainerSettings settings, Offer? offer, PartitionLayout layout,
        ContainerState? state = null)
    {
        _layout = layout;
        Database = database;
        Number = number;
        RidBytes = RidEncoding.Container(database.RidBytes, number);
        Rid = RidEncoding.Text(RidBytes);
        OfferRid = RidEncoding.Offer(number);
        Link = $"dbs/{database.Name}/colls/{settings.Name}";
        EscapedLink = $"dbs/{Uri.EscapeDataString(database.Name)}/colls/{Uri.EscapeDataString(settings.Name)}";
        SelfLink = $"dbs/{database.Rid}/colls/{Rid}/";
        TimestampSeconds = state?.TimestampSeconds ?? AccountClock.UnixSecond(layout.Clock.NowTicks);
        _state = new State(settings, offer, state?.Revision ?? 0);
        Splits = new ContainerSplits(this, layout, state);
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

    /// <summary>Guards the settings, the offer and the map of partitions.</summary>
    public Lock Changes { get; } = new();

    public ContainerSplits Splits { get; }

    public bool IsReplacePending => Splits.ArePending;

    public PartitionMap Map => Splits.Map;

    /// <summary>Current and former partitions, by ordinal.</summary>
    public PhysicalPartition[] Partitions => Map.All;

    public DocumentTail DocumentTail { get; }

    public ContainerScripts Scripts { get; } = new();

    public ContainerSettings Settings => _state.Settings;

    public DocumentInspector Inspector => _state.Inspector;

    /// <summary>Null if the container shares its database's throughput.</summary>
    public Offer? OwnOffer => _state.Offer;

    public Offer Offer => OwnOffer ?? Database.Shared!.Offer;

    public StorageLimits Storage => _layout.Storage;

    public double StoredGigabytes => Storage.Gigabytes(Map.Live.Sum(partition => partition.StoredBytes));

    public bool IsDeleted { get; private set; }

    /// <summary>Changes with every replacement of the settings or the offer.</summary>
    public int Revision => _state.Revision;

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

        lock (Changes)
        {
            var changesTtl = settings.Policies.DefaultTtl != Settings.Policies.DefaultTtl;
            _state = new State(settings, OwnOffer, Revision + 1);
            foreach (var partition in changesTtl ? Map.Live : [])
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
        lock (Changes)
        {
            if (!(offer.Buckets ?? []).SequenceEqual(OwnOffer?.Buckets ?? []))
            {
                if (_layout.Clock.NowTicks < _bucketsFixedUntilTicks)
                {
                    throw new RequestException(
                        ServiceStatus.TooManyRequests, "Throughput buckets can be changed once in ten minutes.",
                        ServiceStatus.BucketsChangedTooOften);
                }

                _bucketsFixedUntilTicks = _layout.Clock.NowTicks + ThroughputBucket.TimeBetweenChanges.Ticks;
            }

            _state = new State(Settings, offer, Revision + 1);
            Splits.Rescale_NeedsLock();
        }
    }

    public void Delete()
    {
        lock (Changes)
        {
            IsDeleted = true;
            foreach (var partition in Partitions)
                _documentsWhenDeleted += partition.Close(PartitionStatus.Deleted);
        }
    }

    /// <summary>Reads the ledger, and adds the container's counts to <paramref name="total"/>.</summary>
    public ContainerLedger ReadLedger(OperationCounter total)
    {
        foreach (var partition in Partitions)
        {
            lock (partition.Gate)
                partition.RemoveExpired_NeedsLock(_layout.Clock.NowTicks);
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
            Documents = counter.Documents,
            Operations = counter.ReadOperations(),
            Partitions = partitions,
        };
    }

    private sealed class State(ContainerSettings settings, Offer? offer, int revision = 0)
    {
        public ContainerSettings Settings { get; } = settings;

        public DocumentInspector Inspector { get; } = new(settings.PartitionKey, settings.Indexing);

        public Offer? Offer { get; } = offer;

        public int Revision { get; } = revision;
    }
}
