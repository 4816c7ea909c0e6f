using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator;

/// <summary>Tests that share one account without latency, with clients in both modes.</summary>
public abstract class AccountTests(AccountFixture fixture) : AccountTests<AccountFixture>(fixture);

public abstract class TestsInBothModes
{
    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;
}

/// <summary>Tests that share one account of a fixture.</summary>
public abstract class AccountTests<TFixture>(TFixture fixture) : TestsInBothModes, IClassFixture<TFixture>
    where TFixture : AccountFixture
{
    protected static CancellationToken Token => TestContext.Current.CancellationToken;

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
        Container created = await CreateContainerAsync(mode, properties: properties);
        Container bulk = Client(mode, bulk: true).GetContainer(created.Database.Id, created.Id);
        await Task.WhenAll(documents.Select(
            one => bulk.CreateItemAsync(one.Document, new PartitionKey(one.Key), cancellationToken: Token)));
        return created;
    }

    protected Task SplitAsync(Container container, int partition) => AccountClients.ChangeAsync(Account, "split", container, partition);

    protected ContainerLedger LedgerOf(Container container) => Account.ReadLedger().Containers.Single(one => one.Name == container.Id);

    /// <summary>Sends a signed request that the SDK would never send.</summary>
    internal async Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, object? body = null, params (string Name, string Value)[] headers)
    {
        using var wire = new WireClient(Account);
        return await wire.SendAsync(method, path, body, headers);
    }

    /// <summary>The path of a container's documents.</summary>
    protected static string DocumentsOf(Container container) => $"dbs/{container.Database.Id}/colls/{container.Id}/docs";

    protected static MemoryStream Json(string text) => new(Encoding.UTF8.GetBytes(text));

    /// <summary>The error of an operation, which must have this status.</summary>
    protected static async Task<CosmosException> FailsAsync(HttpStatusCode status, Func<Task> operation)
    {
        CosmosException e = await Assert.ThrowsAnyAsync<CosmosException>(operation);
        Assert.Equal(status, e.StatusCode);
        return e;
    }
}
