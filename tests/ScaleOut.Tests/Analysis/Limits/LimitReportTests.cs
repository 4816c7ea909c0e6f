namespace ScaleOut.Tests.Analysis.Limits;

public sealed class LimitReportTests
{
    private static readonly RunReport Throttled = LimitSample.Run(
        1_037, 1_000, BoundBy.RequestUnits, p99: 900, mean: 60, throttledShare: 0.06, used: new Utilization { RequestUnits = 0.99 });

    [Fact]
    public void Judge_DefaultCondition_NamesWhatIsNotMet()
    {
        var condition = LimitCondition.From(new LimitSpec());
        MeasuredRun Of(RunReport? report) => condition.Judge(new MeasuredRun { Rate = 1_037, Repeat = 1, RunId = "run" }, report);

        Assert.Equal((true, null), (Of(LimitSample.Run(1_037)).Held, Of(LimitSample.Run(1_037)).Reason));
        Assert.Equal((false, "throttledShare<0.01"), (Of(Throttled).Held, Of(Throttled).Reason));
        Assert.Equal("achievedShare>=0.95", Of(LimitSample.Run(1_037, achieved: 900)).Reason);
        Assert.Equal("errors==0", Of(LimitSample.Run(1_037, errors: 1)).Reason);
        Assert.Null(Of(null).Held);
        Assert.NotNull(Of(null).Reason);
    }

    [Theory]
    [InlineData("p99<10ms", "achievedShare>=0.95 && (p99<10ms)")]
    [InlineData("p99<10ms || lostLegs==1", "achievedShare>=0.95 && (p99<10ms || lostLegs==1)")]
    [InlineData("achievedShare>0.5", "achievedShare>0.5")]
    public void Condition_AlwaysSaysHowMuchIsToBeAchieved(string until, string whole) =>
        Assert.Equal(whole, LimitCondition.Parse(until).Value!.Text);

    [Fact]
    public void Condition_UnknownName_IsAnErrorWithTheNearestOne()
    {
        var (condition, errors) = LimitCondition.Parse("throttledShar<0.01");

        Assert.Null(condition);
        Assert.Contains("throttledShare", Assert.Single(errors).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Headline_RequestUnits_SaysRateIntervalCauseAndLoad()
    {
        var report = LimitSample.Build(Throttled);

        Assert.Equal(LimitCause.RequestUnits, report.Limit.StoppedBy);
        Assert.Equal((993.2, 993.2, 1_037.0), (report.Limit.Rate, report.Limit.Low, report.Limit.High));
        Assert.Equal(
            "993.2 inserts/s hold (95% interval 993.2 to 1,037/s); stopped by request units: 99% of 60,000 RU/s used, 6.0% of the attempts "
            + "throttled; by 2 workers with about 4.97 of 20 operations in flight.",
            report.Limit.Text);
        Assert.Equal(
            [(100.0, LimitVerdict.Holds, 1, 0), (993.2, LimitVerdict.Holds, 2, 0), (1_037.0, LimitVerdict.Fails, 0, 2)],
            report.Steps.Select(step => (step.Rate, step.Verdict, step.Held, step.Failed)));
    }

    [Theory]
    [InlineData(BoundBy.Machine, 0.9, 5, LimitCause.Machine)]
    [InlineData(BoundBy.Client, 0.9, 5, LimitCause.Client)]
    [InlineData(BoundBy.Partition, 0.9, 5, LimitCause.Partition)]
    [InlineData(BoundBy.Latency, 0.9, 50, LimitCause.InFlight)]
    [InlineData(BoundBy.Rate, 1, 5, LimitCause.Latency)]
    public void Cause_FollowsFromWhatBoundTheFailingRuns(BoundBy bound, double achievedShare, double mean, LimitCause expected)
    {
        var report = LimitSample.Build(
            LimitSample.Run(1_037, achievedShare * 1_037, bound, p99: 12, mean, used: new Utilization { Machine = 0.97, Client = 0.85 }),
            until: "p99<10ms");

        Assert.Equal(expected, report.Limit.StoppedBy);
        Assert.Equal(
            expected == LimitCause.Machine, report.Limit.Text.Contains("about this machine, not Cosmos DB", StringComparison.Ordinal));
    }

    [Fact]
    public void Cause_ErrorsAndThrottling_AreNamedByTheCondition()
    {
        Assert.Equal(LimitCause.Errors, LimitSample.Build(LimitSample.Run(1_037, errors: 3)).Limit.StoppedBy);
        Assert.Equal(LimitCause.Throttling, LimitSample.Build(LimitSample.Run(1_037, throttledShare: 0.02)).Limit.StoppedBy);
    }

    /// <summary>By the names that the condition compares, not by words that its text happens to have.</summary>
    [Fact]
    public void Cause_ConditionOfAnotherNumber_IsTheCondition()
    {
        var report = LimitSample.Build(LimitSample.Run(1_037, throttledShare: 0.5), until: "requestUnits.perInsert<1 && p99<1s");

        Assert.Equal(LimitCause.Condition, report.Limit.StoppedBy);
        Assert.Equal(
            [LimitCause.Throttling, LimitCause.Errors, LimitCause.Latency, LimitCause.Condition],
            new[] { "requests.throttled", "documents.failed", "latencyMs.attempt.p99", "requestUnits.warmup" }
                .Select(LimitNumbers.CauseOf));
    }

    [Fact]
    public void State_FollowsFromTheEnd()
    {
        Assert.Equal(ExperimentState.Complete, LimitSample.Build(Throttled).State);
        Assert.Equal(ExperimentState.Stopped, LimitSample.Build(Throttled, end: LimitEnd.Stopped).State);
        Assert.Equal(ExperimentState.Incomplete, LimitSample.Build(Throttled, end: LimitEnd.GivenUp).State);
    }
}
