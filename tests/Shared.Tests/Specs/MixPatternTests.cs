namespace ScaleOut.Tests.Shared.Specs;

public sealed class MixPatternTests
{
    private static readonly MixSpec Mixed = new() { Insert = 70, Upsert = 4, Patch = 3, Read = 17, Query = 1, Delete = 5 };

    [Fact]
    public void KindOf_EachBlockOfNumbers_HasEachKindAsOftenAsItsWeight()
    {
        var pattern = MixPattern.For(Mixed);

        for (var block = 0; block < 50; block++)
        {
            var kinds = Enumerable.Range(block * 100, 100).CountBy(number => pattern.KindOf(number)).ToDictionary();
            Assert.Equal(Mixed.Weights.ToDictionary(one => one.Kind, one => one.Weight), kinds);
        }
    }

    [Fact]
    public void KindOf_WeightsWithACommonDivisor_IsThatOfTheReducedWeights()
    {
        var large = MixPattern.For(new MixSpec { Insert = 950, Read = 50 });
        var small = MixPattern.For(new MixSpec { Insert = 19, Read = 1 });
        Assert.All(Enumerable.Range(0, 1_000), number => Assert.Equal(small.KindOf(number), large.KindOf(number)));
    }

    /// <summary>A key that repeats with the numbers must not meet only one kind.</summary>
    [Fact]
    public void KindOf_NumbersABlockApart_AreOfAllKinds()
    {
        var pattern = MixPattern.For(new MixSpec { Insert = 95, Read = 5 });
        var reads = Enumerable.Range(0, 20_000).Where(number => pattern.KindOf(number) == WorkloadKind.Read).ToList();
        Assert.Equal(1_000, reads.Count);
        Assert.Equal(20, reads.Select(number => number % 20).Distinct().Count());
        Assert.True(reads.CountBy(number => number % 20).All(place => place.Value is > 20 and < 90), "The reads are bunched.");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [InlineData(100)]
    [InlineData(12_345)]
    public void Counts_AnyRange_AreThoseOfTheNumbersOneByOne(int numbers)
    {
        var pattern = MixPattern.For(Mixed);
        var kinds = Enumerable.Range(0, numbers).Select(number => pattern.KindOf(number)).ToList();

        Assert.Equal(kinds.Count(WorkloadKinds.NeedsDocuments), pattern.CountOf(numbers, WorkloadKinds.NeedsDocuments));
        Assert.Equal(
            kinds.Count(kind => kind is WorkloadKind.Insert or WorkloadKind.Upsert) - kinds.Count(kind => kind == WorkloadKind.Delete),
            pattern.RiseOf(numbers));
    }
}
