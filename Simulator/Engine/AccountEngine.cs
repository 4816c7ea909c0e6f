namespace ScaleOut.Simulator.Engine;

/// <summary>One account behind its front ends: databases, physics and ledger.</summary>
internal sealed class AccountEngine : IDisposable
{
    private readonly long _startedAtTicks;
    private readonly DelayTimer _timer;
    private long _wireRequests;
    private long _rejectedRequests;

    /// <param name="time">The clock of the account, which latency waits use, too.</param>
    /// <param name="throughput">RU/s of a container that is created without a throughput.</param>
    public AccountEngine(
        SimulationSpec simulation, int seed, TimeProvider time, ILogger logger, int throughput = ContainerSpec.MinThroughput)
    {
        Consistency = simulation.Consistency ?? SimulationSpec.DefaultConsistency;
        Charges = new RequestCharges(ChargeSpec.ModelOf(simulation.Charges));
        Clock = new AccountClock(time);
        _startedAtTicks = Clock.NowTicks;
        _timer = new DelayTimer(time);
        Delays = new DelayMeter(_timer, Clock);
        // Faults and 429s have their own streams of random numbers, so that a new rule does not change the latencies.
        var retryAfter = new RetryAfter(simulation.Throttling ?? new ThrottlingSpec(), new SeededNoise((ulong)seed + 0x429));
        Catalog = new ResourceCatalog(
            new PartitionLayout(Clock, simulation.PhysicalPartitions, simulation.Burst, retryAfter)
            {
                SplitDelay = simulation.SplitDelay, BurstBank = simulation.BurstBank, Storage = new StorageLimits(simulation.StorageFactor),
            })
        {
            DefaultThroughput = throughput,
        };
        Pipeline = new OperationPipeline(
            new FaultInjector(simulation.Faults, new SeededNoise((ulong)seed + 0x5EED), Clock),
            new LatencyModel(simulation.Latency ?? LatencyProfile.SameRegion, new SeededNoise((ulong)seed)),
            _timer,
            Clock,
            new SplitSchedule(simulation, Catalog, Clock, logger));
    }

    public ConsistencyLevel Consistency { get; }

    public RequestCharges Charges { get; }

    public AccountClock Clock { get; }

    public ResourceCatalog Catalog { get; }

    public OperationPipeline Pipeline { get; }

    /// <summary>The configured and the delivered delays of responses.</summary>
    public DelayMeter Delays { get; }

    public void CountWireRequest() => Interlocked.Increment(ref _wireRequests);

    public void CountRejectedRequest() => Interlocked.Increment(ref _rejectedRequests);

    public AccountLedger ReadLedger()
    {
        var total = new OperationCounter();
        var containers = Catalog.ReadLedger(total);
        return new AccountLedger
        {
            StartedAt = new DateTimeOffset(_startedAtTicks, TimeSpan.Zero),
            AsOf = new DateTimeOffset(Clock.NowTicks, TimeSpan.Zero),
            WireRequests = Interlocked.Read(ref _wireRequests),
            RejectedRequests = Interlocked.Read(ref _rejectedRequests),
            Documents = total.Documents,
            Operations = total.ReadOperations(),
            SecondsKept = ContainerSplits.SecondsKeptFor(containers.Select(one => one.Partitions.Count).DefaultIfEmpty(1).Max()),
            Containers = containers,
            Delays = Delays.Read(),
        };
    }

    /// <summary>Ends all waits.</summary>
    public void Dispose() => _timer.Dispose();
}
