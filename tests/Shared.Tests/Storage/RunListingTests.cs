using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Storage;

public sealed class RunListingTests
{
    [Fact]
    public void SortKey_AnyTwoRuns_ComparesNewestFirst() => Properties.Holds(Prop.ForAll(
        Gen.Choose(0, int.MaxValue).SelectMany(a => Gen.Choose(0, int.MaxValue).Select(b => (a, b))).ToArbitrary(),
        pair => Math.Sign(string.CompareOrdinal(At(pair.a).SortKey, At(pair.b).SortKey)) == Math.Sign(pair.b.CompareTo(pair.a))));

    [Fact]
    public void ReadSortKey_KeyOfAListing_GivesItsParts()
    {
        var listing = new RunListing("a-b-2", "any", new DateTimeOffset(2026, 11, 21, 20, 0, 0, TimeSpan.FromHours(2)).AddTicks(7));
        var (id, startedAt) = Assert.NotNull(RunListing.ReadSortKey(listing.SortKey));
        Assert.Equal(("a-b-2", listing.StartedAt, TimeSpan.Zero), (id, startedAt, startedAt.Offset));
    }

    [Theory]
    [InlineData("")]
    [InlineData("0000000000000000001")]
    [InlineData("0000000000000000001-")]
    [InlineData("000000000000000000x-a")]
    [InlineData("-000000000000000001-a")]
    [InlineData("9999999999999999999-a")]
    [InlineData("../../etc/passwd and on")]
    public void ReadSortKey_AnythingElse_IsNull(string text) => Assert.Null(RunListing.ReadSortKey(text));

    private static RunListing At(int tick) => new("run", null, DateTimeOffset.UnixEpoch.AddTicks(tick));
}
