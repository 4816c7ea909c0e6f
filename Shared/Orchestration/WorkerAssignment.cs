namespace ScaleOut.Orchestration;

/// <summary>What one worker is asked to do: its slice and its effective settings, the same for all its legs.</summary>
public sealed record WorkerAssignment
{
    public required string RunId { get; init; }

    /// <summary>Instance id of the run's orchestration; null if the run has no other than its own id.</summary>
    public string? RunInstanceId { get; init; }

    /// <summary>Index of the worker, from 0.</summary>
    public required int Worker { get; init; }

    /// <summary>Workers of the run, which start together.</summary>
    public required int Workers { get; init; }

    public required Slice Slice { get; init; }

    /// <summary>Documents of the run; 0 where only the slice is known.</summary>
    public long Documents { get; init; }

    /// <summary>
    /// Whether the worker writes its share of those documents before the start: into the run's own container only, never into a named one.
    /// </summary>
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

    /// <summary>Time after a leg's start whose latencies are kept apart. Default 0.</summary>
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
