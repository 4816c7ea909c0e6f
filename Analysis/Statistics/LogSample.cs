namespace ScaleOut.Analysis.Statistics;

/// <summary>Count, mean and variance of the logarithms of positive values.</summary>
/// <param name="Count">How many values.</param>
/// <param name="Mean">Mean of the logarithms; NaN without values.</param>
/// <param name="Variance">
/// Sample variance of the logarithms, but no less than that of <see cref="LeastDeviation"/>; 0 for fewer than 2 values.
/// </param>
public readonly record struct LogSample(int Count, double Mean, double Variance)
{
    /// <summary>
    /// Standard deviation, as a share of a value, that repeats are taken to have at least. Rates are counted in whole documents and
    /// seconds, charges rounded to 0.01 RU: repeats that all give the same value show that they differ by less than can be seen, not by
    /// nothing.
    /// </summary>
    public const double LeastDeviation = 0.001;

    /// <summary>The typical value, exp(<see cref="Mean"/>).</summary>
    public double GeometricMean => Math.Exp(Mean);

    /// <exception cref="ArgumentOutOfRangeException">A value is not above 0, or not finite.</exception>
    public static LogSample From(IReadOnlyList<double> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (values.Count == 0)
            return new LogSample(0, double.NaN, 0);
        foreach (var value in values)
        {
            if (!(value > 0 && double.IsFinite(value)))
                throw new ArgumentOutOfRangeException(nameof(values), value, "a ratio needs values above 0");
        }

        var mean = values.Sum(Math.Log) / values.Count;
        if (values.Count == 1)
            return new LogSample(1, mean, 0);
        var squares = values.Sum(value => (Math.Log(value) - mean) * (Math.Log(value) - mean));
        return new LogSample(values.Count, mean, Math.Max(squares / (values.Count - 1), LeastDeviation * LeastDeviation));
    }
}
