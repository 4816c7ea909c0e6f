namespace ScaleOut.Tests.Sizing.Prediction;

/// <summary>Compares the simulated fleet with calculations.</summary>
public sealed class VirtualFleetTests
{
    private const double MedianMs = 4;
    private const double RoundTripMs = 1.3;
    private const double Charge = 5.75;

    /// <summary>Log-normal service times whose mean and percentiles are known, on partitions that never run out.</summary>
    private static readonly FleetSpec Unlimited = new()
    {
        Workers = 2, Concurrency = 20, ConnectionMode = ConnectionMode.Direct, BytesPerDocument = 155, ChargePerDocument = Charge,
        Throughput = 1e9, Partitions = 10, Latency = LatencyProfile.SameRegion with { LoadFactor = 0 }, Duration = TimeSpan.FromSeconds(30),
    };

    private static readonly double MeanPerMedian = Math.Exp(Math.Pow(LatencyProfile.SameRegion.LogStandardDeviation, 2) / 2);
    private static readonly double MeanMs = RoundTripMs + (MedianMs * MeanPerMedian);

    [Fact]
    public void Simulate_ClosedLoop_IsBoundByOperationsInFlight()
    {
        var result = Simulate(Unlimited);
        AssertNear(40 * 1000 / MeanMs, Rate(result), 0.01);
        AssertNear(RoundTripMs + MedianMs, result.Operation.PercentileMs(50)!.Value, 0.02);
        AssertNear(RoundTripMs + (MedianMs * Math.Exp(0.35 * 2.3263)), result.Operation.PercentileMs(99)!.Value, 0.02);
        Assert.Equal(0, result.ThrottledShare);
    }

    [Fact]
    public void Simulate_EveryRequest_TakesTheGatewaysHopAndTheClientsOverhead()
    {
        var slower = Unlimited with { ConnectionMode = ConnectionMode.Gateway, OverheadMs = 1.5 };
        AssertRate(40 * 1000 / (MeanMs + LatencyProfile.SameRegion.GatewayHopMs + 1.5), slower, 0.01);
    }

    /// <summary>A read is faster and cheaper than a write. Retries of a mix do not change its shares.</summary>
    [Theory]
    [InlineData(1e9)]
    [InlineData(5_000)]
    public void Simulate_Mix_HasTheLatencyAndChargeOfEachKindByItsShare(double throughput)
    {
        var mixed = Unlimited with
        {
            Throughput = throughput,
            ChargePerDocument = (0.75 * 8) + (0.25 * 1),
            Mix = [new(0.75, IsWrite: true, 8), new(0.25, IsWrite: false, 1)],
        };

        var result = Simulate(mixed);

        var units = result.PartitionUnits.Sum(partition => partition.Sum());
        AssertNear(mixed.ChargePerDocument, units / result.DocumentsPerSecond.Sum(), 0.02);
        if (throughput > 5_000)
        {
            var reads = Unlimited.Latency.ReadMedianMs * MeanPerMedian;
            AssertNear(40 * 1000 / ((0.75 * MeanMs) + (0.25 * (RoundTripMs + reads))), Rate(result), 0.02);
        }
    }

    /// <summary>A read, a write and a read are one operation of their RU and times together, also after 429s.</summary>
    [Theory]
    [InlineData(1e9)]
    [InlineData(5_000)]
    public void Simulate_Action_IsTheSumOfItsSteps(double throughput)
    {
        var result = Simulate(Unlimited with
        {
            Throughput = throughput,
            ChargePerDocument = 10,
            Mix = [new(1, IsWrite: true, 8), new(2, IsWrite: false, 1)],
            Steps = [1, 0, 1],
        });

        var units = result.PartitionUnits.Sum(partition => partition.Sum());
        AssertNear(10, units / result.DocumentsPerSecond.Sum(), 0.02);
        var (write, read) = (result.OperationByKind[0], result.OperationByKind[1]);
        AssertNear(2, read.Count / (double)write.Count, 0.02);
        AssertNear(write.MeanMs!.Value + (2 * read.MeanMs!.Value), result.Operation.MeanMs!.Value, 0.02);
        if (throughput == 5_000)
        {
            Assert.InRange(Rate(result), 1, 1.02 * 500);
            return;
        }

        var readMs = RoundTripMs + (Unlimited.Latency.ReadMedianMs * MeanPerMedian);
        AssertNear(40 * 1000 / (MeanMs + (2 * readMs)), Rate(result), 0.02);
        AssertNear(MeanMs, write.MeanMs!.Value, 0.02);
        AssertNear(readMs, read.MeanMs!.Value, 0.02);
    }

