namespace ScaleOut.Sizing.Prediction;

/// <summary>A fleet of identical workers, their load, and their account.</summary>
internal sealed record FleetSpec
{
    public const long DefaultMaxOperations = 20_000_000;

    public required int Workers { get; init; }

    /// <summary>Operations in flight per worker.</summary>
    public required int Concurrency { get; init; }

    public ConnectionMode ConnectionMode { get; init; }

    /// <summary>Largest number of requests in flight per worker; null for no limit.</summary>
    public int? Connections { get; init; }

    /// <summary>Open loop: documents per second and worker; null for a closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>Whether the operations of an open loop come at random, as those of many users do, and not at even distances.</summary>
    public bool Poisson { get; init; }

    /// <summary>How long an operation loop waits after each operation.</summary>
    public TimeSpan ThinkTime { get; init; }

    /// <summary>Whether operations write; else they read.</summary>
    public bool IsWrite { get; init; } = true;

    /// <summary>Whether the SDK groups operations by physical partition.</summary>
    public bool Bulk { get; init; }

    /// <summary>The size of a TransactionalBatch, else 1.</summary>
    public int DocumentsPerOperation { get; init; } = 1;

    public required int BytesPerDocument { get; init; }

    /// <summary>Share of the operations that send whole documents, as deletes, patches and reads do not.</summary>
    public double SentShare { get; init; } = 1;

    /// <summary>RU for one document; for a mix, the mean; for an action, the sum of its steps.</summary>
    public required double ChargePerDocument { get; init; }

    /// <summary>The kinds of operation of a mix, or of the steps of an action; empty if all operations are alike.</summary>
    public IReadOnlyList<FleetOperation> Mix { get; init; } = [];

    /// <summary>The steps of an action, one after the other, as indices of <see cref="Mix"/>; empty for a mix.</summary>
    public IReadOnlyList<int> Steps { get; init; } = [];

    /// <summary>RU/s of the container.</summary>
    public required double Throughput { get; init; }

    /// <summary>Physical partitions of the container.</summary>
    public required int Partitions { get; init; }

    /// <summary>The partitions' shares of operations, in any unit; null if equal.</summary>
    public IReadOnlyList<double>? PartitionWeights { get; init; }

    /// <summary>The partitions' shares of reads, in any unit; null if they are those of all operations.</summary>
    public IReadOnlyList<double>? ReadWeights { get; init; }

    public LatencyProfile Latency { get; init; } = LatencyProfile.SameRegion;

    public ThrottlingSpec Throttling { get; init; } = new();

    public bool Burst { get; init; }

    /// <inheritdoc cref="SimulationSpec.BurstBank"/>
    public double BurstBank { get; init; }

    /// <summary>Cores of each worker.</summary>
    public int Cores { get; init; } = 1;

    /// <summary>CPU time of the client for each attempt.</summary>
    public double CpuMsPerAttempt { get; init; }

    /// <summary>Time of each request besides the client's CPU and the account's physics.</summary>
    public double OverheadMs { get; init; }

    public TimeSpan Duration { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Time after the start that rates and latencies leave out.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(5);

    public int Seed { get; init; } = 1;

    /// <summary>Operations beyond which a part of the fleet stands for all of it, or the simulation ends once it is steady.</summary>
    public long MaxOperations { get; init; } = DefaultMaxOperations;
}

/// <summary>One kind of operation of a mix, or of the steps of an action.</summary>
/// <param name="Share">Share of all operations, 0 to 1; of an action, the number of its steps.</param>
/// <param name="IsWrite">Whether the account times it as a write.</param>
/// <param name="Charge">RU.</param>
/// <param name="Name">Such as <c>insert</c>; null if nothing names it.</param>
internal sealed record FleetOperation(double Share, bool IsWrite, double Charge, string? Name = null)
{
    /// <summary>The pages of a query; null for an operation of one request.</summary>
    public QueryPages? Query { get; init; }
}
