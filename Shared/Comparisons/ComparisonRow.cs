using ScaleOut.Statistics;

namespace ScaleOut.Comparisons;

/// <summary>One figure of two reports.</summary>
public sealed record ComparisonRow
{
    /// <summary>Such as a variant's name and <c>documents per second</c>.</summary>
    public required string Figure { get; init; }

    public double? A { get; init; }

    public double? B { get; init; }

    /// <summary>B / A; null where one is not known or is 0.</summary>
    public double? Ratio { get; init; }

    /// <summary>95% interval of <see cref="Ratio"/>; null where nothing is known of the noise.</summary>
    public Interval? Interval95 { get; init; }

    public required ComparisonVerdict Verdict { get; init; }

    /// <summary>What the interval rests on, or why there is none.</summary>
    public required string Basis { get; init; }

    /// <summary>A row of two figures, with its verdict by the interval.</summary>
    /// <param name="figure">What is compared.</param>
    /// <param name="a">In the first report.</param>
    /// <param name="b">In the second report.</param>
    /// <param name="effect">B / A with its noise; null where nothing is known of it.</param>
    /// <param name="basis">What the interval rests on, or why there is none.</param>
    public static ComparisonRow Of(string figure, double? a, double? b, RatioEffect? effect, string basis)
    {
        var interval = effect?.At();
        return new ComparisonRow
        {
            Figure = figure,
            A = a,
            B = b,
            Ratio = effect?.Ratio ?? (a > 0 && b > 0 ? b / a : null),
            Interval95 = interval,
            Verdict = interval is not { } known ? ComparisonVerdict.NotKnown : known.Contains(1) ? ComparisonVerdict.Noise : ComparisonVerdict.Differs,
            Basis = basis,
        };
    }
}
