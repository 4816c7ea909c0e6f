namespace ScaleOut.Analysis.Calibration;

/// <summary>A sample's latencies without the client's own time: the way, and the service time of what was not throttled.</summary>
/// <remarks>
/// The client's own time differs from call to call, so it adds more to some quantiles than to others. By how much is found by adding it to
/// an estimate of the latencies without it: as far as a quantile of the sum lies above the estimate's, so far the observed one is taken to
/// lie above the true one. Once more with the better estimate, and each time smoothed over neighbouring quantiles, since what is random in
/// the estimate would be counted again. Half of what that changes, beside taking the client's typical time off every latency, is a part of
/// the intervals: with a client that is held up often, that is more than sampling leaves open.
/// </remarks>
internal sealed class AccountLatency
{
    private const int Rounds = 2;

    /// <summary>Sums that the quantiles are taken of, at least; of a larger sample one for each value.</summary>
    private const int FewestSums = 8_000;

    /// <summary>On each side of a quantile, of the values that are beyond it.</summary>
    private const double SmoothedShare = 0.5;

    /// <summary>Fractional part of the golden ratio, whose multiples fill 0 to 1 evenly.</summary>
    private const double GoldenRatio = 0.618033988749895;

    private AccountLatency(
        LatencySample sample, IReadOnlyList<double> ms, IReadOnlyList<double> shiftedMs, Uncertain median, Uncertain client) =>
        (Sample, Ms, ShiftedMs, Median, Client) = (sample, ms, shiftedMs, median, client);

    public LatencySample Sample { get; }

    /// <summary>Ascending.</summary>
    public IReadOnlyList<double> Ms { get; }

    /// <summary>The latencies less the client's typical time, ascending.</summary>
    public IReadOnlyList<double> ShiftedMs { get; }

    public Uncertain Median { get; }

    /// <summary>The median of the client's own time.</summary>
    public Uncertain Client { get; }

    /// <summary>Whether it is of single operations on documents for which size adds nothing.</summary>
    public bool IsSmall => Sample is { Operations: 1, Kilobytes: <= 1 };

    /// <summary>Null where there are too few values for an interval.</summary>
    public static AccountLatency? From(LatencySample sample)
    {
        var own = OrderStatistics.Sorted(sample.ReferenceMs.Select(ms => ms - LatencyEstimator.ReferenceMs));
        var observed = OrderStatistics.Sorted(sample.Ms);
        if (Uncertain.Median(own) is not { } client || Uncertain.Median(observed) is not { } median)
            return null;
        List<double> shifted = [.. observed.Select(ms => ms - client.Value)];
        median -= client;
        // The way of a 429 has no spread of its own, so nothing is to be taken apart.
        if (sample.Throttled)
            return new AccountLatency(sample, shifted, shifted, median, client);
        var without = Without(observed, own);
        var corrected = OrderStatistics.ValueAt(without, 0.5);
        return new AccountLatency(sample, without, shifted, median.CorrectedTo(corrected), client);
    }

    private static IReadOnlyList<double> Without(IReadOnlyList<double> observed, IReadOnlyList<double> own)
    {
        var average = own.Average();
        IReadOnlyList<double> estimate = [.. observed.Select(value => value - average)];
        var each = (int)Math.Ceiling(FewestSums / (double)estimate.Count);
        var sums = new double[estimate.Count * each];
        for (var round = 0; round < Rounds; round++)
        {
            for (var i = 0; i < sums.Length; i++)
                sums[i] = estimate[i / each] + own[(int)(Fraction(i * GoldenRatio) * own.Count)];
            Array.Sort(sums);
            var added = Smoothed([.. estimate.Select((value, i) => sums[(i * each) + (each / 2)] - value)]);
            estimate = OrderStatistics.Sorted(observed.Select((value, i) => value - added[i]));
        }

        return estimate;
    }

    /// <summary>What the operator % gives of a positive value; that took a sixth of the time of all estimates.</summary>
    private static double Fraction(double value) => value - Math.Floor(value);

    private static double[] Smoothed(double[] values)
    {
        var sums = new double[values.Length + 1];
        for (var i = 0; i < values.Length; i++)
            sums[i + 1] = sums[i] + values[i];
        return
        [
            .. values.Select((_, i) =>
            {
                var reach = (int)(SmoothedShare * Math.Min(i, values.Length - 1 - i));
                return (sums[i + reach + 1] - sums[i - reach]) / ((2 * reach) + 1);
            }),
        ];
    }
}
