using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class PartitionKeyDeleteTests(AccountFixture fixture) : IClassFixture<AccountFixture>
{
    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task DeleteAll_OfAKey_LeavesTheOthers(ConnectionMode mode)
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode), throughput: 40_000);
        for (int i = 0; i < 30; i++)
        {
            string key = $"k{i % 3}";
            await container.CreateItemAsync(new Item { Id = $"{i}", Key = key }, new PartitionKey(key), cancellationToken: Token);
        }


        // Public only in the SDK's previews, but there in every version.
        MethodInfo delete = container.GetType().GetMethod(
            "DeleteAllItemsByPartitionKeyStreamAsync", BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public,
            [typeof(PartitionKey), typeof(RequestOptions), typeof(CancellationToken)])!;
        using ResponseMessage response = await (Task<ResponseMessage>)delete.Invoke(container, [new PartitionKey("k1"), null, Token])!;
        await container.CreateItemAsync(new Item { Id = "1", Key = "k1" }, new PartitionKey("k1"), cancellationToken: Token);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        ContainerLedger ledger = fixture.Account.ReadLedger().Containers.Single(one => one.Name == container.Id);
        Assert.Equal((21L, 10L, 1L), (ledger.DocumentCount, ledger.Documents.Deleted, ledger.Operations.Delete.Attempts));
        Assert.InRange(response.Headers.RequestCharge, 10 * 4.95, 1_000);
    }
}
