namespace ScaleOut.Orchestration;

/// <summary>The outcome of preparing the container: it is ready, or there are reasons why the run cannot start, or the run was stopped before, or it came to its report before.</summary>
public sealed record Preparation
{
    /// <summary>Null when the run cannot start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Whether a stop was asked for before the container was ready; then it is null without a refusal.</summary>
    public bool Stopped { get; init; }

    /// <summary>How the run ended, when it came to its report before; the container may be gone then, and the other fields are not set.</summary>
    public RunEnding? Ending { get; init; }

    /// <summary>Everything that keeps the run from starting, each with what and where.</summary>
    public IReadOnlyList<string> Refusals { get; init; } = [];
}
