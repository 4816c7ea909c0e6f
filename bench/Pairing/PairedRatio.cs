namespace ScaleOut.Bench.Pairing;

/// <summary>The ratio of two measurements that take turns, so that a drift of the machine's speed affects both alike.</summary>
/// <param name="Ratios">A / B of each pair.</param>
public sealed record PairedRatio(IReadOnlyList<double> Ratios)
{
    /// <summary>Largest <see cref="Spread"/> with which the pairs are judged.</summary>
    public const double MaxSpread = 0.10;

    public double Median => Ratios.Order().ElementAt(Ratios.Count / 2);

    /// <summary>(largest - smallest) / median.</summary>
    public double Spread => (Ratios.Max() - Ratios.Min()) / Median;

    /// <summary>Measures pairs. The order within a pair alternates from pair to pair.</summary>
    /// <param name="pairs">Number of pairs, odd.</param>
    /// <param name="first">Measures A.</param>
    /// <param name="second">Measures B.</param>
    public static async Task<PairedRatio> MeasureAsync(
        int pairs, Func<Task<double>> first, Func<Task<double>> second, Action<double, double> show)
    {
        var ratios = new List<double>();
        for (var pair = 0; pair < pairs; pair++)
        {
            double a, b;
            if (pair % 2 == 0)
                (a, b) = (await first(), await second());
            else
                (b, a) = (await second(), await first());
            show(a, b);
            ratios.Add(a / b);
        }

        return new PairedRatio(ratios);
    }

    /// <summary>Says whether the median is at most the limit. There is no judgement if the pairs spread too far.</summary>
    public string Judge(double limit)
    {
        var verdict = Spread > MaxSpread
            ? "no judgement, the pairs spread too far"
            : Median <= limit ? "holds" : "DOES NOT HOLD";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"median {Median:0.000} of {Ratios.Count} pairs, spread {Spread:P1}; at most {limit:0.00}: {verdict}");
    }
}
