using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>Clients of the unmodified SDK for a simulated account.</summary>
internal static class AccountClients
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>Starts an account, without latency unless the options name one.</summary>
    public static Task<SimulatedAccount> StartAsync(AccountSettings? options = null, TimeProvider? time = null)
    {
        options ??= new AccountSettings();
        return SimulatedAccount.StartAsync(
            options with { Latency = options.Latency ?? LatencyProfile.None }, time ?? TimeProvider.System, Token);
    }

    public static CosmosClient Create(
        SimulatedAccount account, ConnectionMode mode, Action<CosmosClientOptions>? configure = null, string? key = null, bool https = true)
    {
        var options = new CosmosClientOptions
        {
            ConnectionMode = mode,
            MaxRetryAttemptsOnRateLimitedRequests = 0,
            ServerCertificateCustomValidationCallback = (certificate, _, _) =>
                certificate.GetCertHashString(HashAlgorithmName.SHA256) == account.CertificateThumbprint,
        };
        configure?.Invoke(options);
        return new CosmosClient((https ? account.HttpsEndpoint : account.HttpEndpoint).AbsoluteUri, key ?? account.Key, options);
    }

    /// <summary>Creates a container of its own, so that tests of one account do not meet.</summary>
    public static async Task<Container> CreateContainerAsync(
        CosmosClient client, int throughput = 400_000, ContainerProperties? properties = null)
    {
        Database database = await client.CreateDatabaseIfNotExistsAsync("tests", cancellationToken: Token);
        properties ??= Keyed("/pk");
        properties.Id ??= $"c-{Guid.NewGuid():N}";
        return await database.CreateContainerAsync(properties, throughput, cancellationToken: Token);
    }

    /// <summary>The definition of a container; <see cref="CreateContainerAsync"/> gives it an id if it has none.</summary>
    public static ContainerProperties Keyed(
        string path, PartitionKeyDefinitionVersion version = PartitionKeyDefinitionVersion.V2, string? id = null)
    {
        var properties = new ContainerProperties { PartitionKeyPath = path, PartitionKeyDefinitionVersion = version };
        if (id is not null)
            properties.Id = id;
        return properties;
    }

    /// <summary>Splits or merges a physical partition and waits until it is done.</summary>
    public static async Task ChangeAsync(SimulatedAccount account, string verb, Container container, int partition)
    {
        using var http = new HttpClient();
        var query = $"{verb}?database={container.Database.Id}&container={container.Id}&partition={partition}";
        using var response = await http.PostAsync(new Uri(account.ControlEndpoint, query), null, Token);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    /// <summary>Creates an item in its own partition key.</summary>
    public static Task<ItemResponse<Item>> AddAsync(this Container container, Item item) =>
        container.AddAsync(item, new PartitionKey(item.Key));

    public static Task<ItemResponse<T>> AddAsync<T>(this Container container, T item, PartitionKey key) =>
        container.CreateItemAsync(item, key, cancellationToken: Token);

    public static Task<ResponseMessage> AddJsonAsync(
        this Container container, string json, PartitionKey key, ItemRequestOptions? options = null) =>
        container.CreateItemStreamAsync(new MemoryStream(Encoding.UTF8.GetBytes(json)), key, options, Token);

    /// <summary>Creates an item that has only an id and the key <c>k</c>. An error is a status.</summary>
    public static Task<ResponseMessage> AddIdAsync(this Container container, string id = "1") =>
        container.AddJsonAsync($$"""{"id":"{{id}}","pk":"k"}""", new PartitionKey("k"));

    public static Task<ItemResponse<T>> UpsertAsync<T>(this Container container, T item, PartitionKey key) =>
        container.UpsertItemAsync(item, key, cancellationToken: Token);

    public static Task<ItemResponse<T>> ReplaceAsync<T>(this Container container, T item, string id, PartitionKey key) =>
        container.ReplaceItemAsync(item, id, key, cancellationToken: Token);

    public static Task<ItemResponse<JObject>> PatchAsync(
        this Container container, string id, PartitionKey key, params PatchOperation[] operations) =>
        container.PatchItemAsync<JObject>(id, key, operations, cancellationToken: Token);

    public static Task<ItemResponse<Item>> DeleteAsync(this Container container, string id, PartitionKey key) =>
        container.DeleteItemAsync<Item>(id, key, cancellationToken: Token);

    /// <summary>Deletes all items of a partition key.</summary>
    public static Task<ResponseMessage> DeleteAllAsync(this Container container, PartitionKey key)
    {
        // The method is public only in previews of the SDK, but exists in every version.
        var delete = container.GetType().GetMethod(
            "DeleteAllItemsByPartitionKeyStreamAsync", BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public,
            [typeof(PartitionKey), typeof(RequestOptions), typeof(CancellationToken)])!;
        return (Task<ResponseMessage>)delete.Invoke(container, [key, null, Token])!;
    }

    public static Task<ItemResponse<Item>> ReadAsync(this Container container, string id, PartitionKey key) =>
        container.ReadAsync<Item>(id, key);

    public static Task<ItemResponse<T>> ReadAsync<T>(this Container container, string id, PartitionKey key) =>
        container.ReadItemAsync<T>(id, key, cancellationToken: Token);

    /// <summary>The status of a read, which throws nothing for an absent item.</summary>
    public static async Task<HttpStatusCode> StatusOfAsync(this Container container, string id, PartitionKey key)
    {
        using var response = await container.ReadItemStreamAsync(id, key, cancellationToken: Token);
        return response.StatusCode;
    }

    public static async Task<ContainerProperties> PropertiesAsync(this Container container) =>
        await container.ReadContainerAsync(cancellationToken: Token);

    /// <summary>The resource id of a container.</summary>
    public static async Task<string> RidAsync(this Container container) => (await container.PropertiesAsync()).SelfLink.Split('/')[3];

    /// <summary>All results of a query; all items if there is none.</summary>
    public static async Task<List<T>> QueryAsync<T>(this Container container, string? query = null, QueryRequestOptions? options = null)
    {
        using var iterator = container.GetItemQueryIterator<T>(query, requestOptions: options);
        return await iterator.ReadAllAsync();
    }

    /// <summary>The items of all pages; of a change feed, up to the first page without changes.</summary>
    public static async Task<List<T>> ReadAllAsync<T>(this FeedIterator<T> iterator)
    {
        var items = new List<T>();
        while (iterator.HasMoreResults)
        {
            var page = await iterator.ReadNextAsync(Token);
            if (page.StatusCode == HttpStatusCode.NotModified)
                break;
            items.AddRange(page);
        }

        return items;
    }
}
