using ScaleOut.Specs;

namespace ScaleOut.Orchestration;

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
