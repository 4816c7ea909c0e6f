namespace ScaleOut.Simulator.Engine.Resources;

internal sealed class DatabaseResource(uint number, string name, long timestampSeconds, SharedThroughput? shared, int revision = 0)
    : IOfferOwner
{
    private readonly Lock _changes = new();

    public string Name { get; } = name;

    /// <summary>From 1; never reused in the account.</summary>
    public uint Number { get; } = number;

    public long Order => Number;

    public byte[] RidBytes { get; } = RidEncoding.Database(number);

    public string Rid { get; } = RidEncoding.Text(RidEncoding.Database(number));

    public string SelfLink => $"dbs/{Rid}/";

    public long TimestampSeconds { get; } = timestampSeconds;

    /// <summary>Throughput that the database's containers without their own share; null for none.</summary>
    public SharedThroughput? Shared => shared;

    public Offer? OwnOffer => shared?.Offer;

    public string OfferRid { get; } = RidEncoding.DatabaseOffer(number);

    public double StoredGigabytes => ContainersInOrder.Where(one => one.OwnOffer is null).Sum(one => one.StoredGigabytes);

    public int Revision { get; private set; } = revision;

    public ConcurrentDictionary<string, ContainerResource> Containers { get; } = new(StringComparer.Ordinal);

    public IEnumerable<ContainerResource> ContainersInOrder => Containers.Values.OrderBy(container => container.Number);

    public void Rescale(Offer offer)
    {
        if (offer.Buckets is { Count: > 0 })
            throw RequestException.BadRequest("Throughput that the containers of a database share has no throughput buckets.");
        lock (_changes)
        {
            shared!.Rescale_NeedsLock(offer);
            Revision++;
        }
    }

    public ContainerResource? Find(string nameOrRid) =>
        Containers.TryGetValue(nameOrRid, out var container) ? container
            : Containers.Values.FirstOrDefault(one => one.Rid == nameOrRid);
}

internal sealed class ResourceCatalog(PartitionLayout layout)
{
    /// <summary>Message of the 400 for a definition that is no JSON object of the expected form.</summary>
    public const string InvalidPayload = "The request payload is invalid. Ensure to provide a valid request payload.";

    private const int MaxNameCharacters = 255;

    /// <summary>Smallest number of documents in a deleted container for which a garbage collection is forced.</summary>
    private const long CollectFromDocuments = 100_000;

    private static readonly SearchValues<char> Forbidden = SearchValues.Create("/\\?#");

    private readonly ConcurrentDictionary<string, DatabaseResource> _databases = new(StringComparer.Ordinal);
    private readonly Lock _changes = new();
    private readonly Queue<ContainerResource> _deleted = new();
    private readonly OperationCounter _unlisted = new();
    private uint _lastDatabase;
    private uint _lastContainer;

    /// <summary>RU/s of a container that is created without a throughput.</summary>
    public int DefaultThroughput { get; init; } = ContainerSpec.MinThroughput;

    public IEnumerable<DatabaseResource> Databases => _databases.Values.OrderBy(database => database.Number);

    public IEnumerable<ContainerResource> Containers => Databases.SelectMany(database => database.ContainersInOrder);

    public IEnumerable<IOfferOwner> OfferOwners =>
        Databases.Concat<IOfferOwner>(Containers).Where(owner => owner.OwnOffer is not null).OrderBy(owner => owner.Order);

    /// <summary>The <c>id</c> in a definition.</summary>
    /// <exception cref="RequestException">400: missing or not allowed.</exception>
    public static string ReadName(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("id", out var id) || id.ValueKind != JsonValueKind.String
            || id.GetString() is not { Length: > 0 } name)
            throw RequestException.BadRequest(DocumentInspector.NoId);
        if (name.Length > MaxNameCharacters)
            throw RequestException.BadRequest($"The input name is invalid: it has more than {MaxNameCharacters} characters.");
        if (name.AsSpan().ContainsAny(Forbidden) || name[^1] == ' ')
        {
            throw RequestException.BadRequest("The input name presented contains invalid character.");
        }

