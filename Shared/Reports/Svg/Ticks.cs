namespace ScaleOut.Reports.Svg;

/// <summary>Round places for the marks of an axis.</summary>
internal static class Ticks
{
    private static readonly int[] Factors = [1, 2, 5, 10];

    private static readonly int[] TimeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400];

    /// <summary>From 0 in steps of 1, 2 or 5 times a power of ten up to the first at or above <paramref name="max"/>.</summary>
    /// <param name="max">Largest value to show.</param>
    /// <param name="most">Most steps.</param>
    public static IReadOnlyList<double> Linear(double max, int most)
    {
        if (!(max > 0) || double.IsInfinity(max))
            return [0, 1];
        var raw = max / most;
        var power = Math.Pow(10, Math.Floor(Math.Log10(raw)));
        var step = power * Factors.First(factor => factor * power >= raw * 0.999_999);
        var count = (int)Math.Ceiling((max / step) - 0.000_001);
        return [.. Enumerable.Range(0, count + 1).Select(i => Math.Round(i * step, 10))];
    }

    /// <summary>1, 2 and 5 times powers of ten (powers alone over three decades) that enclose the values.</summary>
    public static IReadOnlyList<double> Log(double min, double max)
    {
        var wide = max / min > 1_000;
        var all = Enumerable.Range(-6, 20).SelectMany(exponent => Factors.Take(wide ? 1 : 3).Select(factor => Math.Round(factor * Math.Pow(10, exponent), 6))).ToList();
        var first = all.FindLastIndex(tick => tick <= min);
        var last = all.FindIndex(tick => tick >= max);
        return all.GetRange(first, Math.Max(1, last - first) + 1);
    }

    /// <summary>Whole seconds from 0 in steps that people count in, none beyond the end.</summary>
    public static IReadOnlyList<int> Time(int seconds, int most)
    {
        var step = TimeSteps.FirstOrDefault(step => seconds / step <= most, Math.Max(1, seconds / most / 86_400 * 86_400));
        return [.. Enumerable.Range(0, (seconds / step) + 1).Select(i => i * step)];
    }
}
