using ScaleOut.Profiles;

namespace ScaleOut.Analysis.Calibration;

/// <summary>An operation that was admitted.</summary>
/// <param name="At">UTC in seconds since 1970.</param>
/// <param name="RequestUnits">What it was charged.</param>
public readonly record struct AdmittedOperation(double At, double RequestUnits);

/// <summary>What one partition did with more than its budget.</summary>
public static class ThrottlingEstimator
{
    private const int Tenths = 10;

    /// <summary>
    /// For how far beyond the extreme of a sample the end of the distribution can be, in gaps between its two extreme values, at 95%:
    /// P(gap x 19 is not enough) = 1 / (1 + 19) (Robson and Whitlock, "Estimation of a truncation point", Biometrika 1964).
    /// </summary>
    private const int EndpointGaps = 19;

    /// <summary>The shortest and the longest <c>retry-after</c> that the account gives; null without two 429s.</summary>
    /// <param name="milliseconds">Of each 429, in any order.</param>
    public static (MeasuredFigure Min, MeasuredFigure Max)? RetryAfter(IEnumerable<double> milliseconds)
    {
        var sorted = OrderStatistics.Sorted(milliseconds);
        if (sorted.Count < 2)
            return null;
        var (min, max) = (sorted[0], sorted[^1]);
        return (
            new MeasuredFigure(min, Math.Max(0, min - (EndpointGaps * (sorted[1] - min))), min, sorted.Count),
            new MeasuredFigure(max, max, max + (EndpointGaps * (max - sorted[^2])), sorted.Count));
    }

    /// <summary>
    /// RU admitted in each whole second of too much load, and in each of its tenths. What is admitted last may be a debt of the next
    /// second, so one operation's charge, spread over the seconds, is a part of the interval.
    /// </summary>
    /// <param name="admitted">In any order; the first and the last second, which need not be whole, are left out.</param>
    public static (MeasuredFigure? PerSecond, IReadOnlyList<MeasuredFigure> PerTenth) Admitted(IReadOnlyList<AdmittedOperation> admitted)
    {
        ArgumentNullException.ThrowIfNull(admitted);
        if (admitted.Count == 0)
            return (null, []);
        var first = (long)Math.Floor(admitted.Min(one => one.At)) + 1;
        var seconds = (int)((long)Math.Floor(admitted.Max(one => one.At)) - first);
        if (seconds < 2)
            return (null, []);
        var sums = new double[seconds, Tenths];
        foreach (var (at, charge) in admitted)
        {
            var second = (int)((long)Math.Floor(at) - first);
            if (second >= 0 && second < seconds)
                sums[second, Math.Min(Tenths - 1, (int)((at - Math.Floor(at)) * Tenths))] += charge;
        }

        var edge = admitted.Max(one => one.RequestUnits);
        var all = Enumerable.Range(0, seconds).ToList();
        return (
            Mean([.. all.Select(second => Enumerable.Range(0, Tenths).Sum(tenth => sums[second, tenth]))], edge),
            [.. Enumerable.Range(0, Tenths).Select(tenth => Mean([.. all.Select(second => sums[second, tenth])], edge))]);
    }

    /// <summary>
    /// RU beyond the budget of each second that load touched after an idle time. The first and the last second can lack up to a budget,
    /// which is the interval.
    /// </summary>
    /// <param name="admitted">From the end of the idle time on, in any order.</param>
    /// <param name="perSecond">The budget.</param>
    public static MeasuredFigure? Burst(IReadOnlyList<AdmittedOperation> admitted, double perSecond)
    {
        ArgumentNullException.ThrowIfNull(admitted);
        if (admitted.Count == 0)
            return null;
        var seconds = Math.Floor(admitted.Max(one => one.At)) - Math.Floor(admitted.Min(one => one.At)) + 1;
        var beyond = admitted.Sum(one => one.RequestUnits) - (perSecond * seconds);
        return new MeasuredFigure(
            Math.Max(0, beyond), Math.Max(0, beyond - perSecond), Math.Max(0, beyond) + (2 * perSecond), admitted.Count);
    }

    private static MeasuredFigure Mean(IReadOnlyList<double> values, double edge)
    {
        var mean = values.Average();
        var variance = values.Sum(value => (value - mean) * (value - mean)) / (values.Count - 1);
        var reach = (Confidence.Student95(values.Count) * Math.Sqrt(variance / values.Count)) + (edge / values.Count);
        return new MeasuredFigure(mean, Math.Max(0, mean - reach), mean + reach, values.Count);
    }
}
