namespace ScaleOut.Orchestration;

/// <summary>A worker's slice and effective settings, the same for all its legs.</summary>
public sealed record WorkerAssignment
{
    public required string RunId { get; init; }

    /// <summary>Id of the run's orchestration; null if it is the run's id.</summary>
    public string? RunInstanceId { get; init; }

    /// <summary>From 0.</summary>
    public required int Worker { get; init; }

    /// <summary>Workers of the run, which start together.</summary>
    public required int Workers { get; init; }

    public required Slice Slice { get; init; }

    /// <summary>Documents of the run; 0 if only the slice is known.</summary>
    public long Documents { get; init; }

    /// <summary>Whether the worker preloads its share of documents before the start. Never into a named container.</summary>
    public bool Preloads { get; init; }

    /// <summary>Documents that reads, queries and deletes choose from.</summary>
    [JsonIgnore]
    public long Preload => Workload.PreloadOf(Math.Max(Documents, Slice.End));

    public required WorkloadSpec Workload { get; init; }

    public required DocumentSpec Document { get; init; }

    public required ClientSettings Client { get; init; }

    public required ContainerTarget Container { get; init; }

    public required TimeSpan LegDuration { get; init; }

    public required TimeSpan StartTimeout { get; init; }

    /// <summary>Time after a leg's start that rates and latencies leave out. Default 0.</summary>
    public TimeSpan Warmup { get; init; }
}

/// <summary>Consecutive workers of a run that one orchestration fans out to.</summary>
public sealed record WorkerGroup
{
    /// <summary>The run's spec, with its id.</summary>
    public required RunSpec Spec { get; init; }

    public required ContainerTarget Container { get; init; }

    /// <summary>Index of the first worker.</summary>
    public required int First { get; init; }

    public required int Count { get; init; }
}
