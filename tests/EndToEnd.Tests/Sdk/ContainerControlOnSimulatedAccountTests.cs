using Microsoft.Azure.Cosmos;
using ConsistencyLevel = ScaleOut.Specs.ConsistencyLevel;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Container control with the real SDK over HTTPS against the simulated account.</summary>
public sealed class ContainerControlOnSimulatedAccountTests : IAsyncLifetime
{
    private readonly TemporaryFolder _runs = new();
    private SimulatedAccount _simulated = null!;
    private AccountConnection _account = null!;
    private CosmosClient _client = null!;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static RunSpec OwnSpec => new() { Id = "r1", Container = new ContainerSpec { Throughput = 4_000 } };

    private static RunSpec NamedSpec => new() { Id = "r1", Container = new ContainerSpec { Database = "shop", Name = "books" } };

    public async ValueTask InitializeAsync()
    {
        _simulated = await SimulatedAccount.StartAsync(
            new AccountSettings { Latency = LatencyProfile.None, PhysicalPartitions = 3 }, Token);
        _account = _simulated.Connection();
        _client = CosmosClientFactory.CreateControl(_account);
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _simulated.DisposeAsync();
        _runs.Dispose();
    }

    [Fact]
    public async Task PrepareAsync_Own_CreatesTheContainerOfTheSpec()
    {
        var prepared = await PreparedAsync(OwnSpec with { Container = OwnSpec.Container with { ExcludedPaths = ["/SomeText/?"] } });

        Assert.Equal((true, true, 0L, 4_000d), (prepared.Created, prepared.Simulated, prepared.CountBefore, prepared.BudgetPerSecond));
        Assert.Equal(new ContainerTarget("scaleout", "run-r1", "/PartitionKey"), prepared.Target);
        Assert.Empty(prepared.Warnings);
        ContainerProperties properties = await Container(prepared).ReadContainerAsync(cancellationToken: Token);
        Assert.Equal(PartitionKeyDefinitionVersion.V2, properties.PartitionKeyDefinitionVersion);
        Assert.Contains("/SomeText/?", properties.IndexingPolicy.ExcludedPaths.Select(path => path.Path));
        Assert.Equal(3, (await Container(prepared).GetFeedRangesAsync(Token)).Count);
        var autoscale = new ContainerSpec { Throughput = 8_000, Autoscale = true };
        Assert.Equal(8_000, (await PreparedAsync(new RunSpec { Id = "r2", Container = autoscale })).BudgetPerSecond);
    }

    [Fact]
    public async Task PrepareAsync_TwoPathsACompositeIndexAndATimeToLive_TheAccountHasThem()
    {
        var container = OwnSpec.Container with
        {
            ExcludedPaths = ["/*"],
            IncludedPaths = ["/KeyNumber/?", "/SomeText/?"],
            CompositeIndexes = ["/KeyNumber, /SomeText DESC"],
            TimeToLive = 60,
        };

        var prepared = await PreparedAsync(OwnSpec with { Container = container });

        ContainerProperties properties = await Container(prepared).ReadContainerAsync(cancellationToken: Token);
        Assert.Equal(["/KeyNumber/?", "/SomeText/?"], properties.IndexingPolicy.IncludedPaths.Select(path => path.Path));
        Assert.Contains("/*", properties.IndexingPolicy.ExcludedPaths.Select(path => path.Path));
        Assert.Equal(
            [("/KeyNumber", CompositePathSortOrder.Ascending), ("/SomeText", CompositePathSortOrder.Descending)],
            Assert.Single(properties.IndexingPolicy.CompositeIndexes).Select(part => (part.Path, part.Order)));
        Assert.Equal(60, properties.DefaultTimeToLive);
    }

    [Fact]
    public async Task PrepareAsync_DirectOverHttp_IsRejectedAndGatewayIsNot()
    {
        using var overHttp = new ContainerControl(_account with { Endpoint = _simulated.HttpEndpoint, CertificateThumbprint = null });
        var gateway = OwnSpec with { Client = new ClientSpec { ConnectionMode = ScaleOut.Specs.ConnectionMode.Gateway } };

        var rejected = await overHttp.PrepareAsync(OwnSpec, _runs.StoreWith(OwnSpec.Id!), Token);

        Assert.StartsWith("client.connectionMode: Direct goes over TLS", Assert.Single(rejected.Rejections), StringComparison.Ordinal);
        Assert.NotNull((await overHttp.PrepareAsync(gateway, _runs.StoreWith(gateway.Id!), Token)).Container);
    }

    [Fact]
    public async Task PrepareAsync_WithoutIndex_CreatesTheContainerAndCountsItsDocuments()
    {
        var prepared = await PreparedAsync(OwnSpec with { Container = new ContainerSpec { Indexing = IndexingMode.None } });
        await AddAsync(prepared, 5);

        ContainerProperties properties = await Container(prepared).ReadContainerAsync(cancellationToken: Token);
        Assert.Equal(Microsoft.Azure.Cosmos.IndexingMode.None, properties.IndexingPolicy.IndexingMode);
        Assert.Equal(5, (await VerifyAsync(prepared)).Verified);
    }

