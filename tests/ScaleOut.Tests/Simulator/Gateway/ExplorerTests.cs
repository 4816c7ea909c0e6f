using System.Net;
using System.Text.Json;
using Microsoft.Azure.Cosmos;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Simulator.Accounts;
using ScaleOut.Specs;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Gateway;

public sealed class ExplorerTests : IAsyncLifetime
{
    private readonly HttpClient _http = new(new SocketsHttpHandler { AllowAutoRedirect = false });
    private SimulatedAccount _account = null!;

    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task Data_AfterRequests_HasDocumentsChargesAnd429s(ConnectionMode mode)
    {
        using CosmosClient client = AccountClients.Create(_account, mode);
        Container container = await AccountClients.CreateContainerAsync(client, throughput: 400);
        double charged = 0;
        int created = 0;
        HttpStatusCode status = HttpStatusCode.Created;
        while (status == HttpStatusCode.Created)
        {
            using ResponseMessage response = await container.CreateItemStreamAsync(
                new MemoryStream(System.Text.Encoding.UTF8.GetBytes($$"""{"id":"{{created}}","pk":"one"}""")), new PartitionKey("one"),
                cancellationToken: Token);
            status = response.StatusCode;
            if (status == HttpStatusCode.Created)
            {
                created++;
                charged += response.Headers.RequestCharge;
            }
        }

        Assert.Equal(HttpStatusCode.TooManyRequests, status);
        using JsonDocument data = JsonDocument.Parse(await _http.GetStringAsync(Page("_explorer/data"), Token));
        JsonElement shown = data.RootElement.GetProperty("containers").EnumerateArray()
            .Single(one => one.GetProperty("name").GetString() == container.Id);
        Assert.Equal(created, shown.GetProperty("documents").GetInt64());
        JsonElement[] partitions = [.. shown.GetProperty("partitions").EnumerateArray()];
        Assert.Equal(1, partitions.Sum(one => one.GetProperty("throttled").GetInt64()));
        Assert.Equal(charged, partitions.Sum(one => one.GetProperty("requestUnits").GetDouble()), 6);
        JsonElement[] requests = [.. data.RootElement.GetProperty("requests").EnumerateArray()];
        Assert.Equal(429, requests[0].GetProperty("status").GetInt32());
        Assert.Equal(3200, requests[0].GetProperty("subStatus").GetInt32());
        Assert.Equal(mode.ToString(), requests[0].GetProperty("mode").GetString());
        Assert.Equal("Create Document", requests[1].GetProperty("what").GetString());
        // 1 KB and one indexed term.
        Assert.Equal(5.15, requests[1].GetProperty("requestUnits").GetDouble(), 6);
        Assert.DoesNotContain(_account.Key, data.RootElement.GetRawText(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("health", HttpStatusCode.OK, "application/json")]
    [InlineData("_explorer/", HttpStatusCode.OK, "text/html; charset=utf-8")]
    [InlineData("_explorer/explorer.js", HttpStatusCode.OK, "text/javascript; charset=utf-8")]
    [InlineData("_explorer/explorer.css", HttpStatusCode.OK, "text/css; charset=utf-8")]
    [InlineData("_explorer/account.pem", HttpStatusCode.OK, "application/x-pem-file")]
    [InlineData("_explorer", HttpStatusCode.TemporaryRedirect, "text/plain")]
    [InlineData("_explorer/none", HttpStatusCode.NotFound, "text/plain")]
    [InlineData("healthy", HttpStatusCode.Unauthorized, "application/json")]
    public async Task Get_OfAPath_RespondsWithoutAKeyWhereItIsAPage(string path, HttpStatusCode expected, string type)
    {
        using HttpResponseMessage response = await _http.GetAsync(Page(path), Token);

        Assert.Equal(expected, response.StatusCode);
        Assert.Equal(type, response.Content.Headers.ContentType?.ToString());
    }

    [Fact]
    public async Task Get_UnderAForeignName_IsForbidden()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, Page("_explorer/data"));
        request.Headers.Host = "rebound.example:80";

        using HttpResponseMessage response = await _http.SendAsync(request, Token);

        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    [Fact]
    public async Task Post_ToAPage_IsNotAllowed()
    {
        using HttpResponseMessage response = await _http.PostAsync(Page("_explorer/data"), null, Token);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
    }

    public async ValueTask InitializeAsync() => _account = await SimulatedAccount.StartAsync(
        new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 2, KeepsLastRequests = true });

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _account.DisposeAsync();
    }

    private Uri Page(string path) => new(_account.HttpEndpoint, path);
}
