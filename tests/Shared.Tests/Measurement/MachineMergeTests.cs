namespace ScaleOut.Tests.Shared.Measurement;

public sealed class MachineMergeTests
{
    [Fact]
    public void Merge_TwoLegs_SumsTimesAndKeepsPeaks()
    {
        var first = Legs.Leg(to: 10) with
        {
            Machine = Machine("a") with
            {
                CpuSeconds = 4,
                PeakWorkingSetBytes = 300,
                ThreadPoolQueueMax = 9,
                GcPauseMs = 1.5,
                Collections = [3, 1],
            },
        };
        var second = Legs.Leg(from: 20, to: 40) with
        {
            Machine = Machine("b") with
            {
                CpuSeconds = 20,
                PeakWorkingSetBytes = 200,
                ThreadPoolQueueMax = 2,
                GcPauseMs = 0.5,
                Collections = [1, 1, 1],
            },
        };
        var merged = MachineMerge.Merge([first, second])!;

        // 24 CPU seconds in 10 s and 20 s on two cores.
        Assert.Equal(("b", 24.0, 0.4), (merged.InstanceId, merged.CpuSeconds, merged.CpuShare));
        Assert.Equal((300, 9, 2.0), (merged.PeakWorkingSetBytes, merged.ThreadPoolQueueMax, merged.GcPauseMs));
        Assert.Equal([4, 2, 1], merged.Collections);
    }

    [Fact]
    public void Merge_OnlyTheFirstLegMeasuredTheRoundTrip_KeepsIt() => Assert.Equal(
        [1, 2], MachineMerge.Merge([Legs.Leg() with { Machine = Machine("a") with { RoundTripMs = [1, 2] } }, Legs.Leg()])!.RoundTripMs);

    [Fact]
    public void Merge_LegsWithoutDuration_KeepsTheShareOfTheLastOne()
    {
        var merged = MachineMerge.Merge(
        [
            Legs.Leg(to: 0) with { Machine = Machine("a") with { CpuShare = 0.9, Connections = 7 } },
            Legs.Leg(to: 0) with { Machine = Machine("b") with { CpuShare = 0.25, Connections = 5 } },
        ])!;

        Assert.Equal((0.25, 7), (merged.CpuShare, merged.Connections));
        Assert.Empty(merged.RoundTripMs);
    }

    [Fact]
    public void Merge_NoLegs_IsNull() => Assert.Null(MachineMerge.Merge([]));

    [Theory]
    [InlineData(new double[0], null)]
    [InlineData(new[] { 3.0 }, 3.0)]
    [InlineData(new[] { 1.0, 2.0, 9.0 }, 2.0)]
    [InlineData(new[] { 1.0, 2.0, 3.0, 9.0 }, 2.5)]
    public void Median_Ascending_IsTheMiddle(double[] values, double? median) => Assert.Equal(median, MachineMerge.Median(values));

    private static MachineReport Machine(string instance) => new() { InstanceId = instance, ProcessId = 1, Cores = 2, MemoryBytes = 1 };
}
