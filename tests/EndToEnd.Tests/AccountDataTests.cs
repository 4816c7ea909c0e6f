using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd;

public sealed class AccountDataTests : ProgramInFolder
{
    [Fact]
    public async Task Account_WithADataFolder_KeepsItsDataOverARestartAndRejectsDamagedData()
    {
        string key;
        using (var first = StartAccount())
        {
            using var ready = await WhenReadyAsync(first);
            key = ready.RootElement.GetProperty("key").GetString()!;
            using var client = new CosmosClient(EndpointOf(ready), key, Gateway);
            Database database = await client.CreateDatabaseAsync("kept", cancellationToken: Cancellation);
            Container container = await database.CreateContainerAsync("items", "/pk", cancellationToken: Cancellation);
            await container.CreateItemAsync(new { id = "1", pk = "k", text = "☃" }, new PartitionKey("k"), cancellationToken: Cancellation);
            await StopAsync(first);
        }

        using (var second = StartAccount())
        {
            using var ready = await WhenReadyAsync(second);
            Assert.Equal(key, ready.RootElement.GetProperty("key").GetString());
            using var client = new CosmosClient(EndpointOf(ready), key, Gateway);
            Newtonsoft.Json.Linq.JObject read = await client.GetContainer("kept", "items")
                .ReadItemAsync<Newtonsoft.Json.Linq.JObject>("1", new PartitionKey("k"), cancellationToken: Cancellation);
            Assert.Equal("☃", (string?)read["text"]);
            using var http = new HttpClient();
            var health = new Uri(ready.RootElement.GetProperty("health").GetString()!);
            Assert.Equal(HttpStatusCode.OK, (await http.GetAsync(health, Cancellation)).StatusCode);
            await StopAsync(second);
        }

        var manifest = In("data", "account.json");
        await File.WriteAllTextAsync(manifest, (await File.ReadAllTextAsync(manifest, Cancellation)).Replace("kept", "lost"), Cancellation);
        using var third = await RunAsync("account", "--data", "data");
        Assert.NotEqual(0, third.ExitCode);
        Assert.Contains(manifest, third.Errors, StringComparison.Ordinal);
    }

    /// <summary>So the settings of an app that trusts the account's certificate stay right.</summary>
    [Fact]
    public async Task Account_WithAKeyFile_HasTheSameCertificateAfterARestart()
    {
        await WriteAsync("account.key", Convert.ToBase64String(new byte[64]));
        var seen = new List<string>();
        for (var start = 0; start < 2; start++)
        {
            using var account = Start("account", "--json", "-", "--latency", "none", "--key-file", "account.key");
            using var ready = await WhenReadyAsync(account);
            seen.Add(ready.RootElement.GetProperty("certificateSha256").GetString()!);
            await StopAsync(account);
            Assert.Empty(account.Errors);
        }

        Assert.Equal(seen[0], seen[1]);
        Assert.True(File.Exists(In("account.key.pfx")));
    }

    [Fact]
    public async Task Account_WithAKeyFileThatIsNotThere_KeepsItsKeyInIt()
    {
        var seen = new List<string>();
        for (var start = 0; start < 2; start++)
        {
            using var account = Start("account", "--json", "-", "--latency", "none", "--key-file", "account.key");
            using var ready = await WhenReadyAsync(account);
            seen.Add(ready.RootElement.GetProperty("key").GetString()!);
            await StopAsync(account);
        }

        Assert.Equal(seen[0], seen[1]);
        Assert.Equal(seen[0], await File.ReadAllTextAsync(In("account.key"), Cancellation));
        Assert.True(File.Exists(In("account.key.pfx")));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(In("account.key")));
    }

    private static CosmosClientOptions Gateway => new() { ConnectionMode = ConnectionMode.Gateway };

    private static string EndpointOf(JsonDocument ready) => ready.RootElement.GetProperty("httpEndpoint").GetString()!;

    private DevBoxProcess StartAccount() => Start("account", "--json", "-", "--latency", "none", "--data", "data");

    private static async Task<JsonDocument> WhenReadyAsync(DevBoxProcess account)
    {
        await Until.HoldsAsync(() => account.HasExited || account.Output.Contains('\n', StringComparison.Ordinal), "the account");
        return JsonDocument.Parse(account.Output);
    }

    private static async Task StopAsync(DevBoxProcess account)
    {
        await SignalAsync(account, Signals.Terminate);
        AssertEnded(account);
    }
}
