using ScaleOut.Measurement;

namespace ScaleOut.Tests.Measurement;

public sealed class WorkerSeriesTests
{
    [Fact]
    public void Of_LegsThatShareASecond_AddsThem()
    {
        LegResult[] legs = [Legs.Leg(leg: 1) with { Seconds = Legs.Seconds(0, 3, inserted: 5, throttled: 1, requestUnits: 2.5) }, Legs.Leg(leg: 2) with { Seconds = Legs.Seconds(2, 2, inserted: 7, cpuSeconds: 0.5) }];
        var series = new WorkerSeries(SecondRange.Of(legs), legs);

        Assert.Equal([5, 5, 12, 7], series.Inserted);
        Assert.Equal([1, 1, 1, 0], series.Throttled);
        Assert.Equal([2.5, 2.5, 2.5, 0], series.RequestUnits);
        Assert.Equal([0, 0, 0.5, 0.5], series.CpuSeconds);
        Assert.Equal(17, series.InsertedIn([1_001, 1_002, 5_000]));
    }

    [Fact]
    public void RangeOf_PartitionsBeyondTheSeconds_CoversBoth() =>
        Assert.Equal(new SecondRange(999, 5), SecondRange.Of([Legs.Leg() with { Seconds = Legs.Seconds(0, 2), Partitions = [Legs.Partition("", "FF", -1, 1), Legs.Partition("", "FF", 3, 1)] }]));

    [Fact]
    public void RangeOf_NothingMeasured_IsEmpty() => Assert.Equal(0, SecondRange.Of([Legs.Leg()]).Count);

    [Fact]
    public void UtcSeconds_WithinOrOnASecond_FloorAndCeilingFit()
    {
        var on = DateTimeOffset.FromUnixTimeSeconds(1_000);

        Assert.Equal((1_000, 1_000), (UtcSeconds.Floor(on), UtcSeconds.Ceiling(on)));
        Assert.Equal((1_000, 1_001), (UtcSeconds.Floor(on.AddTicks(1)), UtcSeconds.Ceiling(on.AddTicks(1))));
        Assert.Equal((999, 1_000), (UtcSeconds.Floor(on.AddTicks(-1)), UtcSeconds.Ceiling(on.AddTicks(-1))));
    }
}
