namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LegResultTests
{
    [Fact]
    public void PartitionSeconds_SeveralPartitions_AreFromTheFirstToTheLastCharge()
    {
        var leg = Legs.Leg() with
        {
            Partitions = [Legs.Partition("", "10", 7, 1, 1), Legs.Partition("10", "20", 3, 5, 0, 5), Legs.Partition("20", "FF", 0)],
        };

        Assert.Equal(new NumberRange(1_003, 6), leg.PartitionSeconds);
        Assert.Equal(new NumberRange(1_003, 6), leg.WithoutMergedFigures().PartitionSeconds);
        Assert.Null(Legs.Leg().PartitionSeconds);
    }

    [Fact]
    public void PartSample_MergeOfSeveralLegs_AddsThem()
    {
        var merged = PartSample.Merge(2, [Sample(3, 5, 10), Sample(40, 60, 30)]);

        Assert.Equal((2, 43, 65, 2), (merged.Part, merged.Operations, merged.Calls, merged.OperationLatency.Count));
        Assert.Equal(new Counts { Inserted = 43 }, merged.Counts);
        Assert.Equal((0, 0), (PartSample.Merge(0, []).Operations, PartSample.Merge(0, []).OperationLatency.Count));

        static PartSample Sample(long operations, long calls, double ms) => new()
        {
            Part = 2, Counts = new() { Inserted = operations }, Operations = operations, Calls = calls,
            OperationLatency = new LatencyHistogram().With((1, ms)),
        };
    }
}
