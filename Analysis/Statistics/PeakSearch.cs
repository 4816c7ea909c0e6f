namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// Looks for the level with the highest rate. It goes up from the lowest level and takes a step only when it is shown to be better:
/// the 95% interval of the ratio lies above 1, and the ratio is above 1.005. So noise alone seldom moves it, and the lowest of equally good
/// levels is found.
/// </summary>
internal sealed record PeakSearch
{
    /// <summary>Ratio that a step must exceed.</summary>
    public const double MinGain = 1.005;

    /// <summary>Index of the level that was found.</summary>
    public required int Index { get; init; }

    /// <summary>Every step that was tried, upwards.</summary>
    public required IReadOnlyList<PeakStep> Steps { get; init; }

    /// <param name="levels">At least one.</param>
    /// <param name="confidence">Confidence of the interval that accepts a step. Default 0.95.</param>
    public static PeakSearch Over(IReadOnlyList<PeakLevel> levels, double confidence = RatioEffect.DefaultConfidence)
    {
        ArgumentOutOfRangeException.ThrowIfZero(levels.Count, nameof(levels));
        var best = 0;
        var steps = new List<PeakStep>();
        for (var next = 1; next < levels.Count; next++)
        {
            var effect = RatioEffect.From(levels[next].Rates, levels[best].Rates);
            var ratio = effect?.Ratio
                ?? LogSample.From(levels[next].Rates).GeometricMean / LogSample.From(levels[best].Rates).GeometricMean;
            var interval = effect?.At();
            var accepted = effect?.At(confidence) is { Low: > 1 } && ratio > MinGain;
            steps.Add(new PeakStep(levels[best].Level, levels[next].Level, ratio, interval, accepted));
            if (accepted)
                best = next;
        }

        return new PeakSearch { Index = best, Steps = steps };
    }
}

/// <summary>Interval of the number of workers at a peak. An end may be infinite.</summary>
/// <param name="Low">Null when even the lower end is infinite: there is no sign of a peak.</param>
/// <param name="High">Null when the measurements are compatible with there being no peak.</param>
public sealed record PeakInterval(double? Low, double? High);

/// <param name="Level">Such as operations in flight; the levels ascend.</param>
/// <param name="Rates">Measured at this level, above 0.</param>
internal sealed record PeakLevel(double Level, IReadOnlyList<double> Rates);

/// <param name="Ratio">Typical rate at <paramref name="To"/> / typical rate at <paramref name="From"/>.</param>
/// <param name="Interval95">95% interval of <paramref name="Ratio"/>; null with a single measurement.</param>
/// <param name="Accepted">Whether <paramref name="To"/> is shown to be better.</param>
public sealed record PeakStep(double From, double To, double Ratio, Interval? Interval95, bool Accepted);
