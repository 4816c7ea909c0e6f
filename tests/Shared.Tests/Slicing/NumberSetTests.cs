using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Slicing;

public sealed class NumberSetTests
{
    private static readonly Arbitrary<NumberRange[]> AnyRanges =
        Gen.Choose(0, 40).Zip(Gen.Choose(-2, 9))
            .Select(pair => new NumberRange(pair.Item1, pair.Item2)).ArrayOf().ToArbitrary();

    [Fact]
    public void From_AnyRanges_IsTheirUnionInOrder() => Properties.Holds(Prop.ForAll(AnyRanges, ranges =>
    {
        var set = NumberSet.From(ranges);
        var expected = Naive(ranges);
        return set.SequenceEqual(expected) && set.Count == expected.Count
            && Enumerable.Range(-1, 60).All(number => set.Contains(number) == expected.Contains(number))
            && set.End == (expected.Count > 0 ? expected.Max + 1 : 0)
            && set.Ranges.Zip(set.Ranges.Skip(1)).All(pair => pair.First.End < pair.Second.First);
    }));

    [Fact]
    public void Intersect_AnyTwo_IsWhatIsInBoth() => Properties.Holds(Prop.ForAll(AnyRanges, AnyRanges, (one, other) =>
    {
        var both = NumberSet.From(one).Intersect(NumberSet.From(other));
        return both.SequenceEqual(Naive(one).Intersect(Naive(other))) && both.Ranges.All(range => range.Count > 0);
    }));

    [Fact]
    public void StartingAt_AnyNumber_KeepsThoseFromItOn() => Properties.Holds(Prop.ForAll(
        AnyRanges, Gen.Choose(-1, 50).ToArbitrary(), (ranges, from) =>
    {
        var left = NumberSet.From(ranges).StartingAt(from);
        return left.SequenceEqual(Naive(ranges).Where(number => number >= from)) && left.Ranges.All(range => range.Count > 0);
    }));

    [Fact]
    public void From_RangesOfYears_CostsNothing()
    {
        var years = NumberSet.From([new NumberRange(0, 1_000_000_000_000), new NumberRange(2_000_000_000_000, 1_000_000_000_000)]);
        var others = NumberSet.From([new NumberRange(2_500_000_000_000, 6_500_000_000_000)]);
        Assert.Equal((2_000_000_000_000, 500_000_000_000), (years.Count, years.Intersect(others).Count));
    }

    [Fact]
    public void Ranges_NeighboursInAnyOrder_AreOneRange() =>
        Assert.Equal(
            [new NumberRange(0, 3), new NumberRange(10, 20)], NumberSet.From([new(20, 10), new(2, 1), new(10, 10), new(0, 2)]).Ranges);

    private static SortedSet<long> Naive(IEnumerable<NumberRange> ranges) =>
        [.. ranges.SelectMany(range => Enumerable.Range((int)range.First, (int)Math.Max(0, range.Count)).Select(number => (long)number))];
}
