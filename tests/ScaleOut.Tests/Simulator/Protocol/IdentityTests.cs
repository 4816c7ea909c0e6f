using Azure.Core;
using Microsoft.Azure.Cosmos;
using ScaleOut.Tests.Simulator.Engine.BinaryJson;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class IdentityTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Fact]
    public async Task TokenOfAnIdentity_Is401AndNamed()
    {
        using var client = new CosmosClient(
            Account.HttpEndpoint.AbsoluteUri, new FixedCredential(),
            new CosmosClientOptions { ConnectionMode = ConnectionMode.Gateway });

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => client.ReadAccountAsync());

        Assert.Equal(HttpStatusCode.Unauthorized, e.StatusCode);
        Assert.Contains("AAD", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ConnectionMode.Gateway)]
    [InlineData(ConnectionMode.Direct)]
    public async Task BinaryPayload_IsReadAsItsJson(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        byte[] document = SdkBinaryWriter.Write("""{"id":"1","pk":"k","value":[1,"two"]}""");

        using ResponseMessage created = await container.CreateItemStreamAsync(
            new MemoryStream(document), new PartitionKey("k"), cancellationToken: Token);
        using ResponseMessage cut = await container.CreateItemStreamAsync(
            new MemoryStream(document[..^1]), new PartitionKey("k"), cancellationToken: Token);
        using ResponseMessage patched = await container.PatchItemStreamAsync(
            "1", new PartitionKey("k"), [PatchOperation.Set("/value/0", 2)], cancellationToken: Token);
        using ResponseMessage read = await container.ReadItemStreamAsync("1", new PartitionKey("k"), cancellationToken: Token);
        JsonElement item = await JsonSerializer.DeserializeAsync<JsonElement>(read.Content, cancellationToken: Token);

        Assert.Equal((HttpStatusCode.Created, HttpStatusCode.BadRequest), (created.StatusCode, cut.StatusCode));
        Assert.Equal(HttpStatusCode.OK, patched.StatusCode);
        Assert.Contains("binary-encoded", cut.ErrorMessage, StringComparison.Ordinal);
        Assert.Equal("""[2,"two"]""", item.GetProperty("value").GetRawText());
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
