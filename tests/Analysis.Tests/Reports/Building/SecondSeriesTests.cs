namespace ScaleOut.Tests.Analysis.Reports.Building;

public sealed class SecondSeriesTests
{
    [Fact]
    public void From_LegsThatShareASecond_AddsThem()
    {
        LegResult[] legs =
        [
            Legs.Leg(leg: 1) with { Seconds = Legs.Seconds(0, 3, inserted: 5, throttled: 1, requestUnits: 2.5, cpuSeconds: 0.25) },
            Legs.Leg(leg: 2) with { Seconds = Legs.Seconds(2, 2, inserted: 7, cpuSeconds: 0.5) },
        ];
        var series = new SecondSeries(legs);
        var seconds = NumberSet.From([new NumberRange(1_001, 2), new NumberRange(5_000, 1)]);

        Assert.Equal([5, 5, 12, 7], series.Seconds.Values.Select(sum => sum.Counts.Inserted));
        Assert.Equal([1, 1, 1, 0], series.Seconds.Values.Select(sum => sum.Counts.Throttled));
        Assert.Equal([2.5, 2.5, 2.5, 0], series.Seconds.Values.Select(sum => sum.Counts.RequestUnits.Value));
        Assert.Equal([0.25, 0.25, 0.75, 0.5], series.Seconds.Values.Select(sum => sum.CpuSeconds));
        Assert.Equal((17, 5, 1), (series.InsertedIn(seconds), series.RequestUnitsIn(seconds), series.CpuSecondsIn(seconds)));
    }

    [Fact]
    public void From_LegsYearsApart_HoldsOnlyTheirSeconds()
    {
        LegResult[] legs =
            [Legs.Leg(leg: 1) with { Seconds = Legs.Seconds(0, 3) }, Legs.Leg(leg: 2) with { Seconds = Legs.Seconds(1_000_000_000, 2) }];
        Assert.Equal(5, new SecondSeries(legs).Seconds.Count);
    }

    [Fact]
    public void UtcSeconds_WithinOrOnASecond_FloorAndCeilingFit()
    {
        var on = Legs.Zero;
        Assert.Equal((1_000, 1_000), (UtcSeconds.Floor(on), UtcSeconds.Ceiling(on)));
        Assert.Equal((1_000, 1_001), (UtcSeconds.Floor(on.AddTicks(1)), UtcSeconds.Ceiling(on.AddTicks(1))));
        Assert.Equal((999, 1_000), (UtcSeconds.Floor(on.AddTicks(-1)), UtcSeconds.Ceiling(on.AddTicks(-1))));
    }
}
