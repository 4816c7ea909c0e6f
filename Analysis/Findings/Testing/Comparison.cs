using System.Diagnostics.CodeAnalysis;

namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>The ratio of one figure between two variants, with an interval where both have repeats.</summary>
internal sealed record Comparison
{
    /// <summary>Typical value of the first / typical value of the second.</summary>
    public required double Ratio { get; init; }

    /// <summary>Null when a side has a single value.</summary>
    public RatioEffect? Effect { get; init; }

    /// <summary>Values of the side that has fewer.</summary>
    public required int Repeats { get; init; }

    /// <summary>Whether there is an interval to decide by.</summary>
    [MemberNotNullWhen(true, nameof(Effect))]
    public bool IsRepeated => Effect is not null;

    /// <summary>Compares values above 0, at least one on each side.</summary>
    public static Comparison From(IReadOnlyList<double> above, IReadOnlyList<double> below) => new()
    {
        Ratio = LogSample.From(above).GeometricMean / LogSample.From(below).GeometricMean,
        Effect = RatioEffect.From(above, below),
        Repeats = Math.Min(above.Count, below.Count),
    };

    /// <summary>The 95% interval; of several comparisons each gets a share of the 5%, so that all hold together.</summary>
    public Interval? Interval95(int comparisons = 1) => Effect?.At(Verdicts.Default.ConfidenceFor(comparisons));

    public Interval? Interval90 => Effect?.At(Equivalence.Confidence);

    /// <summary>The same with the first side's values times a positive factor.</summary>
    public Comparison Times(double factor) => this with { Ratio = Ratio * factor, Effect = Effect?.Times(factor) };

    /// <summary>
    /// How many repeats it would take to decide whether the ratio is within 1 / factor to factor; null when no number would.
    /// </summary>
    public int? RepeatsForSameness(double factor) =>
        RepeatsFor(Math.Abs(Math.Abs(Math.Log(Ratio)) - Math.Log(factor)), Equivalence.Confidence);

    /// <summary>
    /// How many repeats it would take to decide whether the ratio is a gain of more than the threshold; null when no number would.
    /// </summary>
    public int? RepeatsForGain(double threshold)
    {
        var distance = Math.Abs(Math.Log(Ratio / threshold));
        // A claim of any gain is also decided by showing that there is none that matters.
        return RepeatsFor(
            threshold == 1 ? Math.Max(distance, Math.Log(Equivalence.NegligibleFactor / Ratio)) : distance, RatioEffect.DefaultConfidence);
    }

    /// <summary>The repeats are chosen after a look, so each of the two gets half of the error.</summary>
    private int? RepeatsFor(double distance, double confidence) =>
        IsRepeated ? RepeatsToDecide.From(Effect, Repeats, distance, 1 - ((1 - confidence) / 2)) : null;
}
