namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>Variants that ascend in one setting, with their true rates.</summary>
internal static class Ladder
{
    public static IReadOnlyList<Truth> OfConcurrency(params (int Concurrency, double Rate)[] levels) =>
        [
            .. levels.Select(level =>
                new Truth
                {
                    Name = $"c{level.Concurrency}",
                    Spec = new() { Client = new() { Concurrency = level.Concurrency } },
                    Rate = level.Rate,
                })
        ];

    public static IReadOnlyList<Truth> OfWorkers(ScalabilityLaw law, params int[] workers) =>
        [.. workers.Select(count => new Truth { Name = $"w{count}", Spec = new() { Workers = count }, Rate = law.RateAt(count) })];

    /// <summary>
    /// Clients with this highest rate, against accounts with these RU/s. Request units limit the rate where the budget is lower.
    /// </summary>
    public static IReadOnlyList<Truth> OfThroughput(double clientRate, params int[] throughputs) =>
    [
        .. throughputs.Select(throughput => throughput / 5.71 is var budget && budget < clientRate
            ? OfThroughput(throughput, budget, BoundBy.RequestUnits)
            : OfThroughput(throughput, clientRate, BoundBy.Client)),
    ];

    public static Truth OfThroughput(int throughput, double rate, BoundBy boundBy) =>
        new() { Name = $"t{throughput}", Spec = new() { Container = new() { Throughput = throughput } }, Rate = rate, BoundBy = boundBy };
}
