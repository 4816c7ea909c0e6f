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

    /// <summary>Every count has a value of its own, so that two that are mixed up differ.</summary>
    private static Counts Multiples(int factor) => new()
    {
        Inserted = factor,
        AlreadyPresent = 2 * factor,
        Failed = 3 * factor,
        Attempts = 50 * factor,
        Throttled = 7 * factor,
        Errors = 11 * factor,
        RequestUnits = 13.5 * factor,
        ThrottledRequestUnits = 17.25 * factor,
        Bytes = 19 * factor,
    };
}
