namespace ScaleOut.Tests.Analysis.Reports;

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
        Assert.Equal(
            BoundBy.Machine, BoundByRule.Decide(Everything with { RequestUnits = 0, PartitionSecondsAtLimit = null, Client = 0.79 }));
        Assert.Equal(BoundBy.Rate, BoundByRule.Decide(new() { Machine = 0.89, KeptSchedule = true }));
        Assert.Equal(BoundBy.Latency, BoundByRule.Decide(new() { KeptSchedule = false }));
        Assert.Equal(BoundBy.Latency, BoundByRule.Decide(new()));
    }
}