        return name;
    }

    public DatabaseResource? Find(string nameOrRid) =>
        _databases.TryGetValue(nameOrRid, out var database) ? database
            : _databases.Values.FirstOrDefault(one => one.Rid == nameOrRid);

    /// <param name="offer">Throughput for its containers to share; null for none.</param>
    public DatabaseResource CreateDatabase(string name, Offer? offer = null)
    {
        lock (_changes)
        {
            if (_databases.ContainsKey(name))
                throw RequestException.Conflict();
            var shared = offer is null ? null : new SharedThroughput(offer, layout);
            var database = new DatabaseResource(++_lastDatabase, name, AccountClock.UnixSecond(layout.Clock.NowTicks), shared);
            _databases[name] = database;
            return database;
        }
    }

    /// <param name="offer">Null to share the database's throughput.</param>
    public ContainerResource CreateContainer(DatabaseResource database, ContainerSettings settings, Offer? offer)
    {
        lock (_changes)
        {
            if (!_databases.ContainsKey(database.Name))
                throw RequestException.NotFound();
            if (database.Containers.ContainsKey(settings.Name))
                throw RequestException.Conflict();
            if (offer is null && database.Containers.Values.Count(one => one.OwnOffer is null) == SharedThroughput.MaxContainers)
            {
                throw RequestException.BadRequest(
                    $"At most {SharedThroughput.MaxContainers} containers share the throughput of a database; give this one its own.");
            }

            var container = new ContainerResource(database, ++_lastContainer, settings, offer, layout);
            database.Containers[settings.Name] = container;
            return container;
        }
    }

    /// <summary>The last numbers that were given, so that a later process does not reuse them.</summary>
    public (uint Database, uint Container) LastNumbers
    {
        get
        {
            lock (_changes)
                return (_lastDatabase, _lastContainer);
        }

        set
        {
            lock (_changes)
                (_lastDatabase, _lastContainer) = value;
        }
    }

    /// <summary>Adds a database of an earlier process.</summary>
    public DatabaseResource RestoreDatabase(uint number, string name, long timestampSeconds, Offer? offer, int revision) =>
        _databases[name] = new DatabaseResource(
            number, name, timestampSeconds, offer is null ? null : new SharedThroughput(offer, layout), revision);

    /// <summary>Adds a container of an earlier process, without its documents.</summary>
    public ContainerResource RestoreContainer(
        DatabaseResource database, uint number, ContainerSettings settings, Offer? offer, ContainerState state) =>
        database.Containers[settings.Name] = new ContainerResource(database, number, settings, offer, layout, state);

    public void DeleteDatabase(DatabaseResource database)
    {
        lock (_changes)
        {
            _databases.TryRemove(database.Name, out _);
            foreach (var container in database.ContainersInOrder.ToArray())
                DeleteContainer(container);
        }
    }

    public void DeleteContainer(ContainerResource container)
    {
        var documents = container.Partitions.Sum(partition => (long)partition.Store.Count);
        lock (_changes)
        {
            if (!container.Database.Containers.TryRemove(new KeyValuePair<string, ContainerResource>(container.Name, container)))
                return;
            container.Delete();
            _deleted.Enqueue(container);
            if (_deleted.Count > AccountLedger.MaxDeletedContainers)
                _deleted.Dequeue().ReadLedger(_unlisted);
        }

        // Without a forced garbage collection, the memory of the deleted documents would stay in use until another container reuses it.
        if (documents >= CollectFromDocuments)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                static _ => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true), null);
        }
    }

    /// <summary>
    /// Existing containers and the last deleted ones. Adds the counts of all containers, including those that are no longer listed, to the
    /// total.
    /// </summary>
    public IReadOnlyList<ContainerLedger> ReadLedger(OperationCounter total)
    {
        lock (_changes)
        {
            total.Add(_unlisted);
            return [.. Containers.Concat(_deleted).Select(container => container.ReadLedger(total))];
        }
    }
}

/// <summary>The service's internal ids: base64 (with '-' for '/') of the parents' bytes and a number.</summary>
internal static class RidEncoding
{
    /// <summary>Characters of a document's or range's id: 16 bytes in base64.</summary>
    public const int ChildCharacters = 24;

    private const byte CollectionMark = 0x80;
    private const byte RangeMark = 0x50;
    private const byte FunctionMark = 0x60;
    private const byte TriggerMark = 0x70;
    private const byte ProcedureMark = 0x80;
    private const uint DatabaseOfferMark = 0x800000;

    public static byte[] Database(uint number)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, number);
        return bytes;
    }

    public static byte[] Container(byte[] database, uint number)
    {
        byte[] bytes = [.. database, 0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(4), number);
        bytes[4] |= CollectionMark;
        return bytes;
    }

    public static string Offer(uint number)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, number);
        return Text(bytes[..3]);
    }

    /// <summary>A mark distinguishes databases from containers, because they have separate numbers.</summary>
    public static string DatabaseOffer(uint number) => Offer(number | DatabaseOfferMark);

    /// <summary>Whether the text may be an offer's id: three bytes.</summary>
    public static bool IsOffer(string rid) =>
        rid.Length == 4 && Convert.TryFromBase64String(rid.Replace('-', '/'), stackalloc byte[3], out var bytes) && bytes == 3;

    public static string Range(byte[] container, int ordinal) => Child(container, ordinal + 1L, RangeMark);

    public static string Script(byte[] container, ScriptDefinition script) => Child(container, script.Number, script.Kind switch
    {
        ScriptKind.StoredProcedure => ProcedureMark,
        ScriptKind.Trigger => TriggerMark,
        _ => FunctionMark,
    });

    /// <summary>Writes 24 ASCII bytes.</summary>
    public static void WriteDocument(byte[] container, long number, Span<byte> destination)
    {
        Span<byte> bytes = stackalloc byte[16];
        container.CopyTo(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[8..], number);
        Base64.EncodeToUtf8(bytes, destination, out _, out var written);
        destination[..written].Replace((byte)'/', (byte)'-');
    }

    private static string Child(byte[] container, long number, byte mark)
    {
        Span<byte> bytes = stackalloc byte[16];
        container.CopyTo(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[8..], number);
        bytes[15] |= mark;
        return Text(bytes);
    }

    public static string Text(ReadOnlySpan<byte> bytes) => Convert.ToBase64String(bytes).Replace('/', '-');
}
