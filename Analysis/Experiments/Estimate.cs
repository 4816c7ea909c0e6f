namespace ScaleOut.Analysis.Experiments;

/// <summary>
/// The typical value of a figure over a variant's repeats: the geometric mean, with Student's t on the logarithms for its interval.
/// </summary>
public sealed record Estimate
{
    /// <summary>Geometric mean, above 0.</summary>
    public required double Value { get; init; }

    /// <summary>95% interval of <see cref="Value"/>; null with fewer than two repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>Repeats that it rests on.</summary>
    public required int Count { get; init; }

    /// <summary>
    /// Estimates from one value for each repeat; those that are not positive are left out, as they have no logarithm. Null when none is
    /// left.
    /// </summary>
    public static Estimate? From(IEnumerable<double?> values)
    {
        var usable = values.Where(value => value is > 0 && double.IsFinite(value.Value)).Select(value => value!.Value).ToList();
        if (usable.Count == 0)
            return null;
        return new Estimate
        {
            Value = LogSample.From(usable).GeometricMean,
            Count = usable.Count,
            Interval95 = RepeatIntervals.OfMean(usable),
        };
    }
}
