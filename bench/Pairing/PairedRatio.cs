using System.Runtime;
using MathNet.Numerics.Distributions;

namespace ScaleOut.Bench.Pairing;

/// <summary>The ratio of two measurements that take turns, so that a drift of the machine's speed affects both alike.</summary>
/// <param name="Ratios">A / B of each pair.</param>
public sealed record PairedRatio(IReadOnlyList<double> Ratios)
{
    /// <summary>Chance that <see cref="Interval"/> does not contain the median.</summary>
    private const double MaxError = 0.05;

    /// <summary>Share of a round's CPU that may be spent on compiling.</summary>
    private const double MaxCompiling = 0.01;

    private const int QuietRounds = 3;
    private const int MaxWarmUps = 100;

    public double Median => Ratios.Order().ElementAt(Ratios.Count / 2);

    /// <summary>
    /// The narrowest pair of ordered ratios that contains the median of all pairs with a confidence of 95%, whatever their distribution: an
    /// outlier counts as any other pair above or below the median. With five pairs or fewer it contains all, with less confidence.
    /// </summary>
    public (double Low, double High) Interval
    {
        get
        {
            var ordered = Ratios.Order().ToList();
            // Each ratio is below the median with the chance of a coin.
            var count = ordered.Count;
            var outside = Enumerable.Range(0, count).TakeWhile(below => Binomial.CDF(0.5, count, below) <= MaxError / 2).LastOrDefault();
            return (ordered[outside], ordered[^(outside + 1)]);
        }
    }

    /// <summary>
    /// Repeats both measurements of this process's CPU until the runtime compiles hardly anything in three rounds on end. Until then it
    /// compiles the SDK's methods a second time, in the middle of whatever is measured.
    /// </summary>
    public static async Task WarmUpAsync(Func<Task<double>> first, Func<Task<double>> second)
    {
        var (rounds, quiet) = (0, 0);
        for (; quiet < QuietRounds && rounds < MaxWarmUps; rounds++)
        {
            var before = JitInfo.GetCompilationTime();
            var cpuSeconds = await first() + await second();
            quiet = (JitInfo.GetCompilationTime() - before).TotalSeconds < MaxCompiling * cpuSeconds ? quiet + 1 : 0;
        }

        Console.WriteLine(quiet == QuietRounds
            ? $"  warmed up in {rounds} rounds"
            : $"  methods were still compiled after {rounds} rounds, so the pairs contain some of that");
    }

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

    /// <summary>Says whether the ratio is at most the limit. There is no judgement if the limit is within the interval.</summary>
    public string Judge(double limit)
    {
        var (low, high) = Interval;
        var verdict = high <= limit ? "holds" : low > limit ? "DOES NOT HOLD" : "no judgement, the limit is within the interval";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"median {Median:0.000} of {Ratios.Count} pairs, {low:0.000} to {high:0.000} with 95% confidence; at most {limit:0.00}: ")
            + verdict;
    }
}
