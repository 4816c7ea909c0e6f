using ScaleOut.Analysis.Findings.Predictions;

namespace ScaleOut.Tests.Analysis.Findings.Predictions;

/// <summary>
/// Rates that were computed by hand from the parameters of the same region: 1.3 ms round trip, 2 ms hop, and log-normal service times with
/// medians of 4 and 1.5 ms. A closed loop depends on the means, which are exp(0.35^2 / 2) = 1.063165 times the medians.
/// </summary>
public sealed class PredictedRateTests
{
    /// <summary>RU of a small document with four indexed values.</summary>
    private const double Charge = 7.05;

    private static readonly RunSpec Spec = new() { Documents = 100_000, Workers = 1, Container = new() { Throughput = 10_000 } };

    private static readonly RunSpec Unlimited = Spec with { Container = new() { Throughput = 10_000_000 } };

    [Fact]
    public void From_ManyInFlight_IsTheBudgetOverTheCharge()
    {
        Assert.Equal(10_000 / Charge, Predict(With(Spec, concurrency: 40)), 3);
        Assert.Equal(Charge, PredictedRate.ChargeOf(Spec), 9);
    }

    [Theory]
    [InlineData(ConnectionMode.Direct, 180.0939)]
    [InlineData(ConnectionMode.Gateway, 132.4037)]
    public void From_FewInFlight_IsThoseOverTheMeanLatency(ConnectionMode mode, double rate) =>
        Assert.Equal(rate, Predict(With(Spec, concurrency: 1, mode)), 3);

    /// <summary>Each of the two makes two round trips, and has the service times of a read and of a write.</summary>
    [Theory]
    [InlineData("""{ "kind": "replace" }""")]
    [InlineData("""{ "action": ["read", "upsert"] }""")]
    public void From_SeveralRequestsOneAfterTheOther_MakesATripForEach(string workload)
    {
        var spec = RunSpecReader.Read($$"""{ "workload": {{workload}} }""").Value!;
        Assert.Equal(
            1_000 / ((2 * 1.3) + ((4 + 1.5) * 1.063165)),
            Predict(With(Unlimited, concurrency: 1) with { Workload = spec.Workload }), 3);
    }

    [Fact]
    public void From_WorkersWithSettingsOfTheirOwn_AddsWhatEachAllows() => Assert.Equal(
        180.0939 + 132.4037,
        Predict(With(Unlimited, concurrency: 1) with
        {
            Workers = 2,
            WorkerOverrides = [new() { Workers = [1], Client = new() { ConnectionMode = ConnectionMode.Gateway } }],
        }),
        3);

    [Fact]
    public void From_GatewayWithFewConnections_HasNoMoreInFlightThanThose() => Assert.Equal(
        1324.0370,
        Predict(Unlimited with { Client = new() { Concurrency = 100, ConnectionMode = ConnectionMode.Gateway, MaxConnections = 10 } }), 3);

    [Fact]
    public void From_Batches_HasAllDocumentsOfEachInFlight()
    {
        var kilobytes = 100 * DocumentShape.From(Unlimited.Document).Bytes / 1024.0;
        Assert.Equal(
            100_000 / (1.3 + ((4 + 99 + (0.02 * (kilobytes - 1))) * 1.063165)),
            Predict(With(Unlimited, concurrency: 1) with { Workload = new() { Kind = WorkloadKind.Batch, BatchSize = 100 } }), 2);
    }

    [Fact]
    public void From_QueryOfOnePartitionAfterTheOther_MakesATripToEach()
    {
        var serial = Unlimited with
        {
            Workload = new() { Kind = WorkloadKind.Query, Query = new() { Text = "SELECT * FROM c" } },
            Simulation = new() { PhysicalPartitions = 9 },
        };
        Assert.Equal(767.6743, Predict(serial), 3);
        Assert.Equal(20_000 / (1.3 + (1.5 * SlowestOf(9))), Predict(AtOnce(-1)), 20.0);
        // Nine partitions, two at a time, take five trips.
        Assert.Equal(20_000 / (5 * (1.3 + (1.5 * SlowestOf(2)))), Predict(AtOnce(2)), 4.0);

        RunSpec AtOnce(int partitions) =>
            serial with { Workload = serial.Workload with { Query = serial.Workload.Query! with { MaxConcurrency = partitions } } };
    }

