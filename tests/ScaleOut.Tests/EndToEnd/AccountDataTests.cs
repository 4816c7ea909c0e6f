using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd;

public sealed class AccountDataTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Account_WithADataFolder_KeepsItOverARestartAndRejectsItDamaged()
    {
        using var folder = new TemporaryFolder();
        string key;
        using (DevBoxProcess first = Start(folder.Path))
        {
            using JsonDocument ready = await WhenReadyAsync(first);
            key = ready.RootElement.GetProperty("key").GetString()!;
            using var client = new CosmosClient(EndpointOf(ready), key, Gateway);
            Database database = await client.CreateDatabaseAsync("kept", cancellationToken: Token);
            Container container = await database.CreateContainerAsync("items", "/pk", cancellationToken: Token);
            await container.CreateItemAsync(new { id = "1", pk = "k", text = "☃" }, new PartitionKey("k"), cancellationToken: Token);
            await StopAsync(first);
        }

        using (DevBoxProcess second = Start(folder.Path))
        {
            using JsonDocument ready = await WhenReadyAsync(second);
            Assert.Equal(key, ready.RootElement.GetProperty("key").GetString());
            using var client = new CosmosClient(EndpointOf(ready), key, Gateway);
            Newtonsoft.Json.Linq.JObject read = await client.GetContainer("kept", "items")
                .ReadItemAsync<Newtonsoft.Json.Linq.JObject>("1", new PartitionKey("k"), cancellationToken: Token);
            Assert.Equal("☃", (string?)read["text"]);
            using var http = new HttpClient();
            var health = new Uri(ready.RootElement.GetProperty("health").GetString()!);
            Assert.Equal(HttpStatusCode.OK, (await http.GetAsync(health, Token)).StatusCode);

            await StopAsync(second);
        }

        string manifest = Path.Combine(folder.Path, "data", "account.json");
        await File.WriteAllTextAsync(manifest, (await File.ReadAllTextAsync(manifest, Token)).Replace("kept", "lost"), Token);
        using DevBoxProcess third = await DevBoxProcess.RunAsync(folder.Path, ["account", "--data", "data"]);
        Assert.NotEqual(0, third.ExitCode);
        Assert.Contains(manifest, third.Errors, StringComparison.Ordinal);
    }

    private static CosmosClientOptions Gateway => new() { ConnectionMode = ConnectionMode.Gateway };

    private static string EndpointOf(JsonDocument ready) => ready.RootElement.GetProperty("httpEndpoint").GetString()!;

    private static DevBoxProcess Start(string folder) =>
        DevBoxProcess.Start(folder, ["account", "--json", "--latency", "none", "--data", "data"]);

    private static async Task<JsonDocument> WhenReadyAsync(DevBoxProcess account)
    {
        await Until.HoldsAsync(() => account.HasExited || account.Output.Contains('\n', StringComparison.Ordinal), "the account");
        return JsonDocument.Parse(account.Output);
    }

    private static async Task StopAsync(DevBoxProcess account)
    {
        Signals.Send(account.Id, Signals.Terminate);
        await account.WaitAsync();
        Assert.Equal(0, account.ExitCode);
    }
}
