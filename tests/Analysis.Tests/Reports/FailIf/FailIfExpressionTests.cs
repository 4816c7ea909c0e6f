using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Tests.Analysis.Reports.FailIf;

public sealed class FailIfExpressionTests
{
    private static readonly Dictionary<string, double?> Values = new()
    {
        ["throttledShare"] = 0.25, ["documents.failed"] = 0, ["documents.verified"] = null, ["lostLegs"] = 2,
        ["valid"] = 1, ["latencyMs.operation.p99"] = 50, ["latencyMs.attempt.p99"] = double.NaN, ["workers[0].cpuSeconds"] = 1.5,
    };

    [Theory]
    [InlineData("throttledShare>0.05", true)]
    [InlineData("throttledShare > 0.25", false)]
    [InlineData("throttledShare >= .25", true)]
    [InlineData("lostLegs<2", false)]
    [InlineData("lostLegs<=2e0", true)]
    [InlineData("lostLegs==2", true)]
    [InlineData("lostLegs!=2", false)]
    [InlineData("-1 < documents.failed", true)]
    [InlineData("lostLegs > documents.failed", true)]
    [InlineData("workers[0].cpuSeconds == 1.5", true)]
    [InlineData("latencyMs.operation.p99>=50 || documents.failed>0 && lostLegs>0", true)]
    [InlineData("(latencyMs.operation.p99>=50 || documents.failed>0) && lostLegs>2", false)]
    [InlineData("documents.failed>0 && lostLegs>0 || throttledShare>0.2", true)]
    [InlineData("((lostLegs>0))", true)]
    [InlineData("documents.verified<1", false)]
    [InlineData("documents.verified!=1", false)]
    [InlineData("documents.verified==documents.verified", false)]
    [InlineData("latencyMs.attempt.p99!=1", false)]
    [InlineData("valid", true)]
    [InlineData("!valid", false)]
    [InlineData("! valid || lostLegs>0", true)]
    [InlineData("(valid) && throttledShare>0.2", true)]
    [InlineData("valid==0", false)]
    [InlineData("valid != 0", true)]
    public void Holds_Condition_FollowsTheNumbers(string text, bool expected) =>
        Assert.Equal(expected, FailIfExpression.Parse(text).Value!.Holds(Values));

    [Theory]
    [InlineData("", 1, "expected a name such as throttledShare, or a number, found the end")]
    [InlineData("throttledShare", 15, "expected >, >=, <, <=, == or !=, found the end")]
    [InlineData("throttledShare = 5", 16, "expected >, >=, <, <=, == or !=, found \"= 5\"")]
    [InlineData("lostLegs > ", 12, "expected a name such as throttledShare, or a number, found the end")]
    [InlineData("lostLegs > 5#", 13, "expected '&&', '||' or the end, found \"#\"")]
    [InlineData("lostLegs > 0 & 1", 14, "expected '&&', '||' or the end, found \"& 1\"")]
    [InlineData("lostLegs > 0)", 13, "there is no '(' for this ')', found \")\"")]
    [InlineData("(lostLegs > 0", 14, "expected ')' for the '(' at position 1, found the end")]
    [InlineData("lostLegs > 0 && ", 17, "expected a name such as throttledShare, or a number, found the end")]
    [InlineData("!lostLegs > 0", 2, "only a name that is yes or no, such as valid, stands after '!'")]
    [InlineData("!valid==1", 7, "expected '&&', '||' or the end, found \"==1\"")]
    [InlineData("p99<1e308ms", 5, "1e308ms is out of range: 0, or 1e-9 to 1e15")]
    [InlineData("p99<1e-300s", 5, "1e-300s is out of range: 0, or 1e-9 to 1e15")]
    [InlineData("lostLegs > 1e400", 12, "1e400 is out of range: 0, or 1e-9 to 1e15")]
    [InlineData("-1e16 < documents.verified", 1, "-1e16 is out of range: 0, or 1e-9 to 1e15")]
    [InlineData("1 < lostLegs < 3", 14, "expected '&&', '||' or the end, found \"< 3\"")]
    public void Parse_SyntaxError_SaysWhereAndWhat(string text, int position, string message)
    {
        var reading = FailIfExpression.Parse(text);
        Assert.Null(reading.Value);
        Assert.Equal($"position {position}: {message}", Assert.Single(reading.Errors).ToString());
    }

