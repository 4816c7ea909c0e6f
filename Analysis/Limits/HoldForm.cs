namespace ScaleOut.Analysis.Limits;

/// <summary>How the runs' own limits lie around the limit, and how frequent lapses are.</summary>
/// <param name="Fails">Share of the runs that fail below the limit for another reason.</param>
/// <param name="Holds">Share of the runs that hold above the limit for another reason.</param>
/// <param name="Weight">Prior probability.</param>
internal sealed record HoldForm(double Fails, double Holds, double Weight)
{
    /// <summary>Keeps exp(x) within the range of a double.</summary>
    private const double MaxExponent = 40;

    /// <summary>Factor by which the curve above the limit is flatter than below it. Default 1.</summary>
    public double Stretch { get; init; } = 1;

    /// <summary>Share of the runs whose own limits lie far above the limit, below one half. Default 0.</summary>
    public double Plateau { get; init; }

    /// <summary>Whether without lapses the chance to hold is the same.</summary>
    public bool HasCurveOf(HoldForm other) => Stretch == other.Stretch && Plateau == other.Plateau;

    /// <summary>Chances that a run holds without lapses: the share of the runs whose own limits lie above its rate.</summary>
    /// <param name="distance">ln(rate / limit).</param>
    /// <param name="spreads">
    /// Scales of the logistic curve below the limit. Their number is a multiple of that of the doubles in a vector register.
    /// </param>
    /// <param name="chances">Receives the chance for each scale.</param>
    public void HeldAt(double distance, ReadOnlySpan<double> spreads, Span<double> chances)
    {
        var (scaled, least) = distance > 0 ? (distance / Stretch, Plateau) : (distance, 0);
        for (var first = 0; first < chances.Length; first += Vector<double>.Count)
        {
            var exponent = new Vector<double>(scaled) / new Vector<double>(spreads[first..]);
            var odds = Vector.Exp(Vector.Clamp(exponent, new Vector<double>(-MaxExponent), new Vector<double>(MaxExponent)));
            var held = new Vector<double>(least) + ((1 - (2 * least)) * (Vector<double>.One / (Vector<double>.One + odds)));
            held.CopyTo(chances[first..]);
        }
    }

    /// <summary>Chance that a run holds, with lapses.</summary>
    /// <param name="held">Chance without lapses.</param>
    public double ChanceOf(double held) => Holds + ((1 - Fails - Holds) * held);

    /// <inheritdoc cref="ChanceOf(double)"/>
    public Vector<double> ChanceOf(Vector<double> held) => new Vector<double>(Holds) + ((1 - Fails - Holds) * held);
}
