namespace ScaleOut.Tests.Analysis.Reports.Building;

public sealed class BoundByRuleTests
{
    private static readonly Utilization Everything = new()
    {
        RequestUnits = 0.95, PartitionSecondsAtLimit = 0.5, Client = 0.8, Machine = 0.9, KeptSchedule = true,
    };

    [Fact]
    public void Decide_SeveralLimitsReached_NamesTheFirstInOrder()
    {
        Assert.Equal(BoundBy.RequestUnits, BoundByRule.Decide(Everything));
        Assert.Equal(BoundBy.Partition, BoundByRule.Decide(Everything with { RequestUnits = 0.949 }));
        Assert.Equal(BoundBy.Client, BoundByRule.Decide(Everything with { RequestUnits = null, PartitionSecondsAtLimit = 0.49 }));
        var machine = Everything with { RequestUnits = 0, PartitionSecondsAtLimit = null, Client = 0.79 };
        Assert.Equal(BoundBy.Machine, BoundByRule.Decide(machine with { KeptSchedule = false }));
        Assert.Equal(BoundBy.Rate, BoundByRule.Decide(machine with { KeptSchedule = true }));
        Assert.Equal(BoundBy.Rate, BoundByRule.Decide(new() { Machine = 0.89, KeptSchedule = true }));
        Assert.Equal(BoundBy.Latency, BoundByRule.Decide(new() { KeptSchedule = false }));
        Assert.Equal(BoundBy.Latency, BoundByRule.Decide(new()));
    }

    [Fact]
    public void Decide_ThrottlingOfOnePartition_IsNamedIfNothingElseBoundTheRun()
    {
        var throttled = new Utilization { RequestUnits = 0.21, PartitionSecondsAtLimit = 0, PartitionThrottledShare = 0.31 };
        Assert.Equal(BoundBy.Partition, BoundByRule.Decide(throttled));
        Assert.Equal(BoundBy.Latency, BoundByRule.Decide(throttled with { PartitionThrottledShare = 0.049 }));
        Assert.Equal(BoundBy.Client, BoundByRule.Decide(throttled with { Client = 0.9 }));
        Assert.Equal(BoundBy.Rate, BoundByRule.Decide(throttled with { KeptSchedule = true }));
    }

    /// <summary>Bulk that waits for the SDK's timer sends its documents in bursts: 14% were throttled at 76% of the RU/s.</summary>
    [Fact]
    public void Decide_ThrottlingOfAllPartitions_IsRequestUnitsIfNothingElseBoundTheRun()
    {
        var bursts = new Utilization { RequestUnits = 0.76, PartitionSecondsAtLimit = 0.1, ThrottledAttempts = 0.14 };
        Assert.Equal(BoundBy.RequestUnits, BoundByRule.Decide(bursts));
        Assert.Equal(BoundBy.Latency, BoundByRule.Decide(bursts with { ThrottledAttempts = 0.049 }));
        Assert.Equal(BoundBy.Partition, BoundByRule.Decide(bursts with { PartitionThrottledShare = 0.1 }));
        Assert.Equal(BoundBy.Machine, BoundByRule.Decide(bursts with { Machine = 0.9 }));
        Assert.Equal(BoundBy.Rate, BoundByRule.Decide(bursts with { KeptSchedule = true }));
    }

    [Fact]
    public void Decide_MostSecondsHaveErrors_JudgesNothingElse()
    {
        Assert.Equal(BoundBy.Errors, BoundByRule.Decide(Everything with { ErrorSeconds = 0.5 }));
        Assert.Equal(BoundBy.RequestUnits, BoundByRule.Decide(Everything with { ErrorSeconds = 0.49 }));
    }
}
