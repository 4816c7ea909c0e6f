namespace ScaleOut.Analysis.Statistics;

/// <summary>Count, mean and variance of the logarithms of positive values.</summary>
/// <param name="Count">How many values.</param>
/// <param name="Mean">Mean of the logarithms; NaN without values.</param>
/// <param name="Variance">Sample variance of the logarithms; 0 for fewer than 2 values.</param>
public readonly record struct LogSample(int Count, double Mean, double Variance)
{
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
        // Equal values have no variance, whatever the rounding of their mean.
        if (values.Count == 1 || values.All(value => value == values[0]))
            return new LogSample(values.Count, Math.Log(values[0]), 0);
        var squares = values.Sum(value => (Math.Log(value) - mean) * (Math.Log(value) - mean));
        return new LogSample(values.Count, mean, squares / (values.Count - 1));
    }
}
