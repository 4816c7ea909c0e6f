using System.Numerics;
using MathNet.Numerics.Statistics;
using ScaleOut.Sizing.Prediction;

namespace ScaleOut.Bench.KnownTruth;

/// <summary>
/// Uses the simulated account's physics as a planted truth: inserts at 10,000 RU/s with a bound of the p99. Fleets in virtual time give the
/// p99 of runs at a few rates. A run of a search draws one of these runs by its rank, and interpolates between the two nearest rates.
/// </summary>
public static class AccountTruths
{
    private const int RunsPerRate = 32;
    private const double Throughput = 10_000;
    private const double ChargeOfInsert = 6.01;

    /// <summary>Share of the budget up to which the p99 is a parabola of the rate, because the account's load factor is.</summary>
    private const double SmoothShare = 0.9;

    private static readonly double[] Shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.88, 0.93, 0.97, 1, 1.05, 1.2];

    public static IReadOnlyList<PlantedTruth> Simulate()
    {
        var rates = Shares.Select(share => share * Throughput / ChargeOfInsert).ToArray();
        var logs = rates.Select((rate, i) => Enumerable.Range(1, RunsPerRate)
            .Select(seed => Math.Log(Percentile99(rate, (100 * i) + seed))).Order().ToArray()).ToArray();
        var middles = Smooth(rates, [.. logs.Select(sorted => sorted.Median())]);
        var offsets = logs.Select(sorted => sorted.Select(one => one - sorted.Median()).ToArray()).ToArray();
        double At(double rate, Func<int, double> value)
        {
            var x = Math.Clamp(Math.Log(rate), Math.Log(rates[0]), Math.Log(rates[^1]));
            var above = Math.Max(1, Array.FindIndex(rates, one => Math.Log(one) >= x));
            var share = (x - Math.Log(rates[above - 1])) / Math.Log(rates[above] / rates[above - 1]);
            return ((1 - share) * value(above - 1)) + (share * value(above));
        }

        double Middle(double rate) => At(rate, i => middles[i]);
        return
        [
            .. new[] { 10.5, 10.8, 11.1, 12 }.Select(bound =>
            {
                var limit = LimitOf(bound, Middle, rates[0], rates[^1]);
                var name = string.Create(CultureInfo.InvariantCulture, $"simulated account, p99<{bound}ms (truth {limit:0}/s)");
                return new PlantedTruth(name, random => x =>
                {
                    var rate = limit * Math.Exp(x);
                    var rank = random.Next(RunsPerRate);
                    return Math.Log(Read(Math.Exp(Middle(rate) + At(rate, i => offsets[i][rank]))) / bound);
                }) { Limit = limit };
            }),
        ];
    }

    /// <summary>The rate at which half of the runs hold, with the p99 as a report reads it.</summary>
    private static double LimitOf(double bound, Func<double, double> middle, double low, double high)
    {
        while (high / low > 1.00001)
        {
            var between = Math.Sqrt(low * high);
            if (Read(Math.Exp(middle(between))) < bound)
                low = between;
            else
                high = between;
        }

        return low;
    }

    /// <summary>
    /// Replaces the medians below the budget by a fitted parabola. Medians of so few runs differ by 0.3%. Where the curve is flat, that
    /// corresponds to a tenth of the rate.
    /// </summary>
    private static double[] Smooth(double[] rates, double[] medians)
    {
        var smooth = Shares.Count(share => share <= SmoothShare);
        var squares = rates.Take(smooth).Select(rate => rate * rate).ToArray();
        var (intercept, slope) = MathNet.Numerics.Fit.Line(squares, [.. medians.Take(smooth).Select(Math.Exp)]);
        return [.. medians.Select((median, i) => i < smooth ? Math.Log(intercept + (slope * squares[i])) : median)];
    }

    /// <summary>The p99 of a run of 15 s with 5 s of warm-up.</summary>
    private static double Percentile99(double rate, int seed)
    {
        const int Workers = 4;
        var fleet = VirtualFleet.Simulate(new FleetSpec
        {
            Workers = Workers, Concurrency = 50, ConnectionMode = ConnectionMode.Direct, Rate = rate / Workers, BytesPerDocument = 1_000,
            ChargePerDocument = ChargeOfInsert, Throughput = Throughput, Partitions = 2, Duration = TimeSpan.FromSeconds(15), Seed = seed,
        });
        var buckets = fleet.Operation.Buckets();
        var rank = 0.99 * buckets.Sum(bucket => bucket.Count);
        double below = 0;
        var from = 0.0;
        foreach (var bucket in buckets)
        {
            // The values of a bucket are assumed to be spread evenly over it.
            var start = Math.Max(from, bucket.UpperBoundMs * 63 / 64);
            if (below + bucket.Count >= rank)
                return start + ((bucket.UpperBoundMs - start) * (rank - below) / bucket.Count);
            below += bucket.Count;
            from = bucket.UpperBoundMs;
        }

        return from;
    }

    /// <summary>A latency as a report reads it: the middle of its histogram bucket.</summary>
    private static double Read(double milliseconds)
    {
        const int Bits = 6;
        var microseconds = (ulong)(1_000 * milliseconds);
        var width = 1UL << Math.Max(0, BitOperations.Log2(microseconds) - Bits);
        return ((microseconds / width * width) + ((width - 1) / 2.0)) / 1_000;
    }
}
