namespace ScaleOut.Tests.Shared.Measurement;

public sealed class CountsTests
{
    private static readonly Counts Small = Multiples(1);

    [Fact]
    public void Add_AllCounts_AddsEachToItsOwn() => Assert.Equal(Multiples(5), Small + Multiples(4));

    [Fact]
    public void Subtract_AllCounts_TakesEachFromItsOwn() => Assert.Equal(Multiples(3), Multiples(4) - Small);

    [Fact]
    public void Sum_SeveralParts_IsThatOfAll() => Assert.Equal(Multiples(7), Counts.Sum([Small, Multiples(2), Multiples(4)]));

    [Fact]
    public void Done_AllOutcomes_IsTheirSum() => Assert.Equal((6, null), (Small.Done, default(Counts).ThrottledShare));

    [Fact]
    public void ThrottledShare_AnyAttempts_IsThrottledOverAttempts() =>
        Assert.Equal(0.25, new Counts { Attempts = 8, Throttled = 2 }.ThrottledShare);

    [Fact]
    public void Rates_FromCounts_AreThoseOfASecond()
    {
        Assert.Equal(new Rates(Documents: 1.5, Throttled: 1.75, RequestUnits: 3.375), Rates.From(Small, seconds: 4));
        Assert.Equal(default, Rates.From(Small, seconds: 0));
        Assert.Equal(new Rates(12, 14, 27), Rates.From(Small, seconds: 0.5));
    }

    [Fact]
    public void Rates_Operators_WorkOnEachRate()
    {
        var (large, small) = (new Rates(20, 30, 40), new Rates(1, 2, 4));

        Assert.Equal(new Rates(21, 32, 44), large + small);
        Assert.Equal(new Rates(19, 28, 36), large - small);
        Assert.Equal(new Rates(5, 7.5, 10), large * 0.25);
        Assert.Equal(new Rates(1.23, 4.57, 8.9), new Rates(1.234, 4.567, 8.901).Rounded());
    }

    /// <summary>Every count has a value of its own, so that two that are mixed up differ.</summary>
    private static Counts Multiples(int factor) => new()
    {
        Inserted = factor,
        AlreadyPresent = 2 * factor,
        Failed = 3 * factor,
        Attempts = 50 * factor,
        Throttled = 7 * factor,
        Errors = 11 * factor,
        RequestUnits = RequestUnits.From(13.5 * factor),
        ThrottledRequestUnits = RequestUnits.From(17.25 * factor),
        Bytes = 19 * factor,
    };
}
