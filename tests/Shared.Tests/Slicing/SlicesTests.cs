using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Slicing;

public sealed class SlicesTests
{
    [Theory]
    [InlineData(1_000_000, 4, 1, new long[] { 250_000, 250_000, 250_000, 250_000 })]
    // The first workers get the remainder.
    [InlineData(10, 3, 1, new long[] { 4, 3, 3 })]
    // The last worker gets the short batch.
    [InlineData(350, 3, 100, new long[] { 200, 100, 50 })]
    // There are fewer batches than workers.
    [InlineData(120, 3, 100, new long[] { 100, 20, 0 })]
    public void Cut_DocumentsInUnits_GivesSlicesOfSimilarSize(long documents, int workers, int unit, long[] counts) =>
        Assert.Equal(counts, Slices.Cut(documents, workers, unit).Select(slice => slice.Count));

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