    /// <summary>Pages follow one another, or come from several partitions at once. Each costs its part on its partition.</summary>
    [Theory]
    [InlineData(1, 12)]
    [InlineData(4, 3)]
    public void Simulate_QueryOfSeveralPages_IsOneOperationOfAllItsRounds(int atOnce, int rounds)
    {
        var read = RoundTripMs + (Unlimited.Latency.ReadMedianMs * MeanPerMedian);
        var query = new QueryPages(Partitions: 4, PagesEach: 3, Units: 60, Loaded: 0, Results: 0, BytesOfPage: 0) { AtOnce = atOnce };
        var result = Simulate(Unlimited with
        {
            Concurrency = 1,
            Partitions = 4,
            ChargePerDocument = 60,
            Mix = [new(1, IsWrite: false, 60, "query") { Query = query }],
            Latency = Unlimited.Latency with { PerKilobyteMs = 0 },
        });

        Assert.Equal(rounds, query.Rounds);
        // The slowest of several is slower than one.
        Assert.InRange(result.Operation.MeanMs!.Value, 0.97 * rounds * read, (atOnce == 1 ? 1.03 : 1.6) * rounds * read);
        var units = result.PartitionUnits.Select(partition => partition.Average()).ToList();
        AssertNear(60 * Rate(result), units.Sum(), 0.02);
        Assert.All(units, one => AssertNear(units.Average(), one, 0.05));
    }

    /// <summary>A partition that refuses a page is asked again, and the others are not.</summary>
    [Fact]
    public void Simulate_QueryWhosePagesAreRefused_CostsEachPageOnce()
    {
        var query = new QueryPages(Partitions: 4, PagesEach: 1, Units: 40, Loaded: 0, Results: 0, BytesOfPage: 0) { AtOnce = 4 };
        var result = Simulate(Unlimited with
        {
            Throughput = 4_000,
            Partitions = 4,
            ChargePerDocument = 40,
            Mix = [new(1, IsWrite: false, 40, "query") { Query = query }],
        });

        Assert.InRange(result.ThrottledShare, 0.01, 0.9);
        AssertNear(100, Rate(result), 0.03);
        AssertNear(40 * Rate(result), result.PartitionUnits.Sum(partition => partition.Average()), 0.03);
    }

    [Fact]
    public void Simulate_ThinkTime_IsPartOfTheCycle() =>
        AssertRate(40 * 1000 / (MeanMs + 50), Unlimited with { ThinkTime = TimeSpan.FromMilliseconds(50) }, 0.01);

    [Fact]
    public void Simulate_RequestsBeyondTheConnections_WaitForOne()
    {
        var result = AssertRate(10 * 1000 / MeanMs, Unlimited with { Connections = 5 }, 0.01);
        AssertNear(4 * MeanMs, result.Operation.MeanMs!.Value, 0.02);
    }

    [Fact]
    public void Simulate_OpenLoop_KeepsItsRateAsLongAsItCan()
    {
        var kept = AssertRate(2_000, Unlimited with { Rate = 1_000 }, 0.005);
        var late = AssertRate(40 * 1000 / MeanMs, Unlimited with { Rate = 10_000 }, 0.01);
        Assert.Equal((true, false), (kept.KeptSchedule, late.KeptSchedule));
        Assert.True(late.Operation.PercentileMs(50) > 1_000, "Operations are measured from when they were due.");
    }

    [Theory]
    [InlineData(1, 1.0)]
    [InlineData(100, 1.0)]
    [InlineData(1, 0.5)]
    public void Simulate_FewRequestUnits_BoundTheRate(int documentsPerOperation, double spread)
    {
        var limited = Unlimited with { Workers = 10, Throughput = 60_000, DocumentsPerOperation = documentsPerOperation };
        var throttling = new ThrottlingSpec { RetryAfterSpread = spread };
        var result = AssertRate(60_000 / Charge, limited with { Throttling = throttling }, 0.02);
        AssertNear(60_000, result.PartitionUnits.Sum(units => units.Average()), 0.02);
        Assert.True(result.ThrottledShare > 0);
        Assert.Equal(6_000, result.PartitionBudget);
    }

