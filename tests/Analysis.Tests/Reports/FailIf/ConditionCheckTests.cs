using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Tests.Analysis.Reports.FailIf;

public sealed class ConditionCheckTests
{
    [Theory]
    [InlineData("throttledShare<5", "always holds", "from 0 to 1", "5 is 500%", "did you mean throttledShare<5%?")]
    [InlineData("achievedShare>=95", "never holds", "from 0 to 1", "95 is 9500%", "did you mean achievedShare>=95%?")]
    [InlineData("5 > throttledShare", "always holds", "did you mean throttledShare<5%?")]
    [InlineData("throttledShare<500%", "always holds", "from 0 to 1")]
    [InlineData("throttledShare<=100%", "always holds")]
    [InlineData("utilization.requestUnits>80", "never holds", "did you mean utilization.requestUnits>80%?")]
    [InlineData("p99<0ms", "never holds", "not below 0")]
    [InlineData("errors<0", "never holds", "did you mean errors==0?")]
    [InlineData("errors>=0", "always holds", "did you mean errors>0?")]
    [InlineData("documents.failed>-1", "always holds")]
    [InlineData("insert.throttledShare<2", "always holds", "did you mean insert.throttledShare<2%?")]
    [InlineData("partition.throttledShare<2", "always holds", "did you mean partition.throttledShare<2%?")]
    [InlineData("valid>1", "never holds", "from 0 to 1")]
    [InlineData("1<2", "'1<2' compares two numbers and always holds")]
    [InlineData("p99<20ms && p99>30ms", "never holds", "exclude each other")]
    [InlineData("p99<20ms || p99>10ms", "always holds")]
    [InlineData("errors>0 && (p99<20ms && throttledShare>2% || p99<30ms) && errors<=0", "never holds")]
    public void Constants_AlwaysOrNeverTrue_SayWhatWasProbablyMeant(string text, params string[] parts)
    {
        var error = Assert.Single(FailIfExpression.Parse(text).Value!.Constants());
        AssertText.Has(error.ToString(), parts);
    }

    [Theory]
    [InlineData("throttledShare<5%")]
    [InlineData("throttledShare<1")]
    [InlineData("throttledShare>0.05 || errors>0")]
    [InlineData("p99<20ms && p99>10ms")]
    [InlineData("p99>20ms && throttledShare<1% || p99<=20ms && throttledShare>=1%")]
    [InlineData("utilization.requestUnits>=1.02")]
    [InlineData("documents.verified<0")]
    [InlineData("published.spearman<0")]
    [InlineData("lostLegs > documents.failed")]
    [InlineData("rate<5000")]
    public void Constants_DependsOnTheFigures_AreNone(string text) =>
        Assert.Empty(FailIfExpression.Parse(text).Value!.Constants());

    [Fact]
    public void Constants_SeveralParts_AreAllNamed() =>
        Assert.Equal(
            ["position 1", "position 38"],
            FailIfExpression.Parse("throttledShare<5 && p99<20ms     && (errors>=0 || lostLegs>0)").Value!.Constants()
                .Select(error => error.Path));

    /// <summary>The number of combinations grows with each name; a long condition still ends soon.</summary>
    [Fact]
    public void Constants_ManyNames_GivesUp()
    {
        var text = string.Join(" && ", Enumerable.Range(0, 200).Select(one => $"name{one}<1 && name{one}>2"));
        Assert.Empty(FailIfExpression.Parse(text).Value!.Constants());
    }

    [Theory]
    [InlineData("p99>20ms", "did you mean p99<20ms?")]
    [InlineData("20ms <= insert.p99", "did you mean insert.p99<20ms?")]
    [InlineData("throttledShare>1% && p99<20ms", "did you mean throttledShare<1%?")]
    [InlineData("partition.throttledShare>1%", "did you mean partition.throttledShare<1%?")]
    [InlineData("achievedShare<0.9", "did you mean achievedShare>=0.9?")]
    [InlineData("throttledShare<5", "did you mean throttledShare<5%?")]
    public void Until_OppositeOfABound_IsAnErrorThatSaysWhatWasMeant(string until, string meant)
    {
        var reading = LimitCondition.Parse(until, [.. LimitNumbers.Names, .. LimitNumbers.NamesOf(WorkloadKind.Insert)]);
        Assert.Null(reading.Value);
        Assert.Contains(meant, Assert.Single(reading.Errors).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Until_AnyCaseAndSpaces_IsJudgedAsWritten()
    {
        var condition = LimitCondition.Parse(" P99 < 20 MS && Throttledshare < 1 % ").Value!;
        Assert.Equal(20, condition.LatencyBoundMs);
        var numbers = LimitNumbers.Names.ToDictionary(name => name, double? (_) => 0);
        (numbers["achievedShare"], numbers["p99"]) = (1, 20);
        Assert.Equal(["p99 is up to 20 ms, not <20 MS"], condition.DescribeUnmet(numbers));
        (numbers["p99"], numbers["throttledShare"]) = (null, 0.053);
        Assert.Equal(["not P99 < 20 MS", "throttledShare is up to 5.3%, not <1 %"], condition.DescribeUnmet(numbers));
        (numbers["p99"], numbers["throttledShare"]) = (19.9, 0);
        Assert.Empty(condition.DescribeUnmet(numbers));
    }

    /// <summary>A search of an earlier version keeps its report.</summary>
    [Fact]
    public void From_ConditionThatIsAnErrorNow_IsStillJudged() =>
        Assert.Equal("achievedShare>=0.95 && (p99>20ms)", LimitCondition.From(new LimitSpec { Until = "p99>20ms" }).Text);
}