    [Theory]
    [InlineData("latencyMs.operation.p99>20ms", "latencyMs.operation.p99 is 50 ms")]
    [InlineData("throttledShare>5% || lostLegs>0 && throttledShare>1%", "throttledShare is 25%, lostLegs is 2")]
    [InlineData("!valid || documents.verified<1", "valid is true, documents.verified is not measured")]
    public void Describe_Condition_HasTheFiguresInTheirUnits(string text, string judged) =>
        Assert.Equal(judged, FailIfExpression.Parse(text).Value!.Describe(Values));

    [Fact]
    public void Parse_DeepNesting_IsAnError()
    {
        var error = Assert.Single(FailIfExpression.Parse(new string('(', 100_000)).Errors);
        Assert.Equal("position 101: more than 100 parentheses within each other", error.ToString());
        Assert.NotNull(FailIfExpression.Parse(string.Join("&&", Enumerable.Repeat("(1>0)", 1_000))).Value);
    }

    [Theory]
    [InlineData("throttleShare>0", "position 1: unknown name 'throttleShare'; did you mean throttledShare?")]
    [InlineData("1>0 && p99>50", "position 8: unknown name 'p99'; did you mean latencyMs.attempt.p99 or latencyMs.operation.p99?")]
    [InlineData("lost_legs>0", "position 1: unknown name 'lost_legs'; did you mean lostLegs?")]
    [InlineData("colour>0", "position 1: unknown name 'colour'")]
    public void UnknownNames_MisspeltName_SuggestsTheNearest(string text, string error)
    {
        var expression = FailIfExpression.Parse(text).Value!;
        Assert.Equal(error, Assert.Single(expression.UnknownNames(Values.Keys)).ToString());
        Assert.Contains(error, Assert.Throws<ArgumentException>(() => expression.Holds(Values)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Holds_RandomCondition_AgreesWithDirectEvaluation() => Properties.Holds(Prop.ForAll(
        Gen.Choose(0, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var (text, expected) = Condition(random, depth: 4);
            var reading = FailIfExpression.Parse(text);
            Assert.True(reading.Value is not null, $"{text}: {string.Join("; ", reading.Errors)}");
            Assert.Equal(expected, reading.Value!.Holds(Values));
        }),
        cases: 500);

    [Fact]
    public void Parse_RandomText_NeverThrows() => Properties.Holds(Prop.ForAll(
        Gen.Elements("(", ")", "&&", "||", ">", "=", "!", "a.b", "1", " ", "[0]", "é", ".").ListOf().Select(string.Concat).ToArbitrary(),
        text => FailIfExpression.Parse(text) switch
        {
            { Value: { } expression, Errors.Count: 0 } => expression.Text == text,
            { Value: null, Errors: [var error] } => int.Parse(error.Path["position ".Length..], CultureInfo.InvariantCulture)
                is var position && position >= 1 && position <= text.Length + 1,
            _ => false,
        }),
        cases: 1_000);

    private static (string Text, bool Holds) Condition(Random random, int depth)
    {
        if (depth == 0 || random.Next(4) == 0)
            return Comparison(random);
        var (left, leftHolds) = Condition(random, depth - 1);
        var (right, rightHolds) = Condition(random, depth - 1);
        return random.Next(2) == 0
            ? ($"({left})&&({right})", leftHolds && rightHolds)
            : ($"( {left} ) || ( {right} )", leftHolds || rightHolds);
    }

    private static (string Text, bool Holds) Comparison(Random random)
    {
        var (name, value) = Values.Where(pair => pair.Value is null or not double.NaN).ElementAt(random.Next(Values.Count - 1));
        var number = random.Next(-1, 3) / 4.0;
        var text = number.ToString(CultureInfo.InvariantCulture);
        return random.Next(4) switch
        {
            0 => ($"{name} > {text}", value > number),
            1 => ($"{name}<={text}", value <= number),
            2 => ($"{text} < {name}", number < value),
            _ => ($"{name}=={text}", value == number),
        };
    }
}
