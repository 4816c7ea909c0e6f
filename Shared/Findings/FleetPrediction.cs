using ScaleOut.Statistics;

namespace ScaleOut.Findings;

/// <summary>What one worker's rate predicts for N of them, beside what they did.</summary>
public sealed record FleetPrediction
{
    public required string Variant { get; init; }

    public required int Workers { get; init; }

    /// <summary>N x the typical rate of one worker.</summary>
    public required double Predicted { get; init; }

    /// <summary>Typical rate of the fleet.</summary>
    public required double Measured { get; init; }

    /// <summary><see cref="Measured"/> / <see cref="Predicted"/>.</summary>
    public required double Efficiency { get; init; }

    /// <summary>95% interval of <see cref="Efficiency"/>; null without repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>Why the fleet says nothing about the clients, such as <c>bound by request units</c>; null when it does.</summary>
    public string? LeftOut { get; init; }
}
