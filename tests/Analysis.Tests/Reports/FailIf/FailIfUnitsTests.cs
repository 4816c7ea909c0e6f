using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Tests.Analysis.Reports.FailIf;

public sealed class FailIfUnitsTests
{
    private static readonly Dictionary<string, double?> Values = new()
    {
        ["throttledShare"] = 0.25, ["p99"] = 50, ["latencyMs.operation.p99"] = 50, ["throughput.makespanSeconds"] = 90, ["lostLegs"] = 2,
    };

    [Theory]
    [InlineData("p99<50.1ms", true)]
    [InlineData("p99<49ms", false)]
    [InlineData("p99 < 0.051s", true)]
    [InlineData("50000us == latencyMs.operation.p99", true)]
    [InlineData("throughput.makespanSeconds==1.5min", true)]
    [InlineData("throughput.makespanSeconds<90001ms", true)]
    [InlineData("throttledShare>24.9% && p99<1s", true)]
    [InlineData("throttledShare>25%", false)]
    [InlineData("p99 < 51 ms", true)]
    [InlineData("p99<49 MS", false)]
    [InlineData("THROTTLEDSHARE > 24.9 %", true)]
    [InlineData("latencyms.operation.P99 == 50Ms", true)]
    public void Holds_NumberWithUnit_IsComparedInTheUnitOfTheName(string text, bool expected)
    {
        var reading = FailIfExpression.Parse(text, Values.Keys);
        Assert.Empty(reading.Errors);
        Assert.Equal(expected, reading.Value!.Holds(Values));
    }

    [Theory]
    [InlineData("throttledShare<10ms", 16, "'throttledShare' is not a time")]
    [InlineData("p99<1%", 5, "'p99' is not a share")]
    [InlineData("lostLegs > 5%", 12, "'lostLegs' is not a share")]
    [InlineData("lostLegs<2s", 10, "'lostLegs' is not a time")]
    [InlineData("1ms<2", 1, "is allowed only beside a name, as in p99<20ms")]
    [InlineData("p99<10mss", 7, "expected '&&'")]
    public void Parse_UnitThatDoesNotFit_IsAnErrorAtTheNumber(string text, int position, string message)
    {
        var error = Assert.Single(FailIfExpression.Parse(text).Errors);
        Assert.Equal($"position {position}", error.Path);
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    /// <summary>A kind of operation stands before a short name, which says the unit.</summary>
    [Fact]
    public void Holds_ShortNameOfAKind_HasTheUnitOfTheShortName()
    {
        var names = ConditionName.OfKind(WorkloadKind.Insert).Concat(ConditionName.OfKind(WorkloadKind.Read)).ToList();
        Assert.Equal(2 * 9, names.Count);
        var values = names.ToDictionary(name => name, name => (double?)null);
        (values["insert.p99"], values["read.throttledShare"]) = (14.9, 0.02);
        var condition = FailIfExpression.Parse("INSERT.p99 < 15ms && read.throttledShare<3%", names).Value!;
        Assert.Empty(condition.UnknownNames(names));
        Assert.True(condition.Holds(values));
        Assert.False(FailIfExpression.Parse("insert.p99<0.0149s", names).Value!.Holds(values));
        Assert.Equal([("insert.p99", 15), ("read.throttledShare", 0.03)], condition.UpperBounds);
    }

    [Fact]
    public void Unmet_Condition_NamesTheComparisonsThatDoNotHold()
    {
        var condition = FailIfExpression.Parse("p99 < 10ms && (lostLegs==2 || throttledShare<1%) && throttledShare<5%").Value!;
        Assert.Equal(["p99 < 10ms", "throttledShare<5%"], condition.Unmet(Values).Select(one => one.Text));
        Assert.Empty(FailIfExpression.Parse("lostLegs==2").Value!.Unmet(Values));
    }
}