    [Fact]
    public void Simulate_HotPartition_BoundsTheWholeFleet()
    {
        double[] weights = [9, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        // Half of the operations go to the first partition, and each loop waits until its operation is admitted.
        var spec = Unlimited with { Workers = 10, Throughput = 60_000, PartitionWeights = weights };
        var result = AssertRate(2 * 6_000 / Charge, spec, 0.03);
        AssertNear(6_000, result.PartitionUnits[0].Average(), 0.02);
        Assert.All(result.PartitionUnits.Skip(1), units => AssertNear(6_000 / 9.0, units.Average(), 0.1));
    }

    [Theory]
    [InlineData(1, 4_000)]
    [InlineData(2, 8_000)]
    [InlineData(3, 12_000)]
    public void Simulate_FewCores_BoundTheRate(int cores, double expected)
    {
        var result = AssertRate(expected, Unlimited with { Concurrency = 100, Cores = cores, CpuMsPerAttempt = 0.5 }, 0.01);
        AssertNear(1, result.BusiestClientCpu, 0.01);
        // Little's law: operations in flight wait for the cores.
        AssertNear(200 / expected * 1000, result.Operation.MeanMs!.Value, 0.02);
    }

    [Fact]
    public void Simulate_CpuTimeBelowTheLimit_IsAddedToTheLatency()
    {
        var result = AssertRate(2 * 1000 / (MeanMs + 0.5), Unlimited with { Concurrency = 1, CpuMsPerAttempt = 0.5 }, 0.01);
        AssertNear(0.5 / (MeanMs + 0.5), result.ClientCpu, 0.01);
    }

    [Fact]
    public void Simulate_BulkClient_SendsPartialRequestsEveryTenthOfASecond()
    {
        var result = AssertRate(50 / 0.1, Unlimited with { Bulk = true, Workers = 1, Concurrency = 50, Partitions = 5 }, 0.01);
        AssertNear(10, result.OperationsPerRequest!.Value, 0.1);
    }

    [Fact]
    public void Simulate_BulkClientWithManyOperations_FillsItsRequests()
    {
        // The SDK adds a request under way each second, so it takes a while until the cores are the limit.
        var result = AssertRate(20_000, Unlimited with
        {
            Bulk = true,
            Workers = 1,
            Concurrency = 2_000,
            Partitions = 1,
            CpuMsPerAttempt = 0.05,
            Latency = Unlimited.Latency with { PerBatchOperationMs = 0 },
            Warmup = TimeSpan.FromSeconds(15),
        }, 0.02);
        Assert.InRange(result.OperationsPerRequest!.Value, 90, 100);
    }

    [Fact]
    public void Simulate_BulkClientWithoutThrottling_AddsOneRequestUnderWayPerSecond()
    {
        var result = Simulate(Unlimited with
        {
            Bulk = true,
            Workers = 1,
            Concurrency = 5_000,
            Partitions = 1,
            Warmup = TimeSpan.Zero,
            Latency = new LatencyProfile { RoundTripMs = 100, LogStandardDeviation = 0 },
        });

        // Each request under way does 100 operations in 0.1 s: 1,000 a second.
        AssertNear(1_000, result.DocumentsPerSecond[0], 0.2);
        AssertNear(5_000, result.DocumentsPerSecond[5], 0.4);
        Assert.True(result.DocumentsPerSecond[20] > 2 * result.DocumentsPerSecond[5]);
    }

    [Fact]
    public void Simulate_BulkClientWithFewRequestUnits_IsBoundByThem()
    {
        var spec = Unlimited with { Bulk = true, Workers = 4, Concurrency = 1_000, Throughput = 60_000, CpuMsPerAttempt = 0.02 };
        Assert.True(AssertRate(60_000 / Charge, spec, 0.02).ThrottledShare > 0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Simulate_EachAttempt_IsDoneThrottledOrUnderWay(bool bulk)
    {
        var spec = Unlimited with { Bulk = bulk, Workers = 8, Concurrency = 200, Throughput = 30_000, CpuMsPerAttempt = 0.1 };
        var result = Simulate(spec with { Warmup = TimeSpan.Zero });
        Assert.True(result.Counts.Throttled > 0);
        Assert.Equal(result.Counts.Attempts, result.Admitted + result.Counts.Throttled);
        Assert.InRange(result.Admitted - result.Ended, 0, spec.Workers * spec.Concurrency);
        Assert.Equal(result.Admitted * Charge, result.PartitionUnits.Sum(units => units.Sum()), 1e-3);
        Assert.InRange(result.Ended - (long)result.DocumentsPerSecond.Sum(), 0, spec.Workers * spec.Concurrency);
    }

    [Fact]
    public void Simulate_SameSeed_AloneGivesTheSameResult()
    {
        var spec = Unlimited with { Throughput = 30_000, CpuMsPerAttempt = 0.1, Duration = TimeSpan.FromSeconds(10) };
        var (one, same, other) = (Simulate(spec), Simulate(spec), Simulate(spec with { Seed = 2 }));
        Assert.Equal(one.DocumentsPerSecond, same.DocumentsPerSecond);
        Assert.Equal(one.Counts, same.Counts);
        Assert.Equal(one.Operation.SumMicroseconds, same.Operation.SumMicroseconds);
        Assert.NotEqual(one.Operation.SumMicroseconds, other.Operation.SumMicroseconds);
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(1e9, 0.1, 0)]
    [InlineData(1e9, 0.5, 0)]
    [InlineData(384_000, 0.1, 0)]
    [InlineData(384_000, 0.1, 900)]
    public void Simulate_SampleOfTheFleet_HasTheResultsOfAllOfIt(double throughput, double cpuMs, double rate)
    {
        var spec = Unlimited with
        {
            Workers = 64,
            Partitions = 64,
            Throughput = throughput,
            CpuMsPerAttempt = cpuMs,
            Rate = rate > 0 ? rate : null,
            Duration = TimeSpan.FromSeconds(15),
            Latency = LatencyProfile.SameRegion,
        };

        var whole = Simulate(spec);
        var sampled = Simulate(spec with { MaxOperations = 1 });

        Assert.Equal(new FleetSample(64, 64, 15, Steady: false), whole.Sample);
        Assert.Equal((16, 16), (sampled.Sample.Workers, sampled.Sample.Partitions));
        AssertNear(Rate(whole), Rate(sampled), 0.02);
        AssertNear(whole.Operation.PercentileMs(50)!.Value, sampled.Operation.PercentileMs(50)!.Value, 0.05);
        AssertNear(whole.Operation.PercentileMs(99)!.Value, sampled.Operation.PercentileMs(99)!.Value, 0.1);
        Assert.Equal(whole.ThrottledShare, sampled.ThrottledShare, 0.02);
        AssertNear(whole.PartitionUnits.Average(units => units.Average()), sampled.PartitionUnits.Average(units => units.Average()), 0.02);
    }

    [Fact]
    public void Simulate_FleetThatCannotBeSampled_EndsWhenSteady()
    {
        var spec = Unlimited with
        {
            Bulk = true,
            Workers = 4,
            Concurrency = 500,
            Throughput = 60_000,
            CpuMsPerAttempt = 0.02,
            Duration = TimeSpan.FromSeconds(120),
        };

        var whole = Simulate(spec);
        var ended = Simulate(spec with { MaxOperations = 1_000 });

        Assert.True(ended.Sample.Steady && ended.Sample.Seconds < 120);
        Assert.Equal(ended.Sample.Seconds - 5, ended.DocumentsPerSecond.Count);
        AssertNear(Rate(whole), Rate(ended), 0.02);
    }

    [Fact]
    public void Simulate_ThrottledOperation_WaitsAsInAWorker()
    {
        var throttled = new AttemptResponse(AttemptKind.Throttled, 429, 3200, default, TimeSpan.FromMilliseconds(250), null);
        Assert.Equal(TimeSpan.FromMilliseconds(250 + OperationLoops.RetryGrainMs), new RetryDelay().After(throttled));
    }

    [Fact]
    public void Simulate_InvalidSpec_IsAnError()
    {
        FleetSpec[] specs =
            [Unlimited with { Workers = 0 }, Unlimited with { PartitionWeights = [1] }, Unlimited with { Warmup = Unlimited.Duration }];
        Assert.All(specs, spec => Assert.Throws<ArgumentOutOfRangeException>(() => Simulate(spec)));
    }

    private static double Rate(FleetResult result) => result.DocumentsPerSecond.Average();

    private static FleetResult AssertRate(double expected, FleetSpec spec, double share)
    {
        var result = Simulate(spec);
        AssertNear(expected, Rate(result), share);
        return result;
    }

    private static FleetResult Simulate(FleetSpec spec) => VirtualFleet.Simulate(spec, TestContext.Current.CancellationToken);

    private static void AssertNear(double expected, double actual, double share) =>
        Assert.InRange(actual, expected * (1 - share), expected * (1 + share));
}
