using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using SpecMode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Tests.Workers.Accounts;

public sealed class CosmosClientFactoryTests
{
    private const string Key = "c2NhbGUtb3V0LWtleQ==";
    private static readonly string Thumbprint = new('a', 64);

    private static AccountConnection Local => new() { Endpoint = new Uri("https://localhost:8081/"), Key = Key };

    private static AccountConnection InAzure => new() { Endpoint = new Uri("https://books.documents.azure.com:443/"), Key = Key };

    private static ClientSettings Gateway => new() { ConnectionMode = SpecMode.Gateway, Concurrency = 1 };

    private static ClientSettings Direct => new() { ConnectionMode = SpecMode.Direct, Concurrency = 1 };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Create_AnySettings_LeavesThrottlingToTheCaller(bool bulk)
    {
        using var client = CosmosClientFactory.Create(Local, Direct, bulk);
        Assert.Equal(0, client.ClientOptions.MaxRetryAttemptsOnRateLimitedRequests);
        Assert.Equal(TimeSpan.Zero, client.ClientOptions.MaxRetryWaitTimeOnRateLimitedRequests);
        Assert.Equal(bulk, client.ClientOptions.AllowBulkExecution);
    }

    [Fact]
    public void Create_AnyClient_LeavesThreadPoolOneThreadMoreThanCores()
    {
        // The test runner may have raised the minimum before.
        ThreadPool.GetMinThreads(out var before, out var completionThreads);
        try
        {
            Assert.True(ThreadPool.SetMinThreads(Environment.ProcessorCount, completionThreads));
            using var client = CosmosClientFactory.Create(Local, Direct, bulk: false);
            ThreadPool.GetMinThreads(out var threads, out _);
            Assert.Equal(Environment.ProcessorCount + 1, threads);
        }
        finally
        {
            ThreadPool.SetMinThreads(before, completionThreads);
        }
    }

    [Theory]
    [InlineData(SpecMode.Gateway, 7)]
    [InlineData(SpecMode.Direct, 1)]
    [InlineData(SpecMode.Direct, 65_535)]
    public void Create_MaxConnections_LimitsTheConnectionsOfItsMode(SpecMode mode, int connections)
    {
        var settings = Gateway with { ConnectionMode = mode, MaxConnections = connections };
        using var client = CosmosClientFactory.Create(Local, settings, bulk: false);

        var options = client.ClientOptions;
        Assert.Equal($"{mode}", $"{options.ConnectionMode}");
        Assert.Equal(mode == SpecMode.Direct ? connections : null, options.MaxTcpConnectionsPerEndpoint);
        if (mode == SpecMode.Gateway)
            Assert.Equal(connections, options.GatewayModeMaxConnectionLimit);
    }

