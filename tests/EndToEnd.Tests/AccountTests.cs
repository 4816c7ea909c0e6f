using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>Tests that share one account without latency, with clients in both modes.</summary>
public abstract class AccountTests(AccountFixture fixture) : AccountTests<AccountFixture>(fixture);

/// <summary>Tests that use the SDK in both modes.</summary>
/// <remarks>The modes are in this assembly, because xunit's analyzers fail on the data of a test that another one has.</remarks>
public abstract class ModesTests : SdkTests
{
    /// <summary>The connection modes that every operation is tested in.</summary>
    public static TheoryData<ConnectionMode> Modes => [ConnectionMode.Gateway, ConnectionMode.Direct];

    public static TheoryData<ConnectionMode, PartitionKeyDefinitionVersion> ModesAndKeyVersions =>
    [
        .. from mode in new[] { ConnectionMode.Gateway, ConnectionMode.Direct }
           from version in Enum.GetValues<PartitionKeyDefinitionVersion>()
           select (mode, version),
    ];
}

/// <summary>Tests that share one account of a fixture.</summary>
public abstract class AccountTests<TFixture>(TFixture fixture) : ModesTests, IClassFixture<TFixture>
    where TFixture : AccountFixture
{
    protected TFixture Fixture => fixture;

    protected SimulatedAccount Account => fixture.Account;

    protected CosmosClient Client(ConnectionMode mode, bool bulk = false) => fixture.Client(mode, bulk);

    protected Task<Container> CreateContainerAsync(
        ConnectionMode mode = ConnectionMode.Gateway, bool bulk = false, int throughput = 400_000,
        ContainerProperties? properties = null) =>
        AccountClients.CreateContainerAsync(Client(mode, bulk), throughput, properties);

    /// <summary>A container that is filled in bulk, each document with its partition key.</summary>
    protected async Task<Container> FillAsync<T>(
        ConnectionMode mode, IEnumerable<(T Document, string Key)> documents, ContainerProperties? properties = null)
    {
        var created = await CreateContainerAsync(mode, properties: properties);
        var bulk = Client(mode, bulk: true).GetContainer(created.Database.Id, created.Id);
        await Task.WhenAll(documents.Select(one => bulk.AddAsync(one.Document, new PartitionKey(one.Key))));
        return created;
    }

    protected Task SplitAsync(Container container, int partition) => AccountClients.ChangeAsync(Account, "split", container, partition);

    /// <summary>Splits the four partitions of a new container.</summary>
    protected async Task SplitAllAsync(Container container)
    {
        for (var partition = 0; partition < 4; partition++)
            await SplitAsync(container, partition);
    }

    private protected ContainerLedger LedgerOf(Container container) =>
        Account.ReadLedger().Containers.Single(one => one.Name == container.Id);

    /// <summary>Sends a signed request that the SDK would never send.</summary>
    internal async Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, object? body = null, params (string Name, string Value)[] headers)
    {
        using var wire = new WireClient(Account);
        return await wire.SendAsync(method, path, body, headers);
    }

    /// <summary>The offer of a container or database with this resource id.</summary>
    protected async Task<JsonNode> OfferOfAsync(string rid)
    {
        using var response = await SendAsync(HttpMethod.Get, "/offers");
        var feed = JsonNode.Parse(await response.Content.ReadAsStringAsync(Token))!;
        return feed["Offers"]!.AsArray().Single(one => (string)one!["offerResourceId"]! == rid)!;
    }

    /// <summary>The path of a container's documents.</summary>
    protected static string DocumentsOf(Container container) => $"dbs/{container.Database.Id}/colls/{container.Id}/docs";
}
