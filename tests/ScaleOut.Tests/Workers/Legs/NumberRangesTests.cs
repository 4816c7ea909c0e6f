using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Slicing;
using ScaleOut.Workers.Legs;

namespace ScaleOut.Tests.Workers.Legs;

public sealed class NumberRangesTests
{
    [Fact]
    public void Join_NeighboursInAnyOrder_BecomeOneRange() =>
        Assert.Equal([new Slice(0, 3), new Slice(10, 20)], NumberRanges.Join([new Slice(20, 10), new Slice(2, 1), new Slice(10, 10), new Slice(0, 2)]));

    [Fact]
    public void Contains_ForAnySetOfNumbers_IsTrueForThoseAlone() => Prop.ForAll(
        Gen.Choose(0, 60).ListOf().Select(list => list.ToHashSet()).ToArbitrary(),
        numbers =>
        {
            var ranges = new NumberRanges(NumberRanges.Join(numbers.Select(number => new Slice(number, 1))));
            return Enumerable.Range(-1, 63).All(number => ranges.Contains(number) == numbers.Contains(number));
        }).QuickCheckThrowOnFailure();
}
