using ScaleOut.Measurement;

namespace ScaleOut.Tests.Measurement;

public sealed class PartitionMergeTests
{
    [Fact]
    public void Merge_SameRanges_AddsOverLegsAndWorkersOnOneAxis()
    {
        var merged = Merge(
            Legs.Leg(0) with { Partitions = [Legs.Partition("", "20", 0, 1, 2), Legs.Partition("20", "FF", 0, 5, 5)] },
            Legs.Leg(1) with { Partitions = [Legs.Partition("", "20", 1, 10, 20), Legs.Partition("20", "FF", 1, 0, 0)] });

        Assert.Equal(["", "20"], merged.Select(partition => partition.Min));
        Assert.Equal([1, 12, 20], merged[0].PerSecond);
        Assert.Equal([5, 5, 0], merged[1].PerSecond);
        Assert.Equal((4, 2, 33.0), (merged[0].Documents, merged[0].Throttled, merged[0].RequestUnits));
        Assert.All(merged, partition => Assert.Equal((2, false), (partition.Siblings, partition.Superseded)));
    }

    [Fact]
    public void Merge_RangesThatDifferInCaseOnly_AreTheSame() => Assert.Single(Merge(
        Legs.Leg(0) with { Partitions = [Legs.Partition("", "ff", 0, 1)] },
        Legs.Leg(1) with { Partitions = [Legs.Partition("", "FF", 0, 1)] }));

    [Fact]
    public void Merge_SplitBetweenLegs_KeepsOldAndNewRangesWithTheirOwnFigures()
    {
        var merged = Merge(
            Legs.Leg(0, 1) with { Partitions = [Legs.Partition("", "20", 0, 8), Legs.Partition("20", "FF", 0, 8)] },
            Legs.Leg(0, 2) with { Partitions = [Legs.Partition("", "10", 1, 3), Legs.Partition("10", "20", 1, 5), Legs.Partition("20", "FF", 1, 8)] });

        Assert.Equal([("", "20"), ("", "10"), ("10", "20"), ("20", "FF")], merged.Select(partition => (partition.Min, partition.Max)));
        Assert.Equal([true, false, false, false], merged.Select(partition => partition.Superseded));
        Assert.Equal([2, 3, 3, 3], merged.Select(partition => partition.Siblings));
        Assert.Equal([8, 0], merged[0].PerSecond);
        Assert.Equal([8, 8], merged[3].PerSecond);
        Assert.Equal(32, merged.Sum(partition => partition.RequestUnits));
    }

    [Fact]
    public void Merge_NoPartitions_IsEmpty() => Assert.Empty(Merge(Legs.Leg()));

    private static IReadOnlyList<MergedPartition> Merge(params LegResult[] legs) => PartitionMerge.Merge(legs, SecondRange.Of(legs));
}
