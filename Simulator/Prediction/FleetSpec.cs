using ScaleOut.Specs;

namespace ScaleOut.Simulator.Prediction;

/// <summary>A fleet of identical workers, their load, and the account that they send it to.</summary>
public sealed record FleetSpec
{
    /// <summary>Operations that are simulated before a fleet is sampled, or ended once it is steady.</summary>
    public const long DefaultMostOperations = 20_000_000;

    public required int Workers { get; init; }

    /// <summary>Operations in flight per worker.</summary>
    public required int Concurrency { get; init; }

    public ConnectionMode ConnectionMode { get; init; }

    /// <summary>Requests of one worker that are under way at once at most; null for no limit.</summary>
    public int? Connections { get; init; }

    /// <summary>Open loop: documents per second and worker; null for a closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>How long an operation loop waits after each operation.</summary>
    public TimeSpan ThinkTime { get; init; }

    /// <summary>
    /// Changes of the load, which stand for <see cref="Rate"/> and, up to <see cref="Concurrency"/>, for the operations in flight; null for
    /// one load.
    /// </summary>
    public IReadOnlyList<StepSpec>? Steps { get; init; }

    /// <summary>How operations ask for pages, where they are queries; null for operations of one request.</summary>
    public FleetQuery? Query { get; init; }

    /// <summary>Whether operations write; else they read.</summary>
    public bool IsWrite { get; init; } = true;

    /// <summary>Whether the SDK groups operations by physical partition.</summary>
    public bool Bulk { get; init; }

    /// <summary>Of a TransactionalBatch its documents, else 1.</summary>
    public int DocumentsPerOperation { get; init; } = 1;

    /// <summary>Of a query what a page gives back.</summary>
    public required int BytesPerDocument { get; init; }

    /// <summary>RU of one document's operation; of a query of one page.</summary>
    public required double ChargePerDocument { get; init; }

    /// <summary>RU/s of the container.</summary>
    public required double Throughput { get; init; }

    /// <summary>Physical partitions of the container.</summary>
    public required int Partitions { get; init; }

    /// <summary>How operations spread over the partitions, in any unit; null for evenly, as keys of their own do.</summary>
    public IReadOnlyList<double>? PartitionWeights { get; init; }

    public LatencyProfile Latency { get; init; } = LatencyProfile.Default;

    public ThrottlingSpec Throttling { get; init; } = new();

    public bool Burst { get; init; }

    /// <summary>Cores of each worker; need not be whole.</summary>
    public double Cores { get; init; } = 1;

    /// <summary>Whether all workers share <see cref="Cores"/>, as on one machine.</summary>
    public bool SharesCores { get; init; }

    /// <summary>CPU time of the client for each attempt: an operation handed to the SDK once.</summary>
    public double CpuMsPerAttempt { get; init; }

    /// <summary>
    /// CPU time of the account for each attempt, on the cores that it shares with the workers; nothing without <see cref="SharesCores"/>.
    /// </summary>
    public double AccountCpuMsPerAttempt { get; init; }

    /// <summary>What of <see cref="AccountCpuMsPerAttempt"/> the workers' cores do.</summary>
    internal double AccountCpuMsOnSharedCores => SharesCores ? AccountCpuMsPerAttempt : 0;

    /// <summary>Time that each request takes beside the client's CPU and the account's physics.</summary>
    public double OverheadMs { get; init; }

    public TimeSpan Duration { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Time after the start that is in no figure but the counts.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(5);

    public int Seed { get; init; } = 1;

    /// <summary>From how many operations on a part of the fleet stands for all of it, or the simulation ends once it is steady.</summary>
    public long MostOperations { get; init; } = DefaultMostOperations;
}

/// <summary>How a query is read.</summary>
/// <param name="Pages">Of one query, on average.</param>
/// <param name="AtOnce">Pages that are asked for at the same time at most.</param>
/// <param name="OverPartitions">Whether each page is another partition's; else all are of the partition that the operation goes to.</param>
/// <param name="Plans">Query plans that the gateway is asked for before a query's pages, on average.</param>
public sealed record FleetQuery(double Pages, int AtOnce, bool OverPartitions, double Plans)
{
    /// <summary>Pages that one query waits for one after the other.</summary>
    public double Depth => Math.Max(1, Pages / AtOnce);
}
