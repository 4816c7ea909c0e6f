namespace ScaleOut.Orchestration;

/// <summary>The outcome of preparing the container: either it is ready, or there are reasons why the run cannot start.</summary>
public sealed record Preparation
{
    /// <summary>Null when the run cannot start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Everything that keeps the run from starting, each with what and where.</summary>
    public IReadOnlyList<string> Refusals { get; init; } = [];
}
