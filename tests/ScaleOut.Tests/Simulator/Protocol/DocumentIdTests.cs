using System.Net;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Ids with characters that paths have a meaning for, as the .NET SDK's own tests of the service have them.</summary>
public sealed class DocumentIdTests(AccountFixture fixture) : IClassFixture<AccountFixture>
{
    private static readonly PartitionKey Key = new("k");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string, int, int, int> Ids => new()
    {
        { "Test", 201, 200, 200 },
        { "This is a test", 201, 200, 200 },
        { "  Test", 201, 200, 200 },
        { "Test ", 201, 401, 200 },
        { "WithUnicode鱀", 201, 200, 200 },
        { "WithAllowedSpecial,=.:~+-@()^${}[]!_Chars", 201, 200, 200 },
        { "EndingWithPercentEncodedWhitespace%20", 201, 401, 200 },
        { "WithPercentEncodedSpecialChar%E9%B1%80", 201, 401, 200 },
        { "Disallowed?Chars", 201, 200, 200 },
        { "Disallowed/Chars", 201, 404, 404 },
        { "Disallowed\\Chars", 400, 404, 404 },
        { "Disallowed#Chars", 201, 401, 200 },
        { "With\rCarriageReturn", 201, 200, 200 },
        { "With\tTab", 201, 200, 200 },
        { "With\nLineFeed", 201, 200, 200 },
    };

    [Theory, MemberData(nameof(Ids))]
    public async Task CreateAndRead_EndAsOnTheService(string id, int created, int readOverGateway, int readDirectly)
    {
        foreach (ConnectionMode mode in (ConnectionMode[])[ConnectionMode.Gateway, ConnectionMode.Direct])
        {
            Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode));
            string json = Newtonsoft.Json.JsonConvert.SerializeObject(new Item { Id = id, Key = "k" });

            using ResponseMessage create = await container.CreateItemStreamAsync(Stream(json), Key, cancellationToken: Token);
            using ResponseMessage read = await container.ReadItemStreamAsync(id, Key, cancellationToken: Token);
            using ResponseMessage replace = await container.ReplaceItemStreamAsync(Stream(json), id, Key, cancellationToken: Token);

            int expected = mode == ConnectionMode.Gateway ? readOverGateway : readDirectly;
            Assert.Equal((mode, created, expected), (mode, (int)create.StatusCode, (int)read.StatusCode));
            Assert.Equal((mode, created == 201 ? expected : (int)replace.StatusCode), (mode, (int)replace.StatusCode));
        }
    }

    [Theory]
    [InlineData(ConnectionMode.Gateway)]
    [InlineData(ConnectionMode.Direct)]
    public async Task Replace_WithAnotherIdInTheBody_Is400(ConnectionMode mode)
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode));
        await container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, cancellationToken: Token);

        using ResponseMessage replace = await container.ReplaceItemStreamAsync(
            Stream("""{"id":"2","pk":"k"}"""), "1", Key, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.BadRequest, replace.StatusCode);
    }

    private static MemoryStream Stream(string json) => new(System.Text.Encoding.UTF8.GetBytes(json));
}
