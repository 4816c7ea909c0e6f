using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class FeedRangeTests(AccountFixture fixture) : IClassFixture<AccountFixture>
{
    private const int Documents = 150;

    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_OfRangesSmallerThanPartitions_AddsUpToTheWhole(ConnectionMode mode)
    {
        Container created = await AccountClients.CreateContainerAsync(fixture.Client(mode));
        Container bulk = fixture.Client(mode, bulk: true).GetContainer(created.Database.Id, created.Id);
        await Task.WhenAll(Enumerable.Range(0, Documents).Select(i => bulk.CreateItemAsync(
            new Item { Id = $"{i}", Key = $"k{i}" }, new PartitionKey($"k{i}"), cancellationToken: Token)));
        var ids = new List<string>();
        string[] edges = ["", "05", "10", "18", "1D", "2F", "3A", "FF"];
        foreach ((string min, string max) in edges.Zip(edges.Skip(1)))
        {
            FeedRange range = FeedRange.FromJsonString($$$"""{"Range":{"min":"{{{min}}}","max":"{{{max}}}"}}""");
            using FeedIterator<Item> iterator = created.GetItemQueryIterator<Item>(range, new QueryDefinition("SELECT * FROM c"));
            while (iterator.HasMoreResults)
                ids.AddRange((await iterator.ReadNextAsync(Token)).Select(item => item.Id));
        }

        Assert.Equal(Enumerable.Range(0, Documents).Select(i => $"{i}").Order(), ids.Order());
    }
}
