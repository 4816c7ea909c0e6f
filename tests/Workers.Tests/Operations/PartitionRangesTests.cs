using Microsoft.Azure.Cosmos;
using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class PartitionRangesTests(OperationAccount account) : IClassFixture<OperationAccount>
{
    [Theory]
    [InlineData(PartitionKeyDefinitionVersion.V1, PartitionKeyVersion.V1)]
    [InlineData(PartitionKeyDefinitionVersion.V2, PartitionKeyVersion.V2)]
    public async Task ReadAsync_ContainerOfAVersion_HashesByIt(PartitionKeyDefinitionVersion version, PartitionKeyVersion hashed)
    {
        var container = await AccountClients.CreateContainerAsync(
            account.Container.Database.Client, 30_000, AccountClients.Keyed("/pk", version));
        var ranges = await PartitionRanges.ReadAsync(container, TestContext.Current.CancellationToken);

        var map = PartitionKeyRangeMap.Even(hashed, ranges.Count);
        string[] keys = [.. Enumerable.Range(0, 100).Select(number => $"key {number}")];
        Assert.Equal(keys.Select(key => map.IndexOf(PartitionKeyValue.From(key))), keys.Select(ranges.IndexOf));
    }

    /// <summary>The service splits a first value that outgrows a physical partition, so that a range begins within it.</summary>
    [Fact]
    public void IndexOf_RangesThatBeginWithinAFirstValue_FollowTheWholeKey()
    {
        string[] users = [.. new[] { "alice", "bob", "carol", "dave" }.OrderBy(user => EffectivePartitionKey.TextOf(["contoso", user]),
            StringComparer.Ordinal)];
        var (tenant, split) = (EffectivePartitionKey.TextOf(["contoso"]), EffectivePartitionKey.TextOf(["contoso", users[2]]));
        var ranges = new PartitionRanges(PartitionKeyVersion.V2, [("", tenant), (tenant, split), (split, "FF")]);

        Assert.Equal([1, 1, 2, 2], users.Select(user => ranges.IndexOf(["contoso", user])));
        Assert.Equal(1, ranges.IndexOf(["contoso"]));
    }

    [Fact]
    public void IndexOf_RangesBetweenFirstValues_IsThatOfTheFirstValueAlone()
    {
        var map = PartitionKeyRangeMap.Even(PartitionKeyVersion.V2, 7);
        var ranges = new PartitionRanges(
            PartitionKeyVersion.V2, Enumerable.Range(0, map.Count).Select(index => (map.MinInclusive(index), map.MaxExclusive(index))));

        string[] tenants = [.. Enumerable.Range(0, 200).Select(number => $"tenant {number}")];

        Assert.Equal(
            tenants.Select(tenant => ranges.IndexOf(tenant)), tenants.Select(tenant => ranges.IndexOf([tenant, "alice", $"of {tenant}"])));
        Assert.Equal(7, tenants.Select(tenant => ranges.IndexOf(tenant)).Distinct().Count());
    }

    /// <summary>Only short keys are encoded on the stack.</summary>
    [Fact]
    public void IndexOf_KeysOfAnyLength_AreThoseOfTheMap()
    {
        var map = PartitionKeyRangeMap.Even(PartitionKeyVersion.V2, 7);
        var ranges = new PartitionRanges(
            PartitionKeyVersion.V2, Enumerable.Range(0, map.Count).Select(index => (map.MinInclusive(index), map.MaxExclusive(index))));
        string[] keys =
        [
            .. new[] { 0, 1, 100, 170, 171, 500 }.SelectMany(length => new[] { new string('k', length), new string('\u20AC', length) }),
        ];

        Assert.All(keys, key => Assert.Equal(map.IndexOf(PartitionKeyValue.From(key)), ranges.IndexOf(key)));
    }

    [Fact]
    public void IndexOfRange_AnyId_IsItsOrdinalIfThereIsOne()
    {
        var ranges = new PartitionRanges(PartitionKeyVersion.V2, [("80", "FF"), ("", "80")]);

        Assert.Equal(
            [0, 1, null, null, null, null], new[] { "0", "1", "2", "-1", "x", null }.Select(ranges.IndexOfRange));
        Assert.Equal((2, ("", "80"), ("80", "FF")), (ranges.Count, ranges[0], ranges[1]));
        Assert.True(ranges.AreKnown, "The ranges are given.");
        var unknown = PartitionRanges.Unknown;
        Assert.Equal((1, 0, false, ("", "FF")), (unknown.Count, unknown.IndexOf("any"), unknown.AreKnown, unknown[0]));
    }
}