    [Theory]
    [InlineData(SpecMode.Gateway)]
    [InlineData(SpecMode.Direct)]
    public void Create_NoConnections_Throws(SpecMode mode)
    {
        var error = ErrorOf(Local, Gateway with { ConnectionMode = mode, MaxConnections = 0 });
        Assert.Contains("client.maxConnections", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Create_TcpSettings_SetsTheOptionsOfDirect()
    {
        var settings = Direct with
        {
            MaxRequestsPerConnection = 8,
            IdleConnectionTimeout = TimeSpan.FromMinutes(20),
            RequestTimeout = TimeSpan.FromSeconds(3),
        };
        using var client = CosmosClientFactory.Create(Local, settings, bulk: false);
        using var plain = CosmosClientFactory.Create(Local, Direct, bulk: false);

        Assert.Equal(8, client.ClientOptions.MaxRequestsPerTcpConnection);
        Assert.Equal(TimeSpan.FromMinutes(20), client.ClientOptions.IdleTcpConnectionTimeout);
        Assert.Equal(TimeSpan.FromSeconds(3), client.ClientOptions.RequestTimeout);
        Assert.Null(plain.ClientOptions.MaxRequestsPerTcpConnection);
        Assert.Null(plain.ClientOptions.IdleTcpConnectionTimeout);
        Assert.Equal(TimeSpan.FromSeconds(10), plain.ClientOptions.RequestTimeout);
    }

    [Theory]
    [InlineData(SpecMode.Gateway, RequestPriority.High, PriorityLevel.High)]
    [InlineData(SpecMode.Direct, RequestPriority.Low, PriorityLevel.Low)]
    public void Create_PriorityAndBucket_SetsThemForAllRequests(SpecMode mode, RequestPriority asked, PriorityLevel expected)
    {
        var settings = Gateway with { ConnectionMode = mode, Priority = asked, ThroughputBucket = 4 };
        using var client = CosmosClientFactory.Create(Local, settings, bulk: true);
        using var plain = CosmosClientFactory.Create(Local, Gateway, bulk: false);

        Assert.Equal(expected, client.ClientOptions.PriorityLevel);
        Assert.Equal(4, client.ClientOptions.ThroughputBucket);
        Assert.Null(plain.ClientOptions.PriorityLevel);
        Assert.Null(plain.ClientOptions.ThroughputBucket);
    }

    [Fact]
    public void Create_PreferredRegion_IsThePlaceOfTheApplication()
    {
        using var client = CosmosClientFactory.Create(InAzure, Direct with { PreferredRegion = "West Europe" }, bulk: false);
        Assert.Equal("West Europe", client.ClientOptions.ApplicationRegion);
    }

    [Theory]
    [InlineData("https://books.documents.azure.com:443/", "Atlantis")]
    [InlineData("https://localhost:8081/", "West Europe")]
    public void Create_RegionThatIsNone_ThrowsWithTheSetting(string endpoint, string region)
    {
        var account = new AccountConnection { Endpoint = new Uri(endpoint), Key = Key };
        var error = ErrorOf(account, Direct with { PreferredRegion = region });
        Assert.StartsWith("client.preferredRegion: ", error.Message, StringComparison.Ordinal);
        Assert.Contains(region == "Atlantis" ? region : "localhost", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.Strong, Microsoft.Azure.Cosmos.ConsistencyLevel.Strong)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.BoundedStaleness, Microsoft.Azure.Cosmos.ConsistencyLevel.BoundedStaleness)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.Session, Microsoft.Azure.Cosmos.ConsistencyLevel.Session)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.ConsistentPrefix, Microsoft.Azure.Cosmos.ConsistencyLevel.ConsistentPrefix)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.Eventual, Microsoft.Azure.Cosmos.ConsistencyLevel.Eventual)]
    public void Create_Consistency_SetsTheLevelOfThatNameInTheSdk(
        ScaleOut.Specs.ConsistencyLevel asked, Microsoft.Azure.Cosmos.ConsistencyLevel expected)
    {
        using var client = CosmosClientFactory.Create(Local, Gateway with { Consistency = asked }, bulk: false);
        Assert.Equal(expected, client.ClientOptions.ConsistencyLevel);
    }

    [Fact]
    public void Create_DefaultSettings_KeepsTheSdksDefaultsAndOutsideAzureTheEndpoint()
    {
        using var client = CosmosClientFactory.Create(InAzure, Gateway, bulk: false);
        using var local = CosmosClientFactory.Create(Local, Gateway, bulk: false);
        using var pinned = CosmosClientFactory.Create(Local with { CertificateThumbprint = Thumbprint }, Gateway, bulk: false);

        Assert.Equal(new CosmosClientOptions().GatewayModeMaxConnectionLimit, client.ClientOptions.GatewayModeMaxConnectionLimit);
        Assert.Null(client.ClientOptions.ConsistencyLevel);
        Assert.False(client.ClientOptions.EnableContentResponseOnWrite);
        Assert.False(client.ClientOptions.LimitToEndpoint);
        Assert.Null(client.ClientOptions.ServerCertificateCustomValidationCallback);
        Assert.True(local.ClientOptions.LimitToEndpoint);
        Assert.NotNull(pinned.ClientOptions.ServerCertificateCustomValidationCallback);
    }

    [Fact]
    public void Create_PinInAzure_Throws()
    {
        var account = InAzure with { CertificateThumbprint = Thumbprint };
        Assert.Contains("books.documents.azure.com", ErrorOf(account, Gateway).Message, StringComparison.Ordinal);
        Assert.Throws<AccountException>(() => CosmosClientFactory.CreateControl(account));
    }

    [Theory]
    [InlineData("")]
    [InlineData("not base64!")]
    public void Create_MalformedKey_ThrowsWithoutShowingIt(string key)
    {
        var error = ErrorOf(Local with { Key = key }, Gateway);
        Assert.Contains("base64", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("not base64!", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Create_IdentityOverHttp_Throws() =>
        ErrorOf(new AccountConnection { Endpoint = new Uri("http://localhost:8081/") }, Gateway);

    [Fact]
    public void CreateControl_AnyAccount_WaitsOutThrottling()
    {
        using var client = CosmosClientFactory.CreateControl(Local);
        Assert.Equal(ConnectionMode.Gateway, client.ClientOptions.ConnectionMode);
        Assert.True(client.ClientOptions.MaxRetryAttemptsOnRateLimitedRequests > 9);
        Assert.True(client.ClientOptions.MaxRetryWaitTimeOnRateLimitedRequests >= TimeSpan.FromMinutes(1));
    }

    private static AccountException ErrorOf(AccountConnection account, ClientSettings settings) =>
        Assert.Throws<AccountException>(() => CosmosClientFactory.Create(account, settings, bulk: false));
}
