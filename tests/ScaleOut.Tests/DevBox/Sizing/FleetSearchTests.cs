using ScaleOut.DevBox.Sizing;

namespace ScaleOut.Tests.DevBox.Sizing;

/// <summary>Which fleet is found for a rate, against what can be worked out on paper.</summary>
public sealed class FleetSearchTests
{
    /// <summary>An insert takes 5.75 RU and about 84 ms.</summary>
    private static readonly RunSpec Far = new()
    {
        Client = new() { Concurrency = 5 }, Simulation = new() { Latency = LatencyProfile.CrossRegion },
    };

    /// <summary>Five in flight over 84 ms are 59 a second, so 85 workers of them; a core does 4,000, of which four fifths count.</summary>
    [Fact]
    public void Find_OperationsThatWait_TakesFewWorkersWithMoreInFlight()
    {
        var result = FleetSearch.Find(FleetBasis.From(Far, cpuMs: 0.25, null), 5_000, 0.1, otherSettings: true, prices: null);

        Assert.True(result.Reached);
        Assert.Equal(2, result.Fleet.Workers);
        Assert.Equal(2_500, result.Fleet.RatePerWorker);
        Assert.InRange(result.Tried[0].Enough!.Workers, 83, 88);
        Assert.Equal((1, BoundBy.Client), (result.Tried[^1].TooFew!.Workers, result.Tried[^1].TooFew!.BoundBy));
        // 5,000 x 5.75 RU with a tenth to spare, in steps of 100.
        Assert.Equal(32_000, result.Fleet.Throughput);
        Assert.Equal(BoundBy.Rate, result.Fleet.BoundBy);
    }

    [Fact]
    public void Find_SettingThatIsGiven_IsKeptAndSaysWhatStopsFewer()
    {
        var result = FleetSearch.Find(FleetBasis.From(Far, cpuMs: 0.25, null), 5_000, 0.1, otherSettings: false, prices: null);

        Assert.Equal(5, Assert.Single(result.Tried).Concurrency);
        Assert.InRange(result.Fleet.Workers, 83, 88);
        Assert.Equal(BoundBy.Latency, result.Tried[0].TooFew!.BoundBy);
    }

    /// <summary>Without it, nothing says how many operations a worker can do.</summary>
    [Fact]
    public void Find_CpuThatIsNotKnown_KeepsTheSettingAndSaysSo()
    {
        var result = FleetSearch.Find(FleetBasis.From(Far, cpuMs: null, null), 1_000, 0.1, otherSettings: true, prices: null);

        Assert.Single(result.Tried);
        Assert.Null(result.Fleet.ClientCpu);
        Assert.Contains(result.Notes, note => note.StartsWith("the clients' CPU is not known", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(DocumentKind.PerfTest, 10_000, 5_000, BoundBy.RequestUnits)]
    [InlineData(DocumentKind.Flights, 400_000, 20_000, BoundBy.Partition)]
    public void Find_BudgetThatIsUsedUp_AddsNoWorkers(DocumentKind kind, int throughput, double rate, BoundBy expected)
    {
        var spec = new RunSpec
        {
            Id = "rows", Document = new() { Kind = kind }, Container = new() { Throughput = throughput },
            Client = new() { Concurrency = 100 },
        };

        var result = FleetSearch.Find(FleetBasis.From(spec, cpuMs: 0.1, null), rate, headroom: null, otherSettings: true, prices: null);

        Assert.False(result.Reached);
        Assert.Equal(expected, result.Fleet.BoundBy);
        Assert.InRange(result.Fleet.Workers, 1, 10);
        Assert.Equal(throughput, result.Fleet.Throughput);
        Assert.Contains("more workers do not help", SizePage.From(result).Result[0], StringComparison.Ordinal);
    }

    /// <summary>The fleet of a rate is one that the same model says to do it.</summary>
    [Fact]
    public void Find_Fleet_DoesTheSameByItsWorkers()
    {
        var basis = FleetBasis.From(Far, cpuMs: 0.25, null);
        var found = FleetSearch.Find(basis, 3_000, 0.1, otherSettings: true, prices: null).Fleet;
        var spec = Far with
        {
            Workers = found.Workers, Container = new() { Throughput = (int)found.Throughput },
            Client = new() { Concurrency = found.ConcurrencyPerWorker, Rate = found.RatePerWorker },
        };

        var fleet = FleetSpecs.From(FleetBasis.From(spec, cpuMs: 0.25, null), FleetSpecs.PartitionsOf(spec));
        var forecast = FleetForecast.From(spec, VirtualFleet.Simulate(fleet with { Duration = TimeSpan.FromSeconds(60) }), prices: null);

        Assert.InRange(forecast.PerSecond, 2_985, 3_015);
        Assert.Equal(BoundBy.Rate, forecast.BoundBy);
    }

    /// <summary>A few large operations of a slow schedule do not end evenly within the simulated time.</summary>
    [Theory]
    [InlineData(0.01)]
    [InlineData(7)]
    [InlineData(50)]
    public void Find_BatchesAtALowRate_TakeOneWorker(double rate)
    {
        var spec = new RunSpec { Workload = new() { Kind = WorkloadKind.Batch, BatchSize = 100 } };

        var result = FleetSearch.Find(FleetBasis.From(spec, cpuMs: 1, null), rate, 0.1, otherSettings: true, prices: null);

        Assert.Equal((true, 1), (result.Reached, result.Fleet.Workers));
    }

    [Theory]
    [InlineData(WorkloadKind.Insert, 2e6, "and a container has at most 10,000,000")]
    [InlineData(WorkloadKind.Bulk, 200_000, "--workers simulates one")]
    public void Find_MoreThanCanBeLookedFor_IsAnError(WorkloadKind kind, double rate, string message)
    {
        var spec = new RunSpec { Workload = new() { Kind = kind } };

        var error = Assert.Throws<InputException>(
            () => FleetSearch.Find(FleetBasis.From(spec, cpuMs: 0.1, null), rate, 0.1, otherSettings: true, prices: null));

        Assert.Contains(message, Assert.Single(error.Errors), StringComparison.Ordinal);
    }
}
