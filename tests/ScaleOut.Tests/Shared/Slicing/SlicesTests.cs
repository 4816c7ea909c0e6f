using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Slicing;

public sealed class SlicesTests
{
    [Fact]
    public void Cut_DividesEvenly_GivesEqualSlices() => Assert.Equal(
        [new Slice(0, 250_000), new Slice(250_000, 250_000), new Slice(500_000, 250_000), new Slice(750_000, 250_000)],
        Slices.Cut(1_000_000, 4, 1));

    [Fact]
    public void Cut_Remainder_GoesToTheFirst() => Assert.Equal([new Slice(0, 4), new Slice(4, 3), new Slice(7, 3)], Slices.Cut(10, 3, 1));

    [Fact]
    public void Cut_Batches_LeavesTheShortOneToTheLast() =>
        Assert.Equal([new Slice(0, 200), new Slice(200, 100), new Slice(300, 50)], Slices.Cut(350, 3, 100));

    [Fact]
    public void Cut_FewerUnitsThanWorkers_GivesEmptySlicesAtTheEnd() =>
        Assert.Equal([new Slice(0, 100), new Slice(100, 20), new Slice(120, 0)], Slices.Cut(120, 3, 100));

    [Fact]
    public void Cut_Any_CoversAllNumbersOnceOnUnitBoundariesInSimilarSizes() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, 1_000_000).ToArbitrary(), Gen.Choose(1, 1_000).ToArbitrary(), Gen.Choose(1, 100).ToArbitrary(),
        (documents, workers, unit) =>
        {
            var slices = Slices.Cut(documents, workers, unit);
            var units = slices.Select(slice => (slice.Count + unit - 1) / unit).ToList();
            return slices.Count == workers
                && slices[0].First == 0
                && slices[^1].End == documents
                && slices.Zip(slices.Skip(1)).All(pair => pair.First.End == pair.Second.First)
                && slices.All(slice => slice.Count >= 0 && (slice.First % unit == 0 || slice.Count == 0))
                && units.Max() - units.Min() <= 1;
        }));

    [Theory]
    [InlineData(0, 1, 1)]
    [InlineData(1, 0, 1)]
    [InlineData(1, 1, 0)]
    public void Cut_ArgumentBelowOne_Throws(long documents, int workers, int unit) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Slices.Cut(documents, workers, unit));
}
