using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Simulator.Prediction;

/// <summary>Load in steps, and queries page by page, against what can be worked out on paper.</summary>
public sealed class StepsAndQueriesTests
{
    private const int Partitions = 9;
    private const double Charge = 2.5;

    private static readonly double PageMs = 1.3 + (1.5 * Math.Exp(Math.Pow(LatencyProfile.SameRegion.LogStandardDeviation, 2) / 2));

    private static readonly FleetSpec Queries = new()
    {
        Workers = 1,
        Concurrency = 10,
        ConnectionMode = ConnectionMode.Direct,
        IsWrite = false,
        Query = new FleetQuery(Partitions, AtOnce: 1, OverPartitions: true, Plans: 0),
        BytesPerDocument = 640,
        ChargePerDocument = Charge,
        Throughput = 1e9,
        Partitions = Partitions,
        Latency = LatencyProfile.SameRegion with { LoadFactor = 0 },
        Duration = TimeSpan.FromSeconds(30),
    };

    [Fact]
    public void PagesOneAfterTheOther_AddUp()
    {
        var result = VirtualFleet.Simulate(Queries);

        AssertNear(10_000 / (Partitions * PageMs), result.DocumentsPerSecond.Average(), 0.01);
        AssertNear(Partitions * PageMs, result.Operation.MeanMs!.Value, 0.01);
        AssertNear(PageMs, result.Attempt.MeanMs!.Value, 0.01);
        AssertNear(Partitions, result.Attempts / (double)result.Ended, 0.01);
    }

    /// <summary>A query that asks all partitions at once takes as long as the slowest page, of nine that of the 92nd percentile.</summary>
    [Fact]
    public void PagesAtOnce_TakeAsLongAsTheSlowest()
    {
        var result = VirtualFleet.Simulate(Queries with { Query = Queries.Query! with { AtOnce = int.MaxValue } });

        AssertNear(1.3 + (1.5 * Math.Exp(0.35 * 1.4462)), result.Operation.PercentileMs(50)!.Value, 0.02);
        AssertNear(Partitions, result.Attempts / (double)result.Ended, 0.01);
    }

    [Fact]
    public void PlansAndPartsOfPages_AreThereOnAverage()
    {
        var result = VirtualFleet.Simulate(
            Queries with { Query = new FleetQuery(1.25, AtOnce: 1, OverPartitions: false, Plans: 0.5), OverheadMs = 1 });

        AssertNear(1.25, result.Attempts / (double)result.Ended, 0.02);
        // A plan goes to the gateway, whose hop is 2 ms.
        AssertNear((1.25 * (PageMs + 1)) + (0.5 * (3.3 + 1)), result.Operation.MeanMs!.Value, 0.02);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(int.MaxValue)]
    public void RequestUnits_BoundQueriesByAllTheirPages(int atOnce)
    {
        var result = VirtualFleet.Simulate(Queries with
        {
            Query = Queries.Query! with { AtOnce = atOnce }, Concurrency = 100, Throughput = 9_000,
        });

        AssertNear(9_000 / (Partitions * Charge), result.DocumentsPerSecond.Average(), 0.03);
        Assert.True(result.ThrottledShare > 0);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(int.MaxValue)]
    public void CoresThatPagesShare_BoundQueries(int atOnce)
    {
        var result = VirtualFleet.Simulate(Queries with
        {
            Query = Queries.Query! with { AtOnce = atOnce }, Concurrency = 100, Cores = 2, SharesCores = true, CpuMsPerAttempt = 0.3,
            AccountCpuMsPerAttempt = 0.1, Latency = LatencyProfile.None,
        });

        AssertNear(2_000 / (0.4 * Partitions), result.DocumentsPerSecond.Average(), 0.02);
    }

    [Fact]
    public void Users_ComeAndGoWithTheSteps()
    {
        StepSpec Users(int users, int seconds) => new() { Users = users, Duration = TimeSpan.FromSeconds(seconds) };
        var result = VirtualFleet.Simulate(Queries with
        {
            Query = null, Workers = 2, Concurrency = 6, ThinkTime = TimeSpan.FromMilliseconds(20),
            Steps = [Users(3, 20), Users(11, 20), Users(0, 5), Users(4, 15)], Duration = TimeSpan.FromSeconds(60),
        });

        var each = 1_000 / (20 + PageMs);
        AssertNear(3 * each, result.StepRates[0], 0.02);
        AssertNear(11 * each, result.StepRates[1], 0.02);
        // What is in flight when a step ends is done.
        Assert.InRange(result.StepRates[2], 0, 11 / 5.0);
        AssertNear(4 * each, result.StepRates[3], 0.02);
        Assert.Null(result.KeptSchedule);
    }

    [Fact]
    public void Rates_ChangeWithTheSteps()
    {
        StepSpec Rate(double rate) => new() { Rate = rate, Duration = TimeSpan.FromSeconds(20) };
        var result = VirtualFleet.Simulate(
            Queries with { Query = null, Workers = 2, Steps = [Rate(100), Rate(400), Rate(50)], Duration = TimeSpan.FromSeconds(60) });

        AssertNear(200, result.StepRates[0], 0.01);
        AssertNear(800, result.StepRates[1], 0.01);
        AssertNear(100, result.StepRates[2], 0.02);
        Assert.True(result.KeptSchedule);
    }

    private static void AssertNear(double expected, double actual, double share) =>
        Assert.InRange(actual, expected * (1 - share), expected * (1 + share));
}
