namespace ScaleOut.Tests.Shared.PartitionKeys;

public sealed class PartitionKeyRangeMapTests
{
    public static MatrixTheoryData<PartitionKeyVersion, int> Shapes =>
        new([PartitionKeyVersion.V1, PartitionKeyVersion.V2], [1, 2, 3, 7, 10, 100, 1_667]);

    [Theory, MemberData(nameof(Shapes))]
    public void Even_AnyCount_HasNoGapAndSpreadsKeysEvenly(PartitionKeyVersion version, int count)
    {
        var map = PartitionKeyRangeMap.Even(version, count);
        var hits = new int[count];
        var keys = 200 * count;
        for (var i = 0; i < keys; i++)
            hits[map.IndexOf(PartitionKeyValue.From($"key-{i}"))]++;

        Assert.Equal("", map.MinInclusive(0));
        Assert.Equal("FF", map.MaxExclusive(count - 1));
        for (var i = 1; i < count; i++)
        {
            Assert.Equal(map.MaxExclusive(i - 1), map.MinInclusive(i));
            Assert.True(string.CompareOrdinal(map.MinInclusive(i), map.MaxExclusive(i)) < 0);
        }

        Assert.All(hits, hit => Assert.InRange(hit, 100, 320));
    }

    [Theory, MemberData(nameof(Shapes))]
    public void FromEdges_EdgesOfAMap_RoutesEveryKeyAlike(PartitionKeyVersion version, int count)
    {
        var map = PartitionKeyRangeMap.Even(version, count);
        var copy = PartitionKeyRangeMap.FromEdges(version, Enumerable.Range(0, count).Select(map.MinInclusive).Reverse());
        for (var i = 0; i < 2_000; i++)
            Assert.Equal(map.IndexOf(PartitionKeyValue.From(i * 0.37)), copy.IndexOf(PartitionKeyValue.From(i * 0.37)));
    }

    [Theory, MemberData(nameof(Shapes))]
    public void IndexOf_EdgeItself_IsTheRangeThatBeginsThere(PartitionKeyVersion version, int count)
    {
        var map = PartitionKeyRangeMap.Even(version, count);
        for (var i = 0; i < count; i++)
            Assert.Equal(i, map.IndexOf(map.Start(i)));
    }

    [Fact]
    public void FromEdges_Nothing_Throws() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => PartitionKeyRangeMap.FromEdges(PartitionKeyVersion.V2, []));
}
