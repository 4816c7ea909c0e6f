namespace ScaleOut.Tests.Sizing.Prediction;

/// <summary>
/// Compares a throttled fleet whose retries all wait for the next second with the default spread. Virtual time makes it independent of the
/// machine. docs/simulated-account.md shows the figures.
/// </summary>
public sealed class FleetSimulationTests
{
    private static readonly ThrottlingSpec Herding = new() { RetryAfterMinMs = 1, RetryAfterMaxMs = 60_000, RetryAfterSpread = 0 };

    [Fact]
    public void Simulate_OneRetryInstant_HasFewer429sThanASpread()
    {
        foreach (var inFlight in (int[])[50, 200, 800])
        {
            var (herd, spread) = (Simulate(inFlight, Herding), Simulate(inFlight, new ThrottlingSpec()));
            Write($"{inFlight} in flight, the next second", herd);
            Write($"{inFlight} in flight, spread", spread);

            // Both use the whole budget.
            Assert.InRange(Used(herd) / Used(spread), 0.95, 1.05);
            Assert.True(spread.ThrottledShare > herd.ThrottledShare);
        }
    }

    /// <summary>Two partitions with 2,000 RU/s each, about 350 documents per second in each of them.</summary>
    private static FleetResult Simulate(FleetSpec spec) => VirtualFleet.Simulate(spec, TestContext.Current.CancellationToken);

    private static FleetResult Simulate(int inFlight, ThrottlingSpec throttling) => Simulate(new FleetSpec
    {
        Workers = 2, Concurrency = inFlight / 2, ConnectionMode = ConnectionMode.Direct, BytesPerDocument = 155, ChargePerDocument = 5.75,
        Throughput = 4_000, Partitions = 2, Throttling = throttling, Duration = TimeSpan.FromSeconds(60),
    });

    private static double Used(FleetResult result) => result.DocumentsPerSecond.Skip((int)result.Spec.Warmup.TotalSeconds).Average();

    private static void Write(string name, FleetResult result) => TestContext.Current.TestOutputHelper?.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"{name,-32} documents/s {Used(result),6:0.0}  429s {result.ThrottledShare,6:P1}  attempts per document "
            + $"{result.Counts.Attempts / (double)result.Admitted,5:0.00}  operation p50 {result.Operation.PercentileMs(50),6:0} ms  "
            + $"p99 {result.Operation.PercentileMs(99),6:0} ms  attempt p99 {result.Attempt.PercentileMs(99),5:0.0} ms"));
}
