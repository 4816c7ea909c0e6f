using System.Diagnostics.CodeAnalysis;

namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>The ratio of a figure of two variants, with an interval if both have repeats.</summary>
internal sealed record Comparison
{
    /// <summary>Typical value of the first / typical value of the second.</summary>
    public required double Ratio { get; init; }

    /// <summary>Null if a side has a single value.</summary>
    public RatioEffect? Effect { get; init; }

    /// <summary>Number of values of the side that has fewer.</summary>
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

    /// <summary>The 95% interval. Each of several comparisons gets an equal share of the 5%, so that all intervals hold together.</summary>
    public Interval? Interval95(int comparisons = 1) => Effect?.At(Verdicts.Default.ConfidenceFor(comparisons));

    public Interval? Interval90 => Effect?.At(Equivalence.Confidence);

    /// <summary>A finding about this ratio on which nothing is decided yet.</summary>
    /// <param name="effectOf">The figures that the ratio is of.</param>
    /// <param name="statement">States the ratio. The interval follows it.</param>
    /// <param name="comparisons">Number of comparisons that must hold together.</param>
    public FindingResult ToFinding(string effectOf, string statement, int comparisons = 1)
    {
        var interval = Interval95(comparisons);
        return new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = Ratio,
            EffectOf = effectOf,
            Interval95 = interval,
            Sentence = statement + ClaimText.Within(interval),
        };
    }

    /// <summary>A finding about sameness, which the 90% interval decides.</summary>
    /// <inheritdoc cref="ToFinding"/>
    public FindingResult ToSamenessFinding(string effectOf, string statement) => ToFinding(effectOf, statement) with
    {
        Interval90 = Interval90,
        Sentence = statement + ClaimText.Within90(Interval90),
    };

    /// <summary>The same with the first side's values times a positive factor.</summary>
    public Comparison Times(double factor) => this with { Ratio = Ratio * factor, Effect = Effect?.Times(factor) };

    /// <summary>Number of repeats that would decide whether the ratio is within 1 / factor to factor. Null if no number would.</summary>
    public int? RepeatsForSameness(double factor)
    {
        var beyond = Math.Abs(Math.Log(Ratio)) - Math.Log(factor);
        return RepeatsFor(Math.Abs(beyond), beyond > 0 ? RatioEffect.DefaultConfidence : Equivalence.Confidence);
    }

    /// <summary>
    /// Number of repeats that would decide whether the ratio is a gain of more than the threshold. Null if no number would.
    /// </summary>
    public int? RepeatsForGain(double threshold)
    {
        var distance = Math.Abs(Math.Log(Ratio / threshold));
        // A claim of any gain is also decided if the gain is shown to be negligible at most.
        return RepeatsFor(
            threshold == 1 ? Math.Max(distance, Math.Log(Equivalence.NegligibleFactor / Ratio)) : distance, RatioEffect.DefaultConfidence);
    }

    /// <summary>
    /// The number of repeats is chosen after a first look at the result, so each of the two looks gets half of the error.
    /// </summary>
    private int? RepeatsFor(double distance, double confidence) =>
        IsRepeated ? RepeatsToDecide.From(Effect, Repeats, distance, 1 - ((1 - confidence) / 2)) : null;
}
