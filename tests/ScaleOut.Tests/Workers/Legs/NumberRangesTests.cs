using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Legs;

public sealed class NumberRangesTests
{
    [Fact]
    public void Join_NeighboursInAnyOrder_BecomeOneRange() =>
        Assert.Equal([new Slice(0, 3), new Slice(10, 20)], NumberRanges.Join(
            [new Slice(20, 10), new Slice(2, 1), new Slice(10, 10), new Slice(0, 2)]));

    [Fact]
    public void Contains_ForAnySetOfNumbers_IsTrueForThoseAlone() => Prop.ForAll(
        Gen.Choose(0, 60).ListOf().Select(list => list.ToHashSet()).ToArbitrary(),
        numbers =>
        {
            var ranges = new NumberRanges(NumberRanges.Join(numbers.Select(number => new Slice(number, 1))));
            return Enumerable.Range(-1, 63).All(number => ranges.Contains(number) == numbers.Contains(number));
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void UnitsFrom_AnyNumber_AreThoseOfTheRangesFromItOn()
    {
        var ranges = new NumberRanges([new Slice(0, 30), new Slice(50, 25)]);

        Assert.Equal([new Slice(20, 10), new Slice(50, 10), new Slice(60, 10), new Slice(70, 5)], ranges.UnitsFrom(20, unit: 10));
        Assert.Equal([new Slice(70, 5)], ranges.UnitsFrom(70, unit: 10));
        Assert.Empty(ranges.UnitsFrom(80, unit: 10));
    }
}
