using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using ScaleOut.Simulator.Persistence;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class DataFolderTests : SdkTests, IDisposable
{
    private const int Documents = 300;
    private readonly TemporaryFolder _temporary = new();

    public static TheoryData<PartitionKeyDefinitionVersion> Versions => [.. Enum.GetValues<PartitionKeyDefinitionVersion>()];

    [Theory, MemberData(nameof(Versions))]
    public async Task Restart_OfAnAccount_KeepsDatabasesContainersAndDocuments(PartitionKeyDefinitionVersion version)
    {
        (string Key, string Certificate) known = default;
        ContainerProperties before = null!;
        string[] etags = [];
        var feedContinuation = "";
        await KeepAsync(async (account, client) =>
        {
            known = (account.Key, account.CertificateThumbprint);
            var container = await CreateAsync(client, version);
            await FillAsync(container);
            await AccountClients.ChangeAsync(account, "split", container, 1);
            await container.ReplaceAsync(Item(3) with { Value = 33 }, "3", Key(3));
            await container.DeleteAsync("4", Key(4));
            etags = await ReadEtagsAsync(container);
            feedContinuation = await ReadFeedToItsEndAsync(container);
            before = await container.PropertiesAsync();
        });

        await using var restarted = await StartAsync();
        using var direct = AccountClients.Create(restarted, ConnectionMode.Direct);
        var kept = direct.GetContainer("tests", "kept");

        Assert.Equal(known, (restarted.Key, restarted.CertificateThumbprint));
        var after = await kept.PropertiesAsync();
        Assert.Equal((before.SelfLink, before.ETag, before.PartitionKeyPath), (after.SelfLink, after.ETag, after.PartitionKeyPath));
        Assert.Equal(12_300, await kept.ReadThroughputAsync(Token));
        Assert.Equal(etags, await ReadEtagsAsync(kept));
        Assert.Equal(33, (await kept.ReadAsync("3", Key(3))).Resource.Value);
        Assert.Equal(4, (await kept.GetFeedRangesAsync(Token)).Count);
        using var feed = kept.GetChangeFeedIterator<Item>(
            ChangeFeedStartFrom.ContinuationToken(feedContinuation), ChangeFeedMode.LatestVersion);
        await kept.AddAsync(Item(Documents));
        Assert.Equal([$"{Documents}"], (await feed.ReadAllAsync()).Select(item => item.Id));
    }

    [Fact]
    public async Task Restart_AfterDeletingTheNewestContainer_DoesNotReuseItsResourceId()
    {
        var deleted = "";
        await KeepAsync(async (_, client) =>
        {
            var container = await CreateAsync(client);
            deleted = (await container.PropertiesAsync()).SelfLink;
            await container.DeleteContainerAsync(cancellationToken: Token);
        });

        await using var restarted = await StartAsync();
        using var again = AccountClients.Create(restarted, ConnectionMode.Gateway);
        Assert.NotEqual(deleted, (await (await CreateAsync(again)).PropertiesAsync()).SelfLink);
    }

    [Fact]
    public async Task Restart_AfterATransaction_KeepsItTogetherInTheFeed()
    {
        await KeepAsync(async (_, client) =>
        {
            var container = await CreateAsync(client);
            using var done = await container.CreateTransactionalBatch(Key(0))
                .CreateItem(Item(0)).CreateItem(Item(40)).CreateItem(Item(80)).ExecuteAsync(Token);
            Assert.True(done.IsSuccessStatusCode);
        });

        await using var restarted = await StartAsync();
        using var again = AccountClients.Create(restarted, ConnectionMode.Gateway);
        using var feed = again.GetContainer("tests", "kept").GetChangeFeedIterator<Item>(
            ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(Key(0))), ChangeFeedMode.LatestVersion,
            new ChangeFeedRequestOptions { PageSizeHint = 1 });
        Assert.Equal(["0", "40", "80"], (await feed.ReadNextAsync(Token)).Select(item => item.Id));
    }

    [Fact]
    public async Task Restart_OfAContainerWithScripts_KeepsThem()
    {
        var etag = "";
        await KeepAsync(async (_, client) =>
        {
            var scripts = (await CreateAsync(client)).Scripts;
            await scripts.CreateUserDefinedFunctionAsync(
                new UserDefinedFunctionProperties { Id = "f", Body = "function() { return 1; }" }, cancellationToken: Token);
            await scripts.CreateStoredProcedureAsync(new StoredProcedureProperties("gone", "function() { }"), cancellationToken: Token);
            await scripts.DeleteStoredProcedureAsync("gone", cancellationToken: Token);
            TriggerProperties trigger = await scripts.CreateTriggerAsync(
                new TriggerProperties
                {
                    Id = "t", Body = "function() { }", TriggerType = TriggerType.Post, TriggerOperation = TriggerOperation.Delete,
                },
                cancellationToken: Token);
            etag = trigger.ETag;
        });

        await using var restarted = await StartAsync();
        using var client = AccountClients.Create(restarted, ConnectionMode.Gateway);
        var kept = client.GetContainer("tests", "kept");
        Assert.Equal([1], await kept.QueryAsync<int>("SELECT VALUE udf.f()"));
        Assert.Empty(await kept.Scripts.GetStoredProcedureQueryIterator<StoredProcedureProperties>().ReadAllAsync());
        TriggerProperties read = await kept.Scripts.ReadTriggerAsync("t", cancellationToken: Token);
        Assert.Equal((etag, TriggerType.Post, TriggerOperation.Delete), (read.ETag, read.TriggerType, read.TriggerOperation));
        // A new one does not take the number of one that is gone.
        StoredProcedureProperties created = await kept.Scripts.CreateStoredProcedureAsync(
            new StoredProcedureProperties("new", "function() { }"), cancellationToken: Token);
        Assert.NotEqual(etag, created.ETag);
    }

    [Fact]
    public async Task Restart_AfterTheLastScriptWasDeleted_DoesNotGiveItsNumberAgain()
    {
        var properties = new StoredProcedureProperties("p", "function() { }");
        StoredProcedureProperties gone = null!;
        await KeepAsync(async (_, client) =>
        {
            var scripts = (await CreateAsync(client)).Scripts;
            gone = await scripts.CreateStoredProcedureAsync(properties, cancellationToken: Token);
            await scripts.DeleteStoredProcedureAsync("p", cancellationToken: Token);
        });

        await using var restarted = await StartAsync();
        using var client = AccountClients.Create(restarted, ConnectionMode.Gateway);
        StoredProcedureProperties created = await client.GetContainer("tests", "kept").Scripts.CreateStoredProcedureAsync(
            properties, cancellationToken: Token);
        Assert.NotEqual(gone.SelfLink, created.SelfLink);
        Assert.NotEqual(gone.ETag, created.ETag);
    }

    [Fact]
    public async Task Restart_OfContainersWithRules_KeepsTheRules()
    {
        await KeepAsync(async (_, client) =>
        {
            Database shared = await client.CreateDatabaseAsync("shared", 5_000, cancellationToken: Token);
            var rules = new ContainerProperties("unique", "/pk")
            {
                DefaultTimeToLive = 3_600,
                UniqueKeyPolicy = new UniqueKeyPolicy { UniqueKeys = { new UniqueKey { Paths = { "/text" } } } },
            };
            Container unique = await shared.CreateContainerAsync(rules, cancellationToken: Token);
            await unique.AddAsync(Item(1) with { Key = "k", Text = "taken" });
            Container deep = await shared.CreateContainerAsync(new ContainerProperties("deep", ["/pk", "/id"]), cancellationToken: Token);
            await deep.CreateItemAsync(Item(1), cancellationToken: Token);
        });

        await using var restarted = await StartAsync();
        using var again = AccountClients.Create(restarted, ConnectionMode.Direct);
        var database = again.GetDatabase("shared");
        Assert.Equal(5_000, await database.ReadThroughputAsync(Token));
        var kept = database.GetContainer("unique");
        Assert.Equal(3_600, (await kept.PropertiesAsync()).DefaultTimeToLive);
        await FailsAsync(HttpStatusCode.Conflict, () => kept.AddAsync(Item(2) with { Key = "k", Text = "taken" }));
        var key = new PartitionKeyBuilder().Add("k1").Add("1").Build();
        Assert.Equal(1, (await database.GetContainer("deep").ReadAsync("1", key)).Resource.Value);
    }

    [Fact]
    public async Task Start_WithDamagedFiles_NamesEachAndLoadsNothing()
    {
        await KeepAsync(async (_, client) => await FillAsync(await CreateAsync(client)));
        string[] files = [.. Directory.GetFiles(Directory.GetDirectories(Folder).Single()).Order()];
        var content = await File.ReadAllBytesAsync(files[0], Token);
        content[^5] ^= 1;
        await File.WriteAllBytesAsync(files[0], content, Token);
        await File.WriteAllBytesAsync(files[1], (await File.ReadAllBytesAsync(files[1], Token))[..^1], Token);
        File.Delete(files[2]);

        var e = await Assert.ThrowsAsync<AccountDataException>(() => StartAsync());

        Assert.Equal(3, e.Errors.Count);
        Assert.All(files.Take(3), file => Assert.Contains(e.Errors, error => error.Contains(file, StringComparison.Ordinal)));
        // The account has left the folder, and has changed nothing in it.
        var manifest = Path.Combine(Folder, "account.json");
        await File.WriteAllTextAsync(manifest, (await File.ReadAllTextAsync(manifest, Token)).Replace("kept", "lost"), Token);
        e = await Assert.ThrowsAsync<AccountDataException>(() => StartAsync());
        Assert.Contains(manifest, Assert.Single(e.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_WithAFolderInUse_SaysSo()
    {
        await using var account = await StartAsync();
        var e = await Assert.ThrowsAsync<AccountDataException>(() => StartAsync());
        Assert.Contains(Folder, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_WithACertificateFile_KeepsTheCertificateForItsUserAlone()
    {
        var file = Path.Combine(_temporary.Path, "account.key.pfx");
        string first;
        await using (var account = await AccountClients.StartAsync(new AccountSettings { CertificateFile = file }))
            first = account.CertificateThumbprint;
        await using (var again = await AccountClients.StartAsync(new AccountSettings { CertificateFile = file }))
        {
            Assert.Equal((first, null), (again.CertificateThumbprint, again.WhyCertificateIsNotKept));
            using var client = AccountClients.Create(again, ConnectionMode.Direct);
            await (await AccountClients.CreateContainerAsync(client)).AddAsync(Item(1));
        }

        Assert.Equal(["account.key.pfx"], Directory.GetFiles(_temporary.Path).Select(Path.GetFileName));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));

        await File.WriteAllTextAsync(file, "nonsense", Token);
        var e = await Assert.ThrowsAsync<AccountDataException>(
            () => AccountClients.StartAsync(new AccountSettings { CertificateFile = file }));
        Assert.Contains(file, e.Message, StringComparison.Ordinal);
    }

    /// <summary>As beside a key on a read-only volume.</summary>
    [Fact]
    public async Task Start_WithACertificateFileThatCannotBeWritten_SaysSo()
    {
        await File.WriteAllTextAsync(Path.Combine(_temporary.Path, "none"), "a file where a folder would be", Token);
        var file = Path.Combine(_temporary.Path, "none", "account.key.pfx");
        await using var account = await AccountClients.StartAsync(new AccountSettings { CertificateFile = file });
        Assert.Contains(file, account.WhyCertificateIsNotKept, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stop_WhenNothingCanBeWritten_LeavesTheFormerState()
    {
        await KeepAsync(async (_, client) => await CreateAsync(client));
        await using (var account = await StartAsync())
        {
            using var client = AccountClients.Create(account, ConnectionMode.Gateway);
            await client.GetContainer("tests", "kept").DeleteContainerAsync(cancellationToken: Token);
            // A file cannot replace a folder of the manifest's name.
            var (manifest, aside) = (Path.Combine(Folder, "account.json"), Path.Combine(_temporary.Path, "aside.json"));
            File.Move(manifest, aside);
            Directory.CreateDirectory(manifest);
            await Assert.ThrowsAsync<AccountDataException>(() => account.StopAsync());
            Directory.Delete(manifest);
            File.Move(aside, manifest);
        }

        await using var restarted = await StartAsync();
        using var again = AccountClients.Create(restarted, ConnectionMode.Gateway);
        Assert.Equal("kept", (await again.GetContainer("tests", "kept").PropertiesAsync()).Id);
    }

    public void Dispose() => _temporary.Dispose();

    private string Folder => Path.Combine(_temporary.Path, "account");

    private Task<SimulatedAccount> StartAsync() =>
        AccountClients.StartAsync(new AccountSettings { PhysicalPartitions = 3, DataFolder = Folder });

    /// <summary>Starts the account, changes it with a bulk client and stops it, which writes the folder.</summary>
    private async Task KeepAsync(Func<SimulatedAccount, CosmosClient, Task> changeAsync)
    {
        await using var account = await StartAsync();
        using var client = AccountClients.Create(account, ConnectionMode.Gateway, options => options.AllowBulkExecution = true);
        await changeAsync(account, client);
        await account.StopAsync();
    }

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i % 40}", Value = i };
    private static PartitionKey Key(int i) => new($"k{i % 40}");

    private static async Task<Container> CreateAsync(
        CosmosClient client, PartitionKeyDefinitionVersion version = PartitionKeyDefinitionVersion.V2) =>
        await AccountClients.CreateContainerAsync(client, 12_300, AccountClients.Keyed("/pk", version, "kept"));

    private static async Task FillAsync(Container container) =>
        await Task.WhenAll(Enumerable.Range(0, Documents).Select(i => container.AddAsync(Item(i))));

    private static async Task<string[]> ReadEtagsAsync(Container container) =>
    [
        .. (await container.QueryAsync<Newtonsoft.Json.Linq.JObject>()).Select(
            document => $"{document["id"]} {document["_etag"]} {document["_rid"]} {document["_ts"]}").Order(StringComparer.Ordinal),
    ];

    private static async Task<string> ReadFeedToItsEndAsync(Container container)
    {
        using var feed = container.GetChangeFeedIterator<Item>(ChangeFeedStartFrom.Beginning(), ChangeFeedMode.LatestVersion);
        var page = await feed.ReadNextAsync(Token);
        while (page.StatusCode != HttpStatusCode.NotModified)
            page = await feed.ReadNextAsync(Token);
        return page.ContinuationToken;
    }
}
