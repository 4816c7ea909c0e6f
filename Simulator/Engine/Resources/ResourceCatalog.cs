using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using ScaleOut.Simulator.Engine.Ledger;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>The account's databases and containers, found by name or by resource id.</summary>
internal sealed class ResourceCatalog(PartitionLayout layout, AccountClock clock)
{
    private const int DeletedKept = 16;
    private const long CollectFromDocuments = 100_000;

    private readonly ConcurrentDictionary<string, DatabaseResource> _databases = new(StringComparer.Ordinal);
    private readonly Lock _changes = new();
    private readonly Queue<ContainerResource> _deleted = new();
    private readonly OperationCounter _forgotten = new();
    private uint _lastDatabase;
    private uint _lastContainer;

    public IEnumerable<DatabaseResource> Databases => _databases.Values.OrderBy(database => database.Rid, StringComparer.Ordinal);

    public IEnumerable<ContainerResource> Containers => Databases.SelectMany(ContainersOf);

    public static IEnumerable<ContainerResource> ContainersOf(DatabaseResource database) =>
        database.Containers.Values.OrderBy(container => container.Number);

    public bool TryFindDatabase(string nameOrRid, [NotNullWhen(true)] out DatabaseResource? database)
    {
        if (_databases.TryGetValue(nameOrRid, out database))
            return true;
        foreach (DatabaseResource candidate in _databases.Values)
        {
            if (candidate.Rid == nameOrRid)
            {
                database = candidate;
                return true;
            }
        }

        return false;
    }

    public static bool TryFindContainer(DatabaseResource database, string nameOrRid, [NotNullWhen(true)] out ContainerResource? container)
    {
        if (database.Containers.TryGetValue(nameOrRid, out container))
            return true;
        foreach (ContainerResource candidate in database.Containers.Values)
        {
            if (candidate.Rid == nameOrRid)
            {
                container = candidate;
                return true;
            }
        }

        return false;
    }

    public DatabaseResource CreateDatabase(string name)
    {
        lock (_changes)
        {
            if (_databases.ContainsKey(name))
                throw RequestException.Conflict();
            var database = new DatabaseResource(++_lastDatabase, name, AccountClock.UnixSecond(clock.NowTicks));
            _databases[name] = database;
            return database;
        }
    }

    public ContainerResource CreateContainer(DatabaseResource database, ContainerSettings definition, Offer offer)
    {
        lock (_changes)
        {
            if (!_databases.ContainsKey(database.Name))
                throw RequestException.NotFound();
            if (database.Containers.ContainsKey(definition.Name))
                throw RequestException.Conflict();
            var container = new ContainerResource(database, ++_lastContainer, definition, offer, layout, clock);
            database.Containers[definition.Name] = container;
            return container;
        }
    }

    public void DeleteDatabase(DatabaseResource database)
    {
        lock (_changes)
        {
            _databases.TryRemove(database.Name, out _);
            foreach (ContainerResource container in ContainersOf(database).ToArray())
                DeleteContainer(container);
        }
    }

    public void DeleteContainer(ContainerResource container)
    {
        long documents = container.Partitions.Sum(partition => (long)partition.Store.Count);
        lock (_changes)
        {
            if (!container.Database.Containers.TryRemove(new KeyValuePair<string, ContainerResource>(container.Name, container)))
                return;
            container.Delete();
            _deleted.Enqueue(container);
            if (_deleted.Count > DeletedKept)
                _deleted.Dequeue().ReadLedger(_forgotten);
        }

        // The documents are unreachable now; without a nudge the memory would stay until the next container fills it.
        if (documents >= CollectFromDocuments)
            ThreadPool.UnsafeQueueUserWorkItem(static _ => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true), null);
    }

    /// <summary>Ledgers of the containers that exist and of the last deleted ones; <paramref name="total"/> gets all there ever were.</summary>
    public IReadOnlyList<ContainerLedger> ReadLedger(OperationCounter total)
    {
        lock (_changes)
        {
            total.Add(_forgotten);
            return [.. Containers.Concat(_deleted).Select(container => container.ReadLedger(total))];
        }
    }
}