    [Fact]
    public void From_ThinkTime_IsPartOfEachOperation() => Assert.Equal(
        1000 / (94.447341 + 5.552659),
        Predict(With(Spec, concurrency: 1) with { Workload = new() { ThinkTime = TimeSpan.FromTicks(944_473) } }), 3);

    [Fact]
    public void From_OpenLoop_IsTheRateAsked() =>
        Assert.Equal(300, Predict(Spec with { Workers = 3, Client = new() { Rate = 100 } }), 9);

    [Fact]
    public void From_RealAccount_KnowsTheBudgetOnly() =>
        Assert.Equal(10_000 / Charge, PredictedRate.From(With(Spec, concurrency: 1), simulated: false)!.Value, 3);

    [Fact]
    public void From_NamedContainerOfARealAccount_IsNotKnown() =>
        Assert.Null(PredictedRate.From(Spec with { Container = new() { Name = "orders" } }, simulated: false));

    /// <summary>
    /// Tests 1 and 2 of the published inserts: 10 in flight at 2.6 ms. The ratio is (2.6 + 2 + 4.252659) / (2.6 + 4.252659).
    /// </summary>
    [Theory]
    [InlineData(10, 1.291858)]
    [InlineData(40, 1)]
    public void Ratio_DirectOverGateway_IsThatOfTheLatenciesUntilTheBudgetBindsBoth(int concurrency, double ratio)
    {
        var spec = Spec with
        {
            Container = new() { Throughput = 12_000 },
            Simulation = new() { Latency = LatencyProfile.SameRegion with { Name = null, RoundTripMs = 2.6 } },
        };
        Assert.Equal(
            ratio,
            PredictedRate.Ratio(With(spec, concurrency, ConnectionMode.Gateway), With(spec, concurrency))!.Value, 5);
    }

    [Fact]
    public void QuantileMs_LogNormalServiceTime_IsThatOfTheNormalDistributionsQuantile()
    {
        var reads = With(Spec with { Workload = new() { Kind = WorkloadKind.Read } }, 10, ConnectionMode.Gateway);
        Assert.Equal(10.3297, PredictedLatency.QuantileMs(Spec, With(Spec, 10).SettingsOf(0), 0.99), 4);
        Assert.Equal(
            6.6861,
            PredictedLatency.QuantileMs(reads, reads.SettingsOf(0), 0.99), 4);
    }

    /// <summary>
    /// One write in fifty takes eight times as long. These 2% take around 32 ms, far longer than the other 98%, so the slowest 1% of all
    /// begin at the median of the tail. The same must hold for quantiles that were taken from the log-normal distribution.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void QuantileMs_Tail_IsThatOfBothDistributionsTogether(bool byQuantiles)
    {
        var latency = LatencyProfile.SameRegion with { Name = null, TailShare = 0.02, TailFactor = 8 };
        if (byQuantiles)
        {
            latency = latency with
            {
                WriteQuantiles =
                [
                    .. Enumerable.Range(1, 99).Select(percent => new LatencyQuantile(
                        percent / 100.0, 4 * Math.Exp(0.35 * MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, percent / 100.0)))),
                ],
            };
        }

        var spec = With(Spec with { Simulation = new() { Latency = latency } }, 10);
        Assert.Equal(1.3 + 32, PredictedLatency.QuantileMs(spec, spec.SettingsOf(0), 0.99), 4);
        Assert.EndsWith(
            " with tailShare = 0.02 and tailFactor = 8", PredictedLatency.TextOf(spec), StringComparison.Ordinal);
    }

    /// <summary>
    /// Mean of the slowest of several service times, as an integral over the density of the largest of as many normal numbers.
    /// </summary>
    private static double SlowestOf(int requests)
    {
        const double Step = 0.001;
        return Enumerable.Range(-8_000, 16_000).Select(i => i * Step).Sum(z => Step * Math.Exp(0.35 * z) * requests
            * MathNet.Numerics.Distributions.Normal.PDF(0, 1, z)
            * Math.Pow(MathNet.Numerics.Distributions.Normal.CDF(0, 1, z), requests - 1));
    }

    private static double Predict(RunSpec spec) => PredictedRate.From(spec, simulated: true)!.Value;

    private static RunSpec With(RunSpec spec, int concurrency, ConnectionMode mode = ConnectionMode.Direct) =>
        spec with { Client = new() { Concurrency = concurrency, ConnectionMode = mode } };
}
