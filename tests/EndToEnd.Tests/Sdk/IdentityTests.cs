using Azure.Core;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class IdentityTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Fact]
    public async Task Request_TokenOfAnIdentity_Is401ThatNamesIt()
    {
        using var client = new CosmosClient(
            Account.HttpEndpoint.AbsoluteUri, new FixedCredential(), new CosmosClientOptions { ConnectionMode = ConnectionMode.Gateway });
        var e = await FailsAsync(HttpStatusCode.Unauthorized, () => client.ReadAccountAsync());
        Assert.Contains("AAD", e.Message, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Request_TokenOfAnIdentity_IsServedWhereAnyIsAccepted(ConnectionMode mode)
    {
        await using var account = await StartTolerantAsync();
        using var client = new CosmosClient(account.HttpsEndpoint.AbsoluteUri, new FixedCredential(), new CosmosClientOptions
        {
            ConnectionMode = mode,
            ServerCertificateCustomValidationCallback = (certificate, _, _) => certificate.Equals(account.Certificate),
        });
        var container = await AccountClients.CreateContainerAsync(client);
        await container.AddAsync(new Item { Id = "1", Key = "k" });

        Assert.Equal("1", (await container.ReadAsync("1", new PartitionKey("k"))).Resource.Id);
        Assert.Single(await container.QueryAsync<Item>("SELECT * FROM c ORDER BY c.id"));
        using var wrongKey = AccountClients.Create(account, mode, key: Convert.ToBase64String(new byte[64]));
        await FailsAsync(HttpStatusCode.Unauthorized, () => wrongKey.ReadAccountAsync());
    }

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData("", HttpStatusCode.Unauthorized)]
    [InlineData("token", HttpStatusCode.Unauthorized)]
    [InlineData("type=aad&ver=1.0", HttpStatusCode.Unauthorized)]
    [InlineData("type=aad&ver=1.0&sig=", HttpStatusCode.Unauthorized)]
    [InlineData("type%3daad%26ver%3d1.0%26sig%3d", HttpStatusCode.Unauthorized)]
    [InlineData("type%3dmaster%26ver%3d1.0%26sig%3dAAAA", HttpStatusCode.Unauthorized)]
    [InlineData("type=aad&ver=1.0&sig=x", HttpStatusCode.OK)]
    [InlineData("type%3Daad%26ver%3D1.0%26sig%3Dx", HttpStatusCode.OK)]
    public async Task Request_WhereAnyTokenIsAccepted_NeedsOne(string? authorization, HttpStatusCode expected)
    {
        await using var account = await StartTolerantAsync();
        using var wire = new WireClient(account);
        using var response = await wire.SendAsync(HttpMethod.Get, "/dbs", change: request =>
        {
            request.Headers.Remove("authorization");
            request.Headers.Remove("x-ms-date");
            if (authorization is not null)
                request.Headers.TryAddWithoutValidation("authorization", authorization);
        });
        Assert.Equal(expected, response.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_BinaryPayload_IsReadAsItsJson(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var key = new PartitionKey("k");
        var document = SdkBinaryWriter.Write("""{"id":"1","pk":"k","value":[1,"two"]}""");
        using var created = await container.CreateItemStreamAsync(new MemoryStream(document), key, cancellationToken: Token);
        using var cut = await container.CreateItemStreamAsync(new MemoryStream(document[..^1]), key, cancellationToken: Token);
        await container.PatchAsync("1", key, PatchOperation.Set("/value/0", 2));
        var read = (await container.ReadAsync<Newtonsoft.Json.Linq.JObject>("1", key)).Resource;

        Assert.Equal((HttpStatusCode.Created, HttpStatusCode.BadRequest), (created.StatusCode, cut.StatusCode));
        Assert.Contains("binary-encoded", cut.ErrorMessage, StringComparison.Ordinal);
        Assert.Equal("""[2,"two"]""", read["value"]!.ToString(Newtonsoft.Json.Formatting.None));
    }

    private static Task<SimulatedAccount> StartTolerantAsync() =>
        SimulatedAccount.StartAsync(new SimulatedAccountOptions { AcceptsAnyToken = true }, Token);

    /// <summary>Issues a token that nobody signed.</summary>
    private sealed class FixedCredential : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new($"{Part("""{"alg":"none"}""")}.{Part("""{"oid":"00000000-0000-0000-0000-000000000001"}""")}.", DateTimeOffset.MaxValue);

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(GetToken(requestContext, cancellationToken));

        private static string Part(string json) => Convert.ToBase64String(Encoding.UTF8.GetBytes(json)).TrimEnd('=');
    }
}
