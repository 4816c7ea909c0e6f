using System.Net;
using System.Text;
using Azure.Core;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class IdentityTests(AccountFixture fixture) : IClassFixture<AccountFixture>
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task TokenOfAnIdentity_Is401AndNamed()
    {
        using var client = new CosmosClient(
            fixture.Account.HttpEndpoint.AbsoluteUri, new FixedCredential(),
            new CosmosClientOptions { ConnectionMode = ConnectionMode.Gateway });

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => client.ReadAccountAsync());

        Assert.Equal(HttpStatusCode.Unauthorized, e.StatusCode);
        Assert.Contains("AAD", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task BinaryPayload_Is400AndNamed()
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(ConnectionMode.Gateway));

        using ResponseMessage response = await container.CreateItemStreamAsync(
            new MemoryStream([0x80, 0xEA, 0x05, 0x2D, 0x81, 0x31, 0x4A]), new PartitionKey("k"), cancellationToken: Token);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains("CosmosBinary", response.ErrorMessage, StringComparison.Ordinal);
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
