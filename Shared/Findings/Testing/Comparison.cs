using System.Diagnostics.CodeAnalysis;
using ScaleOut.Statistics;

namespace ScaleOut.Findings.Testing;

/// <summary>The ratio of one figure between two variants, with an interval where both have repeats.</summary>
internal sealed record Comparison
{
    /// <summary>Typical value of the first / typical value of the second.</summary>
    public required double Ratio { get; init; }

    /// <summary>Null when a side has a single value.</summary>
    public RatioEffect? Effect { get; init; }

    /// <summary>Whether there is an interval to decide by.</summary>
    [MemberNotNullWhen(true, nameof(Effect))]
    public bool IsRepeated => Effect is not null;

    /// <summary>Compares values above 0, at least one on each side.</summary>
    public static Comparison Of(IReadOnlyList<double> above, IReadOnlyList<double> below) => new()
    {
        Ratio = LogSample.Of(above).GeometricMean / LogSample.Of(below).GeometricMean,
        Effect = RatioEffect.Of(above, below),
    };

    /// <summary>The 95% interval; of several comparisons each gets a share of the 5%, so that all hold together.</summary>
    public Interval? Interval95(int comparisons = 1) => Effect?.At(Verdicts.ConfidenceFor(comparisons));

    public Interval? Interval90 => Effect?.At(Equivalence.Confidence);

    /// <summary>The same with the first side's values times a positive factor.</summary>
    public Comparison Times(double factor) => new() { Ratio = Ratio * factor, Effect = Effect?.Times(factor) };
}
