using Microsoft.Extensions.Logging.Abstractions;

namespace ScaleOut.Simulator.Accounts;

/// <summary>Physics and addresses of a simulated account.</summary>
public sealed record SimulatedAccountOptions
{
    /// <summary>Physical partitions of each container, 1 to 4,096. Null means <see cref="SimulationSpec.PhysicalPartitions"/>'s.</summary>
    public int? PhysicalPartitions { get; init; }

    /// <summary>Default <see cref="LatencyProfile.SameRegion"/>.</summary>
    public LatencyProfile Latency { get; init; } = LatencyProfile.SameRegion;

    /// <summary>Default <see cref="ConsistencyLevel.Session"/>. A request for a stronger one gets a 400.</summary>
    public ConsistencyLevel Consistency { get; init; } = ConsistencyLevel.Session;

    /// <inheritdoc cref="SimulationSpec.Burst"/>
    public bool Burst { get; init; }

    /// <summary>What a 429 says. Default: <see cref="ThrottlingSpec"/>'s.</summary>
    public ThrottlingSpec Throttling { get; init; } = new();

    /// <summary>What operations cost. Null means as documented.</summary>
    public ChargeSpec? Charges { get; init; }

    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>How long a raise of the throughput takes that needs more partitions. Default 0: at once.</summary>
    public TimeSpan SplitDelay { get; init; }

    /// <summary>Splits at given times; more can be asked for on the control endpoint.</summary>
    public IReadOnlyList<PartitionSplit> Splits { get; init; } = [];

    /// <summary>Merges at given times; more can be asked for on the control endpoint.</summary>
    public IReadOnlyList<PlannedMerge> Merges { get; init; } = [];

    /// <inheritdoc cref="SimulationSpec.StorageFactor"/>
    public int StorageFactor { get; init; } = 1;

    /// <summary>Of all randomness: latencies and the chances of faults. Default 1.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The account key, base64. Null means a random one of 64 bytes.</summary>
    public string? Key { get; init; }

    /// <summary>Port of the HTTPS front end on 127.0.0.1; 0, the default, means any free one.</summary>
    public int HttpsPort { get; init; }

    /// <summary>Port of the HTTP front end on 127.0.0.1; 0, the default, means any free one.</summary>
    public int HttpPort { get; init; }

    /// <summary>Port of the control endpoint on 127.0.0.1; 0, the default, means any free one.</summary>
    public int ControlPort { get; init; }

    /// <summary>
    /// The folder that databases, containers and documents are read from at the start and written to when the account is stopped, and that
    /// keeps the key. Null, the default, keeps nothing.
    /// </summary>
    public string? DataFolder { get; init; }

    /// <summary>Where the HTTPS and HTTP front ends listen; the default is 127.0.0.1, where only this machine reaches them.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>
    /// Takes what the account logs: connections that it ends itself, requests that fail, splits and merges that cannot be done. Default:
    /// none.
    /// </summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    internal SimulationSpec Simulation => new()
    {
        PhysicalPartitions = PhysicalPartitions,
        Latency = Latency,
        Consistency = Consistency,
        Burst = Burst,
        Throttling = Throttling,
        Charges = Charges,
        Faults = Faults,
        SplitDelay = SplitDelay,
        Splits = Splits,
        Merges = Merges,
        StorageFactor = StorageFactor,
    };

    /// <summary>The options of a run's simulation; what it leaves open keeps its default.</summary>
    public static SimulatedAccountOptions From(SimulationSpec simulation, int seed) => new()
    {
        PhysicalPartitions = simulation.PhysicalPartitions,
        Latency = simulation.Latency ?? LatencyProfile.SameRegion,
        Consistency = simulation.Consistency ?? ConsistencyLevel.Session,
        Burst = simulation.Burst,
        Throttling = simulation.Throttling ?? new ThrottlingSpec(),
        Charges = simulation.Charges,
        Faults = simulation.Faults,
        SplitDelay = simulation.SplitDelay,
        Splits = simulation.Splits,
        Merges = simulation.Merges,
        StorageFactor = simulation.StorageFactor,
        Seed = seed,
    };
}
