using ScaleOut.Bench.KnownTruth.Findings;

namespace ScaleOut.Bench.KnownTruth;

/// <summary>
/// Planted truths. None has the form that the search itself assumes: the figure grows like a queue's latency, like a convex curve or with a
/// bend, and the noise is log-normal, heavy-tailed, correlated or contaminated.
/// </summary>
public static class Truths
{
    /// <summary>All truths that need no simulation.</summary>
    public static IReadOnlyList<PlantedTruth> All { get; } =
    [
        .. new[] { 0.01, 0.03, 0.05, 0.08 }.Select(spread => OwnLimits($"queue, spread {Percent(spread)}", Queue, spread)),
        OwnLimits("bend, spread 5%", Bend, 0.05),
        OwnLimits("convex, spread 5%", Convex, 0.05),
        OwnLimits("held or failed alone, spread 5%", Queue, 0.05) with { HasFigure = false },
        From("queue, p99 itself varies by 7%", Queue, random => () => 0, random => () => 0.07 * Noise.Normal(random)),
        From("queue, heavy tails (t3) of 5%", Queue, random => () => 0.05 * Noise.HeavyTailed(random)),
        Correlated("queue, AR(1) 0.5 of 5%", 0.5),
        Correlated("queue, AR(1) 0.9 of 5%", 0.9),
        Correlated("held or failed alone, AR(1) 0.7 of 5%", 0.7) with { HasFigure = false },
        Correlated("held or failed alone, AR(1) 0.9 of 5%", 0.9) with { HasFigure = false },
        Correlated("held or failed alone, AR(1) 0.97 of 5%", 0.97) with { HasFigure = false },
        Correlated("held or failed alone, AR(1) 0.9 of 2%", 0.9, 0.02) with { HasFigure = false },
        Contaminated("queue, spread 3%, 5% of runs fail otherwise", 0.05),
        Contaminated("queue, spread 3%, 20% of runs fail otherwise", 0.20),
        Contaminated("held or failed alone, 20% fail otherwise", 0.20) with { HasFigure = false },
        Growing("queue, spread 5% at the limit and 20% at 1.2 of it", 0.75),
        Growing("queue, spread 5% at the limit and 40% at 1.2 of it", 1.75),
        SlowAbove("queue, spread 2% below the limit and 20% above", random =>
            Noise.Normal(random) is var noise && noise < 0 ? 0.02 * noise : 0.2 * noise),
        SlowAbove("queue, spread 2%, 40% hold up to 1.5 of the limit", random => TwoLimits(random, 0.6, 1, 1.5)),
        SlowAbove("queue, spread 2%, 60% hold up to 0.8 of what the others hold", random => TwoLimits(random, 0.6, 0.8, 1)),
        SlowAbove("queue, spread 2%, 40% hold up to 0.8 of what the others hold", random => TwoLimits(random, 0.4, 0.8, 1)),
        OwnLimits("low rates fail too, spread 5%", LowRatesFail, 0.05),
        new PlantedTruth("pure chance, a figure without a slope", random => _ => 0.3 * Noise.Normal(random)) { HasLimit = false },
        new PlantedTruth("pure chance, held or failed alone", random => _ => Noise.Normal(random)) { HasLimit = false, HasFigure = false },
        new PlantedTruth("pure chance, 30% fail", random => _ => Noise.Normal(random) - 0.524) { HasLimit = false, HasFigure = false },
    ];

    /// <summary>Latency of a queue that is 80% busy at the limit. Far above the limit it grows up to an hour at a bound of 20 ms.</summary>
    private static double Queue(double x)
    {
        const double MaxBusy = 0.99;
        const double HourOver20Ms = 3_600_000 / 20.0;
        var busy = 0.8 * Math.Exp(x);
        return Math.Min(
            Math.Log(HourOver20Ms), Math.Log(0.2 / (1 - Math.Min(busy, MaxBusy))) + (3 * Math.Max(0, Math.Log(busy / MaxBusy))));
    }

    /// <summary>The figure is constant up to shortly below the limit, and rises from there.</summary>
    private static double Bend(double x) => Math.Max(-0.12, 5 * x);

    /// <summary>
    /// A queue whose latency also grows while the rate falls, as that of batches that fill slowly: below half of the limit it exceeds the
    /// bound.
    /// </summary>
    private static double LowRatesFail(double x) => Math.Max(Queue(x), Math.Log(0.5) - x);

    private static double Convex(double x) => Math.Log(0.5 + (0.5 * Math.Exp(3 * x)));

    /// <summary>Each run has a limit of its own, log-normal around the limit.</summary>
    private static PlantedTruth OwnLimits(string name, Func<double, double> curve, double spread) =>
        From(name, curve, random => () => spread * Noise.Normal(random));

    /// <summary>The spread of the runs' own limits grows with the rate: 5% at the limit, and at least 1% below.</summary>
    /// <param name="growth">Growth of the spread per growth of the rate, such as 0.75 for 20% at 1.2 of the limit.</param>
    private static PlantedTruth Growing(string name, double growth) => new(name, random => x =>
        Queue(x - (Math.Max(0.01, 0.05 + (growth * (Math.Exp(x) - 1))) * Noise.Normal(random))))
    {
        IsSlowAbove = true,
    };

    /// <summary>Runs whose own limits lie near each other below the limit, and far apart above it.</summary>
    /// <param name="limit">Draws ln(own limit / limit). Half of them are above 0.</param>
    private static PlantedTruth SlowAbove(string name, Func<Random, double> limit) =>
        From(name, Queue, random => () => limit(random)) with { IsSlowAbove = true };

    /// <summary>
    /// ln of a run's own limit over the rate that half of the runs hold: a share of the runs has one limit and the rest has another, each
    /// with a spread of 2%.
    /// </summary>
    private static double TwoLimits(Random random, double share, double first, double second)
    {
        const double Spread = 0.02;
        // Where the more frequent limit alone decides, half of all runs hold at this quantile of it.
        var half = share > 0.5
            ? Math.Log(first) + (Spread * MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, 0.5 / share))
            : Math.Log(second) + (Spread * MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, (0.5 - share) / (1 - share)));
        return Math.Log(random.NextDouble() < share ? first : second) + (Spread * Noise.Normal(random)) - half;
    }

    private static PlantedTruth Correlated(string name, double correlation, double spread = 0.05) => From(name, Queue, random =>
    {
        var last = Noise.Normal(random);
        return () => spread * (last = (correlation * last) + (Math.Sqrt(1 - (correlation * correlation)) * Noise.Normal(random)));
    }) with
    {
        Drifts = true,
    };

    /// <summary>Some runs have two to nine times the latency, for a reason of their own.</summary>
    private static PlantedTruth Contaminated(string name, double share) => From(
        name, Queue, random => () => 0.03 * Noise.Normal(random),
        random => () => random.NextDouble() < share ? 0.7 + (1.5 * random.NextDouble()) : 0);

    private static PlantedTruth From(
        string name, Func<double, double> curve, Func<Random, Func<double>> limits, Func<Random, Func<double>>? figures = null) =>
        new(name, random =>
        {
            var (limit, figure) = (limits(random), figures?.Invoke(random));
            return x => curve(x - limit()) + (figure?.Invoke() ?? 0);
        });

    private static string Percent(double share) => share.ToString("0%", CultureInfo.InvariantCulture);
}
