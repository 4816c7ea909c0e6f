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

    /// <summary>Whether operations write; else they read.</summary>
    public bool IsWrite { get; init; } = true;

    /// <summary>Whether the SDK groups operations by physical partition.</summary>
    public bool Bulk { get; init; }

    /// <summary>Of a TransactionalBatch its documents, else 1.</summary>
    public int DocumentsPerOperation { get; init; } = 1;

    public required int BytesPerDocument { get; init; }

    /// <summary>RU of one document's operation.</summary>
    public required double ChargePerDocument { get; init; }

    /// <summary>RU/s of the container.</summary>
    public required double Throughput { get; init; }

    /// <summary>Physical partitions of the container.</summary>
    public required int Partitions { get; init; }

    /// <summary>How operations spread over the partitions, in any unit; null for evenly, as keys of their own do.</summary>
    public IReadOnlyList<double>? PartitionWeights { get; init; }

    public LatencyProfile Latency { get; init; } = LatencyProfile.SameRegion;

    public ThrottlingSpec Throttling { get; init; } = new();

    public bool Burst { get; init; }

    /// <summary>Cores of each worker.</summary>
    public int Cores { get; init; } = 1;

    /// <summary>CPU time of the client for each attempt: an operation handed to the SDK once.</summary>
    public double CpuMsPerAttempt { get; init; }

    /// <summary>Time that each request takes beside the client's CPU and the account's physics.</summary>
    public double OverheadMs { get; init; }

    public TimeSpan Duration { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Time after the start that is in no figure but the counts.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(5);

    public int Seed { get; init; } = 1;

    /// <summary>From how many operations on a part of the fleet stands for all of it, or the simulation ends once it is steady.</summary>
    public long MostOperations { get; init; } = DefaultMostOperations;
}
