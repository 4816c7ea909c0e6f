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
