namespace ScaleOut.Specs;

/// <summary>Client settings for some workers of a run.</summary>
public sealed record WorkerOverride
{
    /// <summary>Indices of the workers, from 0.</summary>
    public required IReadOnlyList<int> Workers { get; init; }

    public required ClientOverride Client { get; init; }
}
