using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Tests.Analysis.Reports;

public sealed class FailIfUnitsTests
{
    private static readonly Dictionary<string, double?> Values = new()
    {
        ["throttledShare"] = 0.25,
        ["p99"] = 50,
        ["latencyMs.operation.p99"] = 50,
        ["throughput.makespanSeconds"] = 90,
        ["lostLegs"] = 2,
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
    public void Holds_NumberWithUnit_IsComparedInTheUnitOfTheName(string text, bool expected)
    {
        Assert.True(FailIfExpression.TryParse(text, out var expression, out var error), error?.ToString());
        Assert.Equal(expected, expression.Holds(Values));
    }

    [Theory]
    [InlineData("throttledShare<10ms", 16, "'throttledShare' is not a time")]
    [InlineData("p99<1%", 5, "'p99' is not a share")]
    [InlineData("lostLegs > 5%", 12, "'lostLegs' is not a share")]
    [InlineData("lostLegs<2s", 10, "'lostLegs' is not a time")]
    [InlineData("1ms<2", 1, "is compared with a name")]
    [InlineData("p99<10mss", 7, "expected '&&'")]
    public void Parse_UnitThatDoesNotFit_IsAnErrorAtTheNumber(string text, int position, string message)
    {
        Assert.False(FailIfExpression.TryParse(text, out _, out var error));
        Assert.Equal(position, error.Position);
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Unmet_NamesTheComparisonsThatKeepItFromHolding()
    {
        const string Text = "p99 < 10ms && (lostLegs==2 || throttledShare<1%) && throttledShare<5%";
        Assert.True(FailIfExpression.TryParse(Text, out var condition, out _));

        Assert.Equal(["p99 < 10ms", "throttledShare<5%"], condition.Unmet(Values));
        Assert.True(FailIfExpression.TryParse("lostLegs==2", out var holds, out _));
        Assert.Empty(holds.Unmet(Values));
    }
}