    [Fact]
    public async Task PrepareAsync_Repeated_KeepsTheFirstCount()
    {
        await PreparedAsync(OwnSpec);
        await AddAsync(await PreparedAsync(OwnSpec), 7);

        var again = await PreparedAsync(OwnSpec);

        Assert.Equal((true, 0L), (again.Created, again.CountBefore));
        Assert.Equal(new Verification(7) { BudgetPerSecond = 4_000 }, await VerifyAsync(again));
    }

    [Fact]
    public async Task PrepareAsync_ContainerOfSomebodyElse_IsRejectedAndStays()
    {
        await CreateAsync("scaleout", "run-r1", "/PartitionKey");
        Assert.Contains("not this run's", await RejectionAsync(OwnSpec), StringComparison.Ordinal);
        await _client.GetContainer("scaleout", "run-r1").ReadContainerAsync(cancellationToken: Token);
    }

    [Fact]
    public async Task PrepareAsync_Named_CountsItsDocuments()
    {
        await CreateAsync("shop", "books", "/PartitionKey");
        await AddAsync(_client.GetContainer("shop", "books"), 4);
        await CreateAsync("shop", "others", "/isbn");
        var otherKey = await RejectionAsync(NamedSpec with { Container = NamedSpec.Container with { Name = "others" } });
        Assert.StartsWith("container.partitionKeyPath: shop/others is partitioned by /isbn", otherKey, StringComparison.Ordinal);

        var prepared = await PreparedAsync(NamedSpec);
        await AddAsync(prepared, 6);

        Assert.Equal((false, 4L), (prepared.Created, prepared.CountBefore));
        Assert.Equal(new Verification(6) { BudgetPerSecond = 4_000 }, await VerifyAsync(prepared));
        await _client.GetContainer("shop", "books").ReplaceThroughputAsync(8_000, cancellationToken: Token);
        Assert.Equal(new Verification(6) { BudgetPerSecond = 8_000 }, await VerifyAsync(prepared));
        using var control = new ContainerControl(_account);
        await control.CleanUpAsync(prepared, Token);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync("shop", "books"));
    }

    [Fact]
    public async Task PrepareAsync_NamedIsMissing_SaysWhichPart()
    {
        Assert.Contains("no database shop", await RejectionAsync(NamedSpec), StringComparison.Ordinal);
        await _client.CreateDatabaseAsync("shop", cancellationToken: Token);
        Assert.Contains("no container books in the database shop", await RejectionAsync(NamedSpec), StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_WrongKey_Rejects()
    {
        _account = _account with { Key = Convert.ToBase64String(new byte[64]) };
        var rejection = await RejectionAsync(OwnSpec);
        Assert.Contains("rejects the key (401)", rejection, StringComparison.Ordinal);
        Assert.DoesNotContain(_account.Key!, rejection, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_UntrustedCertificate_SuggestsTheThumbprint()
    {
        _account = _account with { CertificateThumbprint = null };
        Assert.Contains("--account-thumbprint", await RejectionAsync(OwnSpec), StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_StrongerConsistency_RejectsBeforeAnythingIsCreated()
    {
        var rejection = await RejectionAsync(OwnSpec with { Client = new ClientSpec { Consistency = ConsistencyLevel.Strong } });
        Assert.Equal("client.consistency: Strong is stronger than the account's Session.", rejection);
        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync("scaleout", "run-r1"));
    }

    [Fact]
    public async Task PrepareAsync_ThroughputRejected_ReportsTheStatusAndLeavesNothing()
    {
        var rejection = await RejectionAsync(OwnSpec with { Container = new ContainerSpec { Throughput = 1 } });
        Assert.Contains("(400)", rejection, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync("scaleout", "run-r1"));
    }

    [Fact]
    public async Task VerifyAsync_ContainerGone_SaysWhy()
    {
        var prepared = await PreparedAsync(OwnSpec);
        await Container(prepared).DeleteContainerAsync(cancellationToken: Token);

        var verification = await VerifyAsync(prepared);

        Assert.Null(verification.Verified);
        Assert.Contains("scaleout/run-r1 could not be counted", verification.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task CleanUpAsync_CalledTwice_DeletesTheContainerAndDoesNotFail()
    {
        var prepared = await PreparedAsync(OwnSpec);
        using var control = new ContainerControl(_account);

        await control.CleanUpAsync(prepared, Token);
        await control.CleanUpAsync(prepared, Token);

        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync("scaleout", "run-r1"));
        Assert.Contains("gone", await RejectionAsync(OwnSpec), StringComparison.Ordinal);
    }

    /// <summary>Who deletes the container need not try again.</summary>
    [Fact]
    public async Task CleanUpAsync_AccountRejectsTheKey_SaysSo()
    {
        var prepared = await PreparedAsync(OwnSpec);
        using var control = new ContainerControl(_account with { Key = Convert.ToBase64String(new byte[64]) });

        var error = await Assert.ThrowsAsync<AccountException>(() => control.CleanUpAsync(prepared, Token));

        Assert.Equal(AccountErrorKind.Rejected, error.Kind);
        Assert.Contains("rejects the key (401)", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_ThroughResourceManager_CountsOnTheDataPlane()
    {
        await using var azure = await ResourceManagerStandIn.StartAsync();
        azure.ProgressHeader = "Azure-AsyncOperation";
        // The stand-in creates nothing on the account, so this test creates the container there.
        await CreateAsync("scaleout", "run-r1", "/PartitionKey");
        var connection = _account with { ResourceId = ResourceManagerStandIn.AccountPath };
        using var control = new ContainerControl(
            connection, (account, _) => new ResourceManagerPlane(AccountResourceId.From(account), azure.CreateClient()));

        var prepared = (await control.PrepareAsync(OwnSpec, _runs.StoreWith(OwnSpec.Id!), Token)).Container!;

        Assert.Equal((true, 0L, 4_000d), (prepared.Created, prepared.CountBefore, prepared.BudgetPerSecond));
        await AddAsync(prepared, 3);
        Assert.Equal(new Verification(3) { BudgetPerSecond = 4_000 }, await control.VerifyAsync(prepared, Token));
        await control.CleanUpAsync(prepared, Token);
        Assert.Single(azure.CallsOf("DELETE"));
    }

    [Theory]
    [InlineData(WorkloadKind.Insert)]
    [InlineData(WorkloadKind.Bulk)]
    [InlineData(WorkloadKind.Batch)]
    public async Task Create_Throttled_SurfacesEach429ToTheCaller(WorkloadKind kind)
    {
        var prepared = await PreparedAsync(OwnSpec with { Container = new ContainerSpec { Throughput = 400 } });
        using var client = CosmosClientFactory.Create(_account, OwnSpec.SettingsOf(0), bulk: kind == WorkloadKind.Bulk);
        var container = client.GetContainer(prepared.Target.Database, prepared.Target.Name);

        var statuses = await Task.WhenAll(Enumerable.Range(0, 1_000).Select(number => kind == WorkloadKind.Batch
            ? WriteBatchAsync(container, $"{number}")
            : CreateDocumentAsync(container, $"{number}")));

        Assert.All(statuses, status => Assert.Contains((int)status, new[] { 200, 201, 429 }));
        var throttled = statuses.Count(status => status == HttpStatusCode.TooManyRequests);
        Assert.InRange(throttled, 1, 999);
        // If the SDK retried, the account's ledger would have more 429s than the caller saw.
        var ledger = _simulated.ReadLedger().Operations;
        Assert.Equal(throttled, (kind == WorkloadKind.Batch ? ledger.Batch : ledger.Create).Throttled);
    }

    private static async Task<HttpStatusCode> CreateDocumentAsync(Container container, string id)
    {
        using var response = await container.CreateItemStreamAsync(Json(id), new PartitionKey(id), cancellationToken: Token);
        return response.StatusCode;
    }

    private static async Task<HttpStatusCode> WriteBatchAsync(Container container, string key)
    {
        var batch = container.CreateTransactionalBatch(new PartitionKey(key)).CreateItemStream(Json(key));
        using var response = await batch.ExecuteAsync(Token);
        return response.StatusCode;
    }

    private static MemoryStream Json(string id) => new(System.Text.Encoding.UTF8.GetBytes($$"""{"id":"{{id}}","PartitionKey":"{{id}}"}"""));

    private Container Container(PreparedContainer prepared) => _client.GetContainer(prepared.Target.Database, prepared.Target.Name);

    private Task AddAsync(PreparedContainer prepared, int documents) => AddAsync(Container(prepared), documents);

    private static async Task AddAsync(Container container, int documents)
    {
        for (var number = 0; number < documents; number++)
            Assert.Equal(HttpStatusCode.Created, await CreateDocumentAsync(container, $"{Guid.NewGuid()}"));
    }

    private async Task CreateAsync(string database, string container, string keyPath)
    {
        Database created = await _client.CreateDatabaseIfNotExistsAsync(database, cancellationToken: Token);
        await created.CreateContainerAsync(container, keyPath, throughput: 4_000, cancellationToken: Token);
    }

    private async Task<HttpStatusCode> StatusAsync(string database, string container)
    {
        using var response = await _client.GetContainer(database, container).ReadContainerStreamAsync(cancellationToken: Token);
        return response.StatusCode;
    }

    private async Task<Preparation> PrepareAsync(RunSpec spec)
    {
        using var control = new ContainerControl(_account);
        return await control.PrepareAsync(spec, _runs.StoreWith(spec.Id!), Token);
    }

    private async Task<PreparedContainer> PreparedAsync(RunSpec spec)
    {
        var preparation = await PrepareAsync(spec);
        Assert.Empty(preparation.Rejections);
        return preparation.Container!;
    }

    private async Task<string> RejectionAsync(RunSpec spec)
    {
        var preparation = await PrepareAsync(spec);
        Assert.Null(preparation.Container);
        return Assert.Single(preparation.Rejections);
    }

    private async Task<Verification> VerifyAsync(PreparedContainer prepared)
    {
        using var control = new ContainerControl(_account);
        return await control.VerifyAsync(prepared, Token);
    }
}
