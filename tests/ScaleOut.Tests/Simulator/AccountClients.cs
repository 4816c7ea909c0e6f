using System.Net.Security;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator;

/// <summary>Clients of the unmodified SDK for a simulated account.</summary>
internal static class AccountClients
{
    /// <summary>The connection modes that every operation is tested in.</summary>
    public static TheoryData<ConnectionMode> Modes => [ConnectionMode.Gateway, ConnectionMode.Direct];

    public static CosmosClient Create(
        SimulatedAccount account, ConnectionMode mode, Action<CosmosClientOptions>? configure = null, string? key = null, bool https = true)
    {
        var options = new CosmosClientOptions
        {
            ConnectionMode = mode,
            MaxRetryAttemptsOnRateLimitedRequests = 0,
            ServerCertificateCustomValidationCallback = (certificate, _, _) =>
                certificate.GetCertHashString(System.Security.Cryptography.HashAlgorithmName.SHA256) == account.CertificateThumbprint,
        };
        configure?.Invoke(options);
        return new CosmosClient((https ? account.HttpsEndpoint : account.HttpEndpoint).AbsoluteUri, key ?? account.Key, options);
    }

    /// <summary>Splits or merges a physical partition and waits until it is done.</summary>
    public static async Task ChangeAsync(SimulatedAccount account, string verb, Container container, int partition)
    {
        using var http = new HttpClient();
        using HttpResponseMessage response = await http.PostAsync(
            new Uri(
                account.ControlEndpoint, $"{verb}?database={container.Database.Id}&container={container.Id}&partition={partition}"),
            null, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    /// <summary>Creates an item in its own partition key.</summary>
    public static Task<ItemResponse<Item>> AddAsync(this Container container, Item item) =>
        container.CreateItemAsync(item, new PartitionKey(item.Key), cancellationToken: TestContext.Current.CancellationToken);

    /// <summary>The items of all pages; of a change feed, up to the first page without changes.</summary>
    public static async Task<List<T>> ReadAllAsync<T>(this FeedIterator<T> iterator)
    {
        var items = new List<T>();
        while (iterator.HasMoreResults)
        {
            FeedResponse<T> page = await iterator.ReadNextAsync(TestContext.Current.CancellationToken);
            if (page.StatusCode == HttpStatusCode.NotModified)
                break;
            items.AddRange(page);
        }

        return items;
    }

    /// <summary>A database and container of their own, so that tests of one account do not meet.</summary>
    public static async Task<Container> CreateContainerAsync(
        CosmosClient client, int throughput = 400_000, ContainerProperties? properties = null)
    {
        Database database = await client.CreateDatabaseIfNotExistsAsync("tests", cancellationToken: TestContext.Current.CancellationToken);
        properties ??= new ContainerProperties
        {
            PartitionKeyPath = "/pk",
            PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2,
        };
        properties.Id ??= $"c-{Guid.NewGuid():N}";
        return await database.CreateContainerAsync(properties, throughput, cancellationToken: TestContext.Current.CancellationToken);
    }
}
