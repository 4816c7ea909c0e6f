using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Headers of responses that other programs read.</summary>
public sealed class ResponseHeaderTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const string OwnerRid = "x-ms-content-path";

    [Theory]
    [InlineData(null, "True")]
    [InlineData(400, "False")]
    public async Task CreateContainer_WithOrWithoutThroughput_SaysWhetherItSharesThroughput(int? throughput, string expected)
    {
        Database database = await Client(ConnectionMode.Gateway)
            .CreateDatabaseAsync($"d-{Guid.NewGuid():N}", 400, cancellationToken: Token);
        var response = await database.CreateContainerAsync("c", "/pk", throughput, cancellationToken: Token);
        Assert.Equal(expected, response.Headers["x-ms-share-throughput"]);
        await database.DeleteAsync(cancellationToken: Token);
    }

    [Fact]
    public async Task CreateContainer_Existing_IsAConflictThatCostsNothing()
    {
        var container = await CreateContainerAsync();
        var e = await FailsAsync(
            HttpStatusCode.Conflict, () => container.Database.CreateContainerAsync(container.Id, "/pk", cancellationToken: Token));
        Assert.Equal(0, e.RequestCharge);
    }

    [Fact]
    public async Task ReadContainer_WithQuotaInfo_SaysWhatItHolds()
    {
        var container = await CreateContainerAsync();
        await container.AddIdAsync();
        var asked = await container.ReadContainerAsync(new ContainerRequestOptions { PopulateQuotaInfo = true }, Token);
        var notAsked = await container.ReadContainerAsync(cancellationToken: Token);
        Assert.Equal("100", asked.Headers["x-ms-documentdb-collection-index-transformation-progress"]);
        Assert.Contains("documentsCount=1;", asked.Headers["x-ms-resource-usage"], StringComparison.Ordinal);
        Assert.Contains("documentsCount=-1;", asked.Headers["x-ms-resource-quota"], StringComparison.Ordinal);
        Assert.Null(notAsked.Headers["x-ms-resource-usage"]);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_OverEitherMode_ReturnsItsActivityRangeAndResourceUsage(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        using var created = await container.AddIdAsync();
        Assert.True(Guid.TryParse(created.Headers.ActivityId, out _));
        Assert.True(int.TryParse(created.Headers["x-ms-documentdb-partitionkeyrangeid"], out _));
        Assert.Equal(
            "documentSize=51200;documentsSize=52428800;documentsCount=-1;collectionSize=52428800;", created.Headers["x-ms-resource-quota"]);
        Assert.Equal("documentSize=0;documentsSize=0;documentsCount=1;collectionSize=0;", created.Headers["x-ms-resource-usage"]);
    }

    /// <summary>With latency, the header of the duration is the time that the service takes, without the network's.</summary>
    [Fact]
    public async Task Create_WithLatency_SaysHowLongTheServiceTook()
    {
        var latency = new LatencyProfile { RoundTripMs = 40, WriteMedianMs = 7, LogStandardDeviation = 0, LoadFactor = 0 };
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Gateway, new AccountSettings { Latency = latency });
        using var created = await own.Container.AddIdAsync();
        Assert.Equal(7, double.Parse(created.Headers["x-ms-request-duration-ms"], CultureInfo.InvariantCulture), 1);
        Assert.Equal(created.Headers["lsn"], created.Headers["x-ms-global-committed-lsn"]);
        Assert.Equal(created.Headers["x-ms-documentdb-partitionkeyrangeid"], created.Headers["x-ms-cosmos-physical-partition-id"]);
        Assert.Equal("version=2.14.0.0", created.Headers["x-ms-serviceversion"]);
    }

    /// <summary>Tools and SDKs show the message; the activity is that of the header.</summary>
    [Theory]
    [InlineData("dbs/none", "Message: {\"Errors\":[\"Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found\"]}")]
    [InlineData("offers/longer", "Message: {\"Errors\":[\"'longer' is not the resource id of an offer.\"]}")]
    [InlineData("dbs/x/users/z", "Users are not simulated.")]
    public async Task Error_OverGateway_HasTheServicesFormAndTheActivity(string path, string message)
    {
        using var response = await SendAsync(HttpMethod.Get, path);
        var text = (string)JsonNode.Parse(await response.Content.ReadAsStringAsync(Token))!["message"]!;
        var activity = Assert.Single(response.Headers.GetValues("x-ms-activity-id"));
        Assert.StartsWith($"{message}\r\nActivityId: {activity}, ", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Get_WithoutAnActivityId_GetsOne()
    {
        using var http = new HttpClient();
        using var response = await http.GetAsync(new Uri(Account.HttpEndpoint, "dbs"), Token);
        Assert.True(Guid.TryParse(Assert.Single(response.Headers.GetValues("x-ms-activity-id")), out _));
    }

    [Theory]
    [InlineData("", HttpStatusCode.Unauthorized)]
    [InlineData("dbs/none/colls/none", HttpStatusCode.Unauthorized)]
    [InlineData("none", HttpStatusCode.Unauthorized)]
    [InlineData("health", HttpStatusCode.OK)]
    [InlineData("_explorer/account.pem", HttpStatusCode.OK)]
    public async Task Get_AnyPage_SaysThatTheAccountIsSimulated(string path, HttpStatusCode status)
    {
        using var http = new HttpClient();
        using var response = await http.GetAsync(new Uri(Account.HttpEndpoint, path), Token);
        Assert.Equal(status, response.StatusCode);
        Assert.Matches(@"^ScaleOut/\d+\.\d+", Assert.Single(response.Headers.GetValues("x-ms-simulated-account")));
    }

    /// <summary>A client in either mode reads the account first, and its only region is in no cloud.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task ReadAccount_OverEitherMode_NamesTheRegionOfASimulatedAccount(ConnectionMode mode)
    {
        var account = await Client(mode).ReadAccountAsync();
        Assert.Equal(AccountFacts.SimulatedRegion, Assert.Single(account.ReadableRegions).Name);
        using var created = await (await CreateContainerAsync(ConnectionMode.Gateway)).AddIdAsync();
        Assert.StartsWith("ScaleOut/", created.Headers["x-ms-simulated-account"], StringComparison.Ordinal);
    }

    /// <summary>The SDK makes links of further resources of a path from this header.</summary>
    [Fact]
    public async Task Owner_OfAContainerAndOfAnItem_IsTheDatabaseAndTheContainer()
    {
        var container = await CreateContainerAsync();
        var read = await container.ReadContainerAsync(cancellationToken: Token);
        using var created = await container.AddIdAsync();

        Assert.Equal($"dbs/{container.Database.Id}", read.Headers["x-ms-alt-content-path"]);
        Assert.Equal($"dbs/{container.Database.Id}/colls/{container.Id}", created.Headers["x-ms-alt-content-path"]);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Owner_SuccessOrFailure_IsReturnedOnlyWithSuccess(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        using var created = await container.AddIdAsync();
        using var missing = await container.ReadItemStreamAsync("2", new PartitionKey("k"), cancellationToken: Token);
        using var failed = await container.CreateTransactionalBatch(new PartitionKey("k"))
            .ReadItem("1").ReadItem("2").ExecuteAsync(Token);
        using var known = await container.CreateTransactionalBatch(new PartitionKey("k"))
            .ReadItem("1", new TransactionalBatchItemRequestOptions { IfMatchEtag = created.Headers.ETag })
            .ReadItem("1").ExecuteAsync(Token);

        Assert.NotEmpty(created.Headers[OwnerRid]);
        Assert.Null(missing.Headers[OwnerRid]);
        Assert.Equal(HttpStatusCode.NotFound, failed.StatusCode);
        Assert.Null(failed.Headers[OwnerRid]);
        Assert.Equal(HttpStatusCode.MultiStatus, known.StatusCode);
        Assert.Equal([HttpStatusCode.NotModified, HttpStatusCode.OK], known.Select(result => result.StatusCode));
        Assert.Equal(created.Headers[OwnerRid], known.Headers[OwnerRid]);
    }
}
