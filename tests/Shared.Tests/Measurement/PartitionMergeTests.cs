namespace ScaleOut.Tests.Shared.Measurement;

public sealed class PartitionMergeTests
{
    [Fact]
    public void Merge_SameRanges_AddsOverLegsAndWorkers()
    {
        var merged = Merge(
            Legs.Leg(0) with { Partitions = [Legs.Partition("", "20", 0, 1, 2), Legs.Partition("20", "FF", 0, 5, 5)] },
            Legs.Leg(1) with { Partitions = [Legs.Partition("", "20", 1, 10, 20), Legs.Partition("20", "FF", 1, 0, 0)] });

        Assert.Equal(["", "20"], merged.Select(partition => partition.Min));
        Assert.Equal([(1_000L, 1), (1_001, 12), (1_002, 20)], PerSecond(merged[0]));
        Assert.Equal([(1_000L, 5), (1_001, 5)], PerSecond(merged[1]));
        Assert.Equal(new Counts { Inserted = 4, Throttled = 2, RequestUnits = RequestUnits.From(33) }, merged[0].Counts);
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
            Legs.Leg(0, 2) with
            {
                Partitions = [Legs.Partition("", "10", 1, 3), Legs.Partition("10", "20", 1, 5), Legs.Partition("20", "FF", 1, 8)],
            });

        Assert.Equal([("", "20"), ("", "10"), ("10", "20"), ("20", "FF")], merged.Select(partition => (partition.Min, partition.Max)));
        Assert.Equal([true, false, false, false], merged.Select(partition => partition.Superseded));
        Assert.Equal([2, 3, 3, 3], merged.Select(partition => partition.Siblings));
        Assert.Equal([(1_000L, 8)], PerSecond(merged[0]));
        Assert.Equal([(1_000L, 8), (1_001, 8)], PerSecond(merged[3]));
        Assert.Equal(32, merged.Sum(partition => partition.Counts.RequestUnits.Value));
    }

    /// <summary>One of two ranges was split into three. The leg with the new ranges is merged first.</summary>
    [Fact]
    public void Merge_SplitIntoThree_OldRangeComesFirst()
    {
        var merged = Merge(
            Legs.Leg(0, 2) with
            {
                Partitions =
                [
                    Legs.Partition("", "08", 1, 3), Legs.Partition("08", "10", 1, 5), Legs.Partition("10", "20", 1, 5),
                    Legs.Partition("20", "FF", 1, 8),
                ],
            },
            Legs.Leg(0, 1) with { Partitions = [Legs.Partition("", "20", 0, 8), Legs.Partition("20", "FF", 0, 8)] });

        Assert.Equal(["20", "08", "10", "20", "FF"], merged.Select(partition => partition.Max));
        Assert.Equal([2, 4, 4, 4, 4], merged.Select(partition => partition.Siblings));
    }

    [Fact]
    public void Merge_NoPartitions_IsEmpty() => Assert.Empty(Merge(Legs.Leg()));

    private static IReadOnlyList<MergedPartition> Merge(params LegResult[] legs) => PartitionMerge.Merge(legs);

    private static IEnumerable<(long, double)> PerSecond(MergedPartition partition) =>
        partition.PerSecond.Select(entry => (entry.Key, entry.Value));
}
