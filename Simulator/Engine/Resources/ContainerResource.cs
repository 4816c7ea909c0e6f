using System.Globalization;
using System.Text;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Ledger;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container: its definition, its offer, and its physical partitions, whose number changes only by splits.</summary>
internal sealed class ContainerResource
{
    private const int LongestSeconds = 7_200;
    private const int ShortestSeconds = 300;
    private const int SecondsOfAllPartitions = 2_000_000;

    private readonly Lock _changes = new();
    private volatile ContainerState _state;
    private volatile PartitionMap _table;
    private long _documentsWhenDeleted;

    public ContainerResource(DatabaseResource database, uint number, ContainerSettings definition, Offer offer, PartitionLayout layout, AccountClock clock)
    {
        Database = database;
        Number = number;
        RidBytes = RidEncoding.Container(database.RidBytes, number);
        Rid = RidEncoding.Text(RidBytes);
        OfferRid = RidEncoding.Offer(number);
        Link = $"dbs/{database.Name}/colls/{definition.Name}";
        SelfLink = $"dbs/{database.Rid}/colls/{Rid}/";
        TimestampSeconds = AccountClock.UnixSecond(clock.NowTicks);
        _state = new ContainerState(definition, offer);

        int count = layout.CountFor(offer.Throughput);
        SecondsKept = SecondsKeptFor(count);
        _table = PartitionMap.Create(definition.Version, count, (ordinal, range) =>
            new PhysicalPartition(ordinal, range, new RequestUnitBudget((double)offer.Throughput / count, layout.Burst, clock.NowTicks), SecondsKept));

        DocumentTail = new DocumentTail(
            Encoding.ASCII.GetBytes(",\"_rid\":\""),
            Encoding.ASCII.GetBytes($"\",\"_self\":\"{SelfLink}docs/"),
            Encoding.ASCII.GetBytes("/\",\"_etag\":\"\\\""),
            Encoding.ASCII.GetBytes("\\\"\",\"_attachments\":\"attachments/\",\"_ts\":"));
    }

    public DatabaseResource Database { get; }

    public string Name => Definition.Name;

    /// <summary>Number in the account, from 1; never used twice.</summary>
    public uint Number { get; }

    public byte[] RidBytes { get; }

    public string Rid { get; }

    public string OfferRid { get; }

    /// <summary>Path by names, such as <c>dbs/a/colls/b</c>.</summary>
    public string Link { get; }

    /// <summary>Path by resource ids, with a slash at its end.</summary>
    public string SelfLink { get; }

    public long TimestampSeconds { get; }

    public int SecondsKept { get; }

    /// <summary>Which partition holds what, now.</summary>
    public PartitionMap Table => _table;

    /// <summary>Every partition there ever was, by ordinal; those that were split are among them.</summary>
    public PhysicalPartition[] Partitions => _table.All;

    public DocumentTail DocumentTail { get; }

    public ContainerSettings Definition => _state.Definition;

    public DocumentInspector Inspector => _state.Inspector;

    public Offer Offer => _state.Offer;

    public bool IsDeleted { get; private set; }

    /// <summary>Changes with every replacement of the definition or the offer.</summary>
    public int Revision => _state.Revision;

    public static int SecondsKeptFor(int partitions) => Math.Clamp(SecondsOfAllPartitions / partitions, ShortestSeconds, LongestSeconds);

    /// <exception cref="RequestException">400: something that cannot change is changed.</exception>
    public void Replace(ContainerSettings definition)
    {
        if (definition.Name != Name)
            throw RequestException.BadRequest("The container's id cannot be changed.");
        if (definition.PartitionKeyPath != Definition.PartitionKeyPath || definition.Version != Definition.Version)
            throw RequestException.BadRequest("The container's partition key definition cannot be changed.");
        _state = new ContainerState(definition, Offer, Revision + 1);
    }

    /// <summary>Gives every partition its share of another throughput at once. The number of partitions stays.</summary>
    public void Rescale(Offer offer)
    {
        lock (_changes)
        {
            _state = new ContainerState(Definition, offer, Revision + 1);
            ShareThroughput(_table);
        }
    }

    /// <summary>
    /// Splits a partition in two, as the service does when one grows too large: its operations are turned away until its documents have moved, then two
    /// partitions with ids of their own stand for it, and all partitions share the throughput anew.
    /// </summary>
    /// <exception cref="RequestException">404: no such partition; 409: it splits already; 400: it has one hash only.</exception>
    public void Split(int ordinal)
    {
        lock (_changes)
        {
            PartitionMap table = _table;
            PhysicalPartition parent = FindRange(ordinal) ?? throw RequestException.NotFound();
            if (parent.Range.Halve(Definition.Version) is not { } halves)
                throw RequestException.BadRequest("The partition holds a single hash and cannot be split.");
            if (!parent.BeginSplit())
                throw RequestException.Conflict();
            (PhysicalPartition low, PhysicalPartition high) = PartitionSplitter.Split(this, parent, halves, table.All.Length, table.Revision + 1);
            PartitionMap next = table.Replace(Definition.Version, parent, low, high);
            ShareThroughput(next);
            _table = next;
            parent.Close(PartitionStatus.Split);
        }
    }

    public void Delete()
    {
        lock (_changes)
        {
            IsDeleted = true;
            foreach (PhysicalPartition partition in Partitions)
                _documentsWhenDeleted += partition.Close(PartitionStatus.Deleted);
        }
    }

    /// <summary>The partition with the given range id, or null when there is none or it was split.</summary>
    public PhysicalPartition? FindRange(ReadOnlySpan<char> id) =>
        int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out int ordinal) ? FindRange(ordinal) : null;

    /// <summary>The partition with the given ordinal, or null when there is none or it was split.</summary>
    public PhysicalPartition? FindRange(int ordinal)
    {
        PhysicalPartition[] partitions = Partitions;
        return ordinal >= 0 && ordinal < partitions.Length && partitions[ordinal].Status != PartitionStatus.Split ? partitions[ordinal] : null;
    }

    public ContainerLedger ReadLedger(OperationCounter total)
    {
        var counter = new OperationCounter();
        var partitions = new List<PartitionLedger>(Partitions.Length);
        foreach (PhysicalPartition partition in Partitions)
        {
            lock (partition.Gate)
            {
                counter.Add(partition.Counter);
                partitions.Add(new PartitionLedger
                {
                    Id = partition.Id,
                    MinInclusive = partition.MinInclusive,
                    MaxExclusive = partition.MaxExclusive,
                    Parents = partition.Parents,
                    WasSplit = partition.Status == PartitionStatus.Split,
                    BudgetPerSecond = partition.Budget.UnitsPerSecond,
                    Documents = partition.Store.Count,
                    RequestUnits = partition.Counter.TotalHundredths() / 100.0,
                    Throttled = partition.Counter.TotalThrottled(),
                    Seconds = partition.ReadSeconds(),
                });
            }
        }

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

    private void ShareThroughput(PartitionMap table)
    {
        foreach (PhysicalPartition partition in table.Live)
        {
            lock (partition.Gate)
                partition.Budget.Rescale((double)Offer.Throughput / table.Live.Count);
        }
    }

    private sealed class ContainerState(ContainerSettings definition, Offer offer, int revision = 0)
    {
        public ContainerSettings Definition { get; } = definition;

        public DocumentInspector Inspector { get; } = new(definition.Version, definition.PartitionKeySegments, definition.Indexing);

        public Offer Offer { get; } = offer;

        public int Revision { get; } = revision;
    }
}
