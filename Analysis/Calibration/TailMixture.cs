using ScaleOut.Profiles;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// The shape of a service time: log-normal, with a share of operations that take some times as long. By maximum likelihood on the binned
/// logarithms; the tail is taken to be there only where the likelihood gains more by it than chance gives in one sample of 400.
/// </summary>
internal static class TailMixture
{
    private const int FewestValues = 100;
    private const int Bins = 400;
    private const int MostRounds = 2_000;
    private const double Settled = 1e-7;

    /// <summary>Half of the chi-squared with two degrees of freedom that one sample of 400 exceeds.</summary>
    private const double LeastGain = 6;

    /// <summary>No event among n has this rate over n as its upper 95% bound (the rule of three).</summary>
    private const double RuleOfThree = 3;

    /// <summary>The shape; null for fewer than 100 values.</summary>
    /// <param name="sorted">Ascending, above 0.</param>
    public static TailShape? Fit(IReadOnlyList<double> sorted)
    {
        if (sorted.Count < FewestValues || sorted[0] >= sorted[^1])
            return null;
        var bins = Binned(sorted);
        var plain = Plain(bins, sorted.Count);
        var best = Starts(sorted, plain).Select(start => Climb(bins, start)).MaxBy(end => LogLikelihood(bins, end));
        return LogLikelihood(bins, best) - LogLikelihood(bins, plain) > LeastGain && best is { Share: > 0 and < 0.5, LogFactor: > 0.1 }
            ? WithTail(bins, best, sorted.Count)
            : WithoutTail(plain, sorted.Count);
    }

    private static TailShape WithoutTail(Mixture plain, int count) => new(
        Exponential(Math.Log(plain.Spread), 1 / Math.Sqrt(2.0 * count), count),
        new MeasuredFigure(0, 0, RuleOfThree / count, count),
        TailFactor: null);

    private static TailShape WithTail((double Log, double Count)[] bins, Mixture best, int count)
    {
        var errors = StandardErrors(bins, best);
        var logit = Math.Log(best.Share / (1 - best.Share));
        var reach = Confidence.Normal95 * errors[2];
        return new TailShape(
            Exponential(Math.Log(best.Spread), errors[1], count),
            new MeasuredFigure(best.Share, Logistic(logit - reach), Logistic(logit + reach), count),
            Exponential(best.LogFactor, errors[3], count));
    }

    private static MeasuredFigure Exponential(double log, double error, int count) => new(
        Math.Exp(log), Math.Exp(log - (Confidence.Normal95 * error)), Math.Exp(log + (Confidence.Normal95 * error)), count);

    private static double Logistic(double x) => 1 / (1 + Math.Exp(-x));

    private static (double Log, double Count)[] Binned(IReadOnlyList<double> sorted)
    {
        var (from, to) = (Math.Log(sorted[0]), Math.Log(sorted[^1]));
        var sums = new (double Log, double Count)[Bins];
        foreach (var value in sorted)
        {
            var log = Math.Log(value);
            ref var bin = ref sums[Math.Min(Bins - 1, (int)((log - from) / (to - from) * Bins))];
            bin = (bin.Log + log, bin.Count + 1);
        }

        return [.. sums.Where(bin => bin.Count > 0).Select(bin => (bin.Log / bin.Count, bin.Count))];
    }

    private static Mixture Plain((double Log, double Count)[] bins, int count)
    {
        var mean = bins.Sum(bin => bin.Log * bin.Count) / count;
        return new Mixture(mean, Math.Sqrt(bins.Sum(bin => bin.Count * (bin.Log - mean) * (bin.Log - mean)) / count), 0, 0);
    }

    private static IEnumerable<Mixture> Starts(IReadOnlyList<double> sorted, Mixture plain)
    {
        var median = Math.Log(OrderStatistics.ValueAt(sorted, 0.5));
        var spread = Math.Max(median - Math.Log(OrderStatistics.ValueAt(sorted, 0.1587)), plain.Spread / 10);
        yield return new Mixture(median, spread, 0.01, Math.Log(3));
        yield return new Mixture(median, spread, 0.05, Math.Log(8));
    }

    /// <summary>Expectation and maximization until the likelihood has settled.</summary>
    private static Mixture Climb((double Log, double Count)[] bins, Mixture at)
    {
        var count = bins.Sum(bin => bin.Count);
        for (var round = 0; round < MostRounds; round++)
        {
            double tail = 0, tailSum = 0, coreSum = 0, squares = 0;
            // With one spread for both, the tail's share of the density is a logistic function of the value.
            var slope = at.LogFactor / Square(at.Spread);
            var offset = Math.Log(at.Share / (1 - at.Share)) - (slope * (at.Mean + (at.LogFactor / 2)));
            foreach (var (log, weight) in bins)
            {
                var inTail = Logistic(offset + (slope * log));
                tail += weight * inTail;
                tailSum += weight * inTail * log;
                coreSum += weight * (1 - inTail) * log;
                squares += weight * ((inTail * Square(log - at.Mean - at.LogFactor)) + ((1 - inTail) * Square(log - at.Mean)));
            }

            if (tail < 1 || tail > count - 1)
                return at with { Share = 0 };
            var mean = coreSum / (count - tail);
            var next = new Mixture(mean, Math.Sqrt(squares / count), tail / count, (tailSum / tail) - mean);
            var moved = Math.Abs(next.Mean - at.Mean) + Math.Abs(next.Share - at.Share) + Math.Abs(next.Spread - at.Spread);
            at = next;
            if (moved < Settled)
                break;
        }

        return at;
    }

    private static double LogLikelihood((double Log, double Count)[] bins, Mixture at) =>
        bins.Sum(bin => bin.Count * Math.Log(Math.Max(at.Density(bin.Log), 1e-300)));

    /// <summary>Of mean, ln spread, logit share and ln factor, from the curvature of the likelihood.</summary>
    private static double[] StandardErrors((double Log, double Count)[] bins, Mixture best)
    {
        double[] at = [best.Mean, Math.Log(best.Spread), Math.Log(best.Share / (1 - best.Share)), best.LogFactor];
        const double step = 1e-3;
        double Value(int i, double byI, int j, double byJ)
        {
            var moved = (double[])at.Clone();
            moved[i] += byI;
            moved[j] += byJ;
            return LogLikelihood(bins, new Mixture(moved[0], Math.Exp(moved[1]), Logistic(moved[2]), moved[3]));
        }

        var information = MathNet.Numerics.LinearAlgebra.Matrix<double>.Build.Dense(4, 4, (i, j) =>
            -(Value(i, step, j, step) - Value(i, step, j, -step) - Value(i, -step, j, step) + Value(i, -step, j, -step))
                / (4 * step * step));
        var covariance = information.Inverse();
        return [.. Enumerable.Range(0, 4).Select(i => Math.Sqrt(Math.Max(0, covariance[i, i])))];
    }

    private static double Square(double value) => value * value;

    /// <summary>Two normal distributions of one spread.</summary>
    private readonly record struct Mixture(double Mean, double Spread, double Share, double LogFactor)
    {
        public double Density(double log) =>
            (Share == 0 ? 0 : Share * Normal(log - Mean - LogFactor)) + ((1 - Share) * Normal(log - Mean));

        private double Normal(double difference) => Math.Exp(-0.5 * Square(difference / Spread)) / (Spread * Math.Sqrt(2 * Math.PI));
    }
}

/// <summary>The shape of a service time around its median.</summary>
internal sealed record TailShape(MeasuredFigure LogStandardDeviation, MeasuredFigure TailShare, MeasuredFigure? TailFactor);
