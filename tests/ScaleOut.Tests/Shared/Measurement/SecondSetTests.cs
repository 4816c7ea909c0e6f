using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Measurement;

public sealed class SecondSetTests
{
    private static readonly Arbitrary<SecondRange[]> AnyRanges =
        Gen.Choose(0, 40).Zip(Gen.Choose(-2, 9))
            .Select(pair => new SecondRange(pair.Item1, pair.Item1 + pair.Item2)).ArrayOf().ToArbitrary();

    [Fact]
    public void From_AnyRanges_IsTheirUnionInOrder() => Properties.Holds(Prop.ForAll(AnyRanges, ranges =>
    {
        var set = SecondSet.From(ranges);
        var expected = Naive(ranges);
        return set.SequenceEqual(expected) && set.Count == expected.Count
            && Enumerable.Range(-1, 60).All(second => set.Contains(second) == expected.Contains(second))
            && set.Ranges.Zip(set.Ranges.Skip(1)).All(pair => pair.First.To < pair.Second.From);
    }));

    [Fact]
    public void Intersect_AnyTwo_IsWhatIsInBoth() => Properties.Holds(Prop.ForAll(AnyRanges, AnyRanges, (one, other) =>
        SecondSet.From(one).Intersect(SecondSet.From(other)).SequenceEqual(Naive(one).Intersect(Naive(other)))));

    [Fact]
    public void StartingAt_AnySecond_KeepsThoseFromItOn() => Properties.Holds(Prop.ForAll(
        AnyRanges, Gen.Choose(-1, 50).ToArbitrary(), (ranges, from) =>
        SecondSet.From(ranges).StartingAt(from).SequenceEqual(Naive(ranges).Where(second => second >= from))));

    [Fact]
    public void From_RangesOfYears_CostsNothing()
    {
        var years = SecondSet.From([new SecondRange(0, 1_000_000_000_000), new SecondRange(2_000_000_000_000, 3_000_000_000_000)]);
        var others = SecondSet.From([new SecondRange(2_500_000_000_000, 9_000_000_000_000)]);
        Assert.Equal((2_000_000_000_000, 500_000_000_000), (years.Count, years.Intersect(others).Count));
    }

    private static SortedSet<long> Naive(IEnumerable<SecondRange> ranges) =>
        [.. ranges.SelectMany(range => Enumerable.Range((int)range.From, (int)Math.Max(0, range.Count)).Select(second => (long)second))];
}
