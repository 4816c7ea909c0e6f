namespace ScaleOut.Bench.Pairing;

/// <summary>The ratio of two measurements that were taken in turn, so that a drift of the machine's speed falls on both.</summary>
/// <param name="Ratios">A / B of each pair.</param>
public sealed record PairedRatio(IReadOnlyList<double> Ratios)
{
    /// <summary>Pairs that differ by more than this say nothing.</summary>
    public const double MaxSpread = 0.10;

    public double Median => Ratios.Order().ElementAt(Ratios.Count / 2);

    /// <summary>(largest - smallest) / median.</summary>
    public double Spread => (Ratios.Max() - Ratios.Min()) / Median;

    /// <summary>Measures pairs, the order within a pair changing from pair to pair.</summary>
    /// <param name="pairs">How many, odd.</param>
    /// <param name="first">Gives A; smaller or larger is for the caller to judge.</param>
    /// <param name="second">Gives B.</param>
    /// <param name="show">Receives each pair.</param>
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

    /// <summary>Such as <c>1.03 at most 1.05: holds</c>; no judgement when the pairs spread too far.</summary>
    public string Judge(double limit, bool atMost)
    {
        var verdict = Spread > MaxSpread
            ? "no judgement, the pairs spread too far"
            : (atMost ? Median <= limit : Median >= limit) ? "holds" : "DOES NOT HOLD";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"median {Median:0.000} of {Ratios.Count} pairs, spread {Spread:P1}; "
            + $"{(atMost ? "at most" : "at least")} {limit:0.00}: {verdict}");
    }
}
