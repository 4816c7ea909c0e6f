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

    /// <summary>What bound the fleet, when that is none of the clients' doing, so that it says nothing about them; else null.</summary>
    public string? LeftOut { get; init; }
}
