namespace ScaleOut.Tests.Analysis.Limits;

/// <summary>A system whose limit is known, with noise from measurement to measurement.</summary>
/// <param name="limit">The truth: the most documents per second that can be achieved.</param>
/// <param name="measure">What one measurement at a rate gives: whether it holds.</param>
/// <param name="tolerance">The share by which a rate above the limit may be asked for and still hold.</param>
internal sealed class PlantedLimit(double limit, Func<double, Random, bool> measure, double tolerance = 0)
{
    /// <summary>The highest rate that can be asked for and holds in most runs.</summary>
    public double Asked => limit * (1 + tolerance);

    /// <summary>
    /// Bound by request units: from run to run the charges of documents differ by a percent, and what is above the budget is throttled.
    /// </summary>
    public static PlantedLimit OfRequestUnits(double limit) => new(limit, (rate, random) =>
    {
        var budget = limit * Noise(random, 0.01);
        // Each second over the budget also throttles what is left of the second before.
        var throttled = Math.Max(0, (rate / budget) - 1) * 5;
        return throttled < 0.01;
    }, 0.002);

    /// <summary>Bound by the client: it does not achieve more than it can do, which differs by two percent.</summary>
    public static PlantedLimit OfClient(double limit) => new(limit, (rate, random) =>
    {
        var achieved = Math.Min(rate, limit * Noise(random, 0.02));
        return achieved >= 0.95 * rate;
    }, (1 / 0.95) - 1);

    /// <summary>
    /// Bound by a condition on the 99th percentile, whose latency rises with the load as in a queue and differs by seven percent from one
    /// short run to the next. One run in fifty is held up by something else.
    /// </summary>
    public static PlantedLimit OfLatency(double limit) => new(limit, (rate, random) =>
    {
        const double Capacity = 1.25;
        double At(double load) => load >= Capacity ? double.PositiveInfinity : 1 / (1 - (load / Capacity));
        var latency = At(rate / limit) * Noise(random, 0.07) * (random.NextDouble() < 0.02 ? 3 : 1);
        return latency < At(1);
    });

    public (LimitDecision Decision, IReadOnlyList<MeasuredRun> Measurements) Search(LimitSpec spec, int seed)
    {
        var random = new Random(seed);
        var measurements = new List<MeasuredRun>();
        while (true)
        {
            var decision = LimitSearch.Next(spec, measurements);
            if (decision.End is not null)
                return (decision, measurements);
            measurements.Add(new MeasuredRun
            {
                Rate = decision.Rate, Repeat = decision.Repeat, RunId = $"run-{measurements.Count}", Held = measure(decision.Rate, random),
            });
        }
    }

    internal static double Noise(Random random, double spread) =>
        Math.Exp(spread * Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble()));
}
