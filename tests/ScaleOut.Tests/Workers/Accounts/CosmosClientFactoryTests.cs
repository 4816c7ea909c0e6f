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
        using var client = CosmosClientFactory.Create(Local, Direct, bulk: false);

        ThreadPool.GetMinThreads(out var threads, out _);

        Assert.True(threads > Environment.ProcessorCount);
    }

    [Fact]
    public void Create_MaxConnectionsInGateway_LimitsGatewayConnections()
    {
        using var client = CosmosClientFactory.Create(Local, Gateway with { MaxConnections = 7 }, bulk: false);

        Assert.Equal(ConnectionMode.Gateway, client.ClientOptions.ConnectionMode);
        Assert.Equal(7, client.ClientOptions.GatewayModeMaxConnectionLimit);
        Assert.Null(client.ClientOptions.MaxTcpConnectionsPerEndpoint);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(65_535)]
    public void Create_MaxConnectionsInDirect_LimitsConnectionsPerEndpoint(int connections)
    {
        using var client = CosmosClientFactory.Create(Local, Direct with { MaxConnections = connections }, bulk: false);

        Assert.Equal(ConnectionMode.Direct, client.ClientOptions.ConnectionMode);
        Assert.Equal(connections, client.ClientOptions.MaxTcpConnectionsPerEndpoint);
    }

    [Theory]
    [InlineData(SpecMode.Gateway)]
    [InlineData(SpecMode.Direct)]
    public void Create_NoConnections_Throws(SpecMode mode)
    {
        var settings = Gateway with { ConnectionMode = mode, MaxConnections = 0 };

        var error = Assert.Throws<AccountException>(() => CosmosClientFactory.Create(Local, settings, bulk: false));

        Assert.Contains("client.maxConnections", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.Strong, Microsoft.Azure.Cosmos.ConsistencyLevel.Strong)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.BoundedStaleness, Microsoft.Azure.Cosmos.ConsistencyLevel.BoundedStaleness)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.Session, Microsoft.Azure.Cosmos.ConsistencyLevel.Session)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.ConsistentPrefix, Microsoft.Azure.Cosmos.ConsistencyLevel.ConsistentPrefix)]
    [InlineData(ScaleOut.Specs.ConsistencyLevel.Eventual, Microsoft.Azure.Cosmos.ConsistencyLevel.Eventual)]
    public void Create_Consistency_IsTheSdksOfTheSameName(
        ScaleOut.Specs.ConsistencyLevel asked, Microsoft.Azure.Cosmos.ConsistencyLevel expected)
    {
        using var client = CosmosClientFactory.Create(Local, Gateway with { Consistency = asked }, bulk: false);

        Assert.Equal(expected, client.ClientOptions.ConsistencyLevel);
    }

    [Fact]
    public void Create_NothingAsked_KeepsTheSdksDefaultsAndOutsideAzureStaysAtTheEndpoint()
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

        var error = Assert.Throws<AccountException>(() => CosmosClientFactory.Create(account, Gateway, bulk: false));

        Assert.Contains("books.documents.azure.com", error.Message, StringComparison.Ordinal);
        Assert.Throws<AccountException>(() => CosmosClientFactory.CreateControl(account));
    }

    [Theory]
    [InlineData("")]
    [InlineData("not base64!")]
    public void Create_MalformedKey_ThrowsWithoutShowingIt(string key)
    {
        var error = Assert.Throws<AccountException>(() => CosmosClientFactory.Create(Local with { Key = key }, Gateway, bulk: false));

        Assert.Contains("base64", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("not base64!", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Create_IdentityOverHttp_Throws()
    {
        var account = new AccountConnection { Endpoint = new Uri("http://localhost:8081/") };

        Assert.Throws<AccountException>(() => CosmosClientFactory.Create(account, Gateway, bulk: false));
    }

    [Fact]
    public void CreateControl_AnyAccount_WaitsOutThrottling()
    {
        using var client = CosmosClientFactory.CreateControl(Local);

        Assert.Equal(ConnectionMode.Gateway, client.ClientOptions.ConnectionMode);
        Assert.True(client.ClientOptions.MaxRetryAttemptsOnRateLimitedRequests > 9);
        Assert.True(client.ClientOptions.MaxRetryWaitTimeOnRateLimitedRequests >= TimeSpan.FromMinutes(1));
    }
}
