using ScaleOut.Statistics;

namespace ScaleOut.Findings;

/// <summary>Where the rate was highest.</summary>
public sealed record PeakFinding
{
    /// <summary>The variant there.</summary>
    public required string Variant { get; init; }

    /// <summary>Operations in flight of all its workers together.</summary>
    public required double Concurrency { get; init; }

    /// <summary>Typical rate there.</summary>
    public required double Rate { get; init; }

    /// <summary>Whether a higher level was measured and shown not to be better by more than what is negligible.</summary>
    public required bool Confirmed { get; init; }

    /// <summary>The search, step by step.</summary>
    public required IReadOnlyList<PeakStep> Steps { get; init; }
}
