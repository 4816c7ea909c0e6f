using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using IndexingDirective = Microsoft.Azure.Cosmos.IndexingDirective;
using IndexingMode = Microsoft.Azure.Cosmos.IndexingMode;
using IndexingPolicy = Microsoft.Azure.Cosmos.IndexingPolicy;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>What a request asks for is done, or rejected by its name; nothing is ignored.</summary>
public sealed class UnservedOptionTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");
    private static readonly Item One = new() { Id = "1", Key = "k" };

    [Theory, MemberData(nameof(Modes))]
    public async Task Write_WithAnIndexingDirective_IsDoneOnlyAsThePolicySays(ConnectionMode mode)
    {
        var automatic = await CreateContainerAsync(mode);
        var manual = await CreateContainerAsync(mode, properties: new ContainerProperties
        {
            PartitionKeyPath = "/pk", IndexingPolicy = new IndexingPolicy { Automatic = false, IndexingMode = IndexingMode.Consistent },
        });
        Assert.Equal(HttpStatusCode.BadRequest, await CreateAsync(automatic, IndexingDirective.Exclude));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(automatic, IndexingDirective.Include));
        Assert.Equal(HttpStatusCode.BadRequest, await CreateAsync(manual, IndexingDirective.Include));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(manual, IndexingDirective.Exclude));

        var batch = automatic.CreateTransactionalBatch(Key).CreateItem(
            One with { Id = "2" }, new TransactionalBatchItemRequestOptions { IndexingDirective = IndexingDirective.Exclude });
        using var response = await batch.ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains("The indexing directive Exclude is not simulated", response.ErrorMessage, StringComparison.Ordinal);

        static async Task<HttpStatusCode> CreateAsync(Container container, IndexingDirective directive)
        {
            using var created = await container.AddJsonAsync(
                """{"id":"1","pk":"k"}""", Key, new ItemRequestOptions { IndexingDirective = directive });
            return created.StatusCode;
        }
    }

    [Theory]
    [InlineData("x-ms-indexing-directive", "Sometimes", "none of Default, Include and Exclude")]
    [InlineData("x-ms-documentdb-responsecontinuationtokenlimitinkb", "-1", "is no number of KB")]
    public async Task Write_WithAnUnknownOption_SaysWhich(string header, string value, string message)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), """{"id":"1","pk":"k"}""", (header, value),
            ("x-ms-documentdb-partitionkey", """["k"]"""));
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains(message, await response.Content.ReadAsStringAsync(Token), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Direct_ByResourceId_NamesTheFeature()
    {
        var container = await CreateContainerAsync();
        var target = await DirectTarget.FindAsync(Account, container);
        await using var client = await FrameClient.ConnectAsync(target.Port);
        var date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        await client.SendAsync(new FrameBuilder(ResourceType.Document, OperationType.Read)
            .Token(RequestTokens.ResourceId, TokenType.Bytes, [8, 0, .. new byte[8]])
            .Text(RequestTokens.Authorization, WireClient.Sign(target.Key, "get", "docs", "aaaaaaaaaaa=", date))
            .Text(RequestTokens.Date, date)
            .Text(RequestTokens.ReplicaPath, target.ReplicaPath)
            .Token(RequestTokens.TransportRequestId, TokenType.UInt32, BitConverter.GetBytes(5))
            .Build());

        var response = await client.ReceiveAsync();
        Assert.Equal((400u, 5u), (response!.Value.Status, response.Value.Id));
        Assert.Contains("by resource id", Encoding.UTF8.GetString(response.Value.Body), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/")]
    [InlineData("/*")]
    public async Task Index_OfTheRoot_HasTwoNames(string root)
    {
        var policy = new IndexingPolicy
        {
            IncludedPaths = { new IncludedPath { Path = root } }, ExcludedPaths = { new ExcludedPath { Path = "/text/?" } },
        };
        var container = await CreateContainerAsync(
            properties: new ContainerProperties { PartitionKeyPath = "/pk", IndexingPolicy = policy });
        await container.AddAsync(One with { Value = 7, Text = "x" });
        Assert.Single(await container.QueryAsync<Item>("SELECT * FROM c ORDER BY c.value"));
        await FailsAsync(HttpStatusCode.BadRequest, () => container.QueryAsync<Item>("SELECT * FROM c ORDER BY c.text"));
    }
}
