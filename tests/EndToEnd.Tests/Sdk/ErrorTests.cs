using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Statuses, sub-statuses and texts that clients depend on.</summary>
public sealed class ErrorTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    /// <summary>At Session consistency the SDK looks for the container of a read in both modes, and reports what is absent.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Read_OfAnAbsentItemOrContainer_Is404WithItsSubStatus(ConnectionMode mode)
    {
        var client = Client(mode);
        var container = await AccountClients.CreateContainerAsync(client);
        Assert.Equal(0, await SubStatusAsync(container));
        Assert.Equal(1003, await SubStatusAsync(container.Database.GetContainer("absent")));
        Assert.Equal(1003, await SubStatusAsync(client.GetContainer("absent", "absent")));
        await FailsAsync(HttpStatusCode.NotFound, container.Database.GetContainer("absent").PropertiesAsync, 0);

        static async Task<int> SubStatusAsync(Container from) =>
            (await FailsAsync(HttpStatusCode.NotFound, () => from.ReadAsync("1", Key))).SubStatusCode;
    }

    /// <summary>The SDK's own <c>CosmosNotFoundTests</c> expect 1003 for an absent database and nothing for an absent container.</summary>
    [Theory]
    [InlineData("dbs/tests/colls/absent/docs/1", null)]
    [InlineData("dbs/absent/colls/absent/docs/1", "1003")]
    [InlineData("dbs/absent/colls/absent", "1003")]
    [InlineData("dbs/tests/colls/absent", null)]
    public async Task Gateway_OfAnAbsentResource_Is404WithTheSubStatusOfTheService(string path, string? subStatus)
    {
        await CreateContainerAsync();
        using var response = await SendAsync(HttpMethod.Get, path, null, ("x-ms-documentdb-partitionkey", """["k"]"""));
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.Equal(subStatus, response.Headers.TryGetValues("x-ms-substatus", out var values) ? values.Single() : null);
    }

    /// <summary>Replicas have their own form of errors, which the SDK does not change.</summary>
    [Fact]
    public async Task Request_OverDirect_HasErrorsAsReplicasDo()
    {
        var container = await CreateContainerAsync(ConnectionMode.Direct);
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        var missing = await FailsAsync(HttpStatusCode.NotFound, () => container.ReadAsync("2", Key));
        var taken = await FailsAsync(HttpStatusCode.Conflict, () => container.AddAsync(new Item { Id = "1", Key = "k" }));
        Assert.Equal(["Errors : [", "\"Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found\"", "]"], Lines(missing));
        Assert.Equal(["Errors : [", "\"Resource with specified id or name already exists.\"", "]"], Lines(taken));

        static string[] Lines(CosmosException e) =>
            e.ResponseBody.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>A request that names the container's resource id never reaches another container, however often the SDK retries.</summary>
    [Theory]
    [InlineData(ConnectionMode.Gateway, false)]
    [InlineData(ConnectionMode.Direct, false)]
    [InlineData(ConnectionMode.Direct, true)]
    public async Task Create_WithTheResourceIdOfADeletedContainer_Is400With1024(ConnectionMode mode, bool isBulk)
    {
        var container = await CreateContainerAsync(mode, isBulk);
        var rid = await container.RidAsync();
        await container.DeleteContainerAsync(cancellationToken: Token);
        await container.Database.CreateContainerAsync(container.Id, "/pk", cancellationToken: Token);
        var options = new ItemRequestOptions
        {
            AddRequestHeaders = headers =>
            {
                headers["x-ms-cosmos-is-client-encrypted"] = "True";
                headers["x-ms-cosmos-intended-collection-rid"] = rid;
            },
        };

        var item = new Item { Id = "1", Key = "k" };
        await FailsAsync(HttpStatusCode.BadRequest, () => container.CreateItemAsync(item, Key, options, Token), 1024);
        Assert.Equal(HttpStatusCode.Created, (await container.AddAsync(item)).StatusCode);
    }
}
