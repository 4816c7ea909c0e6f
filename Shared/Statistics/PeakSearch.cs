namespace ScaleOut.Statistics;

/// <summary>
/// Looks for the level with the highest rate. It goes up from the lowest level and takes a step only when it is shown to be better:
/// the 95% interval of the ratio lies above 1, and the ratio is above 1.005. So noise alone seldom moves it, and the lowest of equally good levels is found.
/// </summary>
public sealed record PeakSearch
{
    /// <summary>Ratio that a step must exceed.</summary>
    public const double LeastGain = 1.005;

    /// <summary>Index of the level that was found.</summary>
    public required int Index { get; init; }

    /// <summary>Every step that was tried, upwards.</summary>
    public required IReadOnlyList<PeakStep> Steps { get; init; }

    /// <summary>Searches levels in their order.</summary>
    /// <param name="levels">At least one.</param>
    public static PeakSearch Over(IReadOnlyList<PeakLevel> levels)
    {
        ArgumentNullException.ThrowIfNull(levels);
        ArgumentOutOfRangeException.ThrowIfZero(levels.Count, nameof(levels));
        var best = 0;
        var steps = new List<PeakStep>();
        for (var next = 1; next < levels.Count; next++)
        {
            var effect = RatioEffect.Of(levels[next].Rates, levels[best].Rates);
            var ratio = effect?.Ratio ?? LogSample.Of(levels[next].Rates).GeometricMean / LogSample.Of(levels[best].Rates).GeometricMean;
            var interval = effect?.At();
            var accepted = interval is { Low: > 1 } && ratio > LeastGain;
            steps.Add(new PeakStep(levels[best].Level, levels[next].Level, ratio, interval, accepted));
            if (accepted)
                best = next;
        }

        return new PeakSearch { Index = best, Steps = steps };
    }
}
