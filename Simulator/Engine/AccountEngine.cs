using ScaleOut.Simulator.Accounts;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Ledger;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Protocol;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine;

/// <summary>Everything that front ends share: the store, the physics and the ledger of one account.</summary>
internal sealed class AccountEngine : IDisposable
{
    private long _wireRequests;
    private long _rejectedRequests;

    public AccountEngine(SimulatedAccountOptions options, byte[] key, TimeProvider time)
    {
        Key = key;
        Consistency = options.Consistency;
        Clock = new AccountClock(time);
        StartedAtTicks = Clock.NowTicks;
        Timer = new DelayTimer(time);
        Catalog = new ResourceCatalog(new PartitionLayout(options.PhysicalPartitions, options.Burst), Clock);
        // Faults draw from a stream of their own, so that adding a rule does not change the latencies.
        Pipeline = new OperationPipeline(
            new FaultInjector(options.Faults, new SeededNoise((ulong)options.Seed + 0x5EED), Clock),
            new LatencyModel(options.Latency, new SeededNoise((ulong)options.Seed)),
            Timer,
            Clock,
            new SplitSchedule(options.Splits, Catalog, Clock));
    }

    public byte[] Key { get; }

    public ConsistencyLevel Consistency { get; }

    public AccountClock Clock { get; }

    public long StartedAtTicks { get; }

    public DelayTimer Timer { get; }

    public ResourceCatalog Catalog { get; }

    public OperationPipeline Pipeline { get; }

    /// <summary>Null until the Direct front end listens.</summary>
    public IReplicaAddresses? Replicas { get; set; }

    public void CountWireRequest() => Interlocked.Increment(ref _wireRequests);

    public void CountRejectedRequest() => Interlocked.Increment(ref _rejectedRequests);

    public AccountLedger ReadLedger()
    {
        var total = new OperationCounter();
        IReadOnlyList<ContainerLedger> containers = Catalog.ReadLedger(total);
        return new AccountLedger
        {
            StartedAt = new DateTimeOffset(StartedAtTicks, TimeSpan.Zero),
            AsOf = new DateTimeOffset(Clock.NowTicks, TimeSpan.Zero),
            WireRequests = Interlocked.Read(ref _wireRequests),
            RejectedRequests = Interlocked.Read(ref _rejectedRequests),
            Documents = total.ReadDocuments(),
            Operations = total.ReadOperations(),
            SecondsKept = ContainerResource.SecondsKeptFor(containers.Count == 0 ? 1 : containers.Max(container => container.Partitions.Count)),
            Containers = containers,
        };
    }

    public void Dispose() => Timer.Dispose();
}
