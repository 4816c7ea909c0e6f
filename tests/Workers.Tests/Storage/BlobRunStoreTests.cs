using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage.Blobs;

namespace ScaleOut.Tests.Workers.Storage;

public sealed class BlobRunStoreTests(AzuriteFixture azurite) : RunStoreContract, IAsyncLifetime
{
    private StorageConnection? _storage;
    private IRunStore? _store;

    internal override IRunStore Store => _store!;

    public async ValueTask InitializeAsync()
    {
        _storage = await azurite.NewAccountAsync();
        _store = new BlobRunStore(StorageClients.Blobs(_storage));
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    [Fact]
    public async Task TryClaim_ManyInstancesAtOnceOnANewAccount_OneWins()
    {
        var claims = await Task.WhenAll(Enumerable.Range(0, 24).Select(i => Task.Run(async () =>
        {
            var files = new RunFiles(new BlobRunStore(StorageClients.Blobs(_storage!)), "nightly");
            return (Won: await files.TryClaimAsync(new RunSpec { Id = "nightly", Seed = i + 1 }, Cancellation), Seed: i + 1);
        })));

        var winner = Assert.Single(claims, claim => claim.Won);
        var spec = System.Text.Encoding.UTF8.GetString((await new RunFiles(Store, "nightly").ReadSpecAsync(Cancellation))!);
        Assert.Equal(winner.Seed, RunSpecReader.Read(spec).Value!.Seed);
    }

    [Fact]
    public async Task Update_ManyInstancesAtOnce_LosesNone()
    {
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(() => new BlobRunStore(StorageClients.Blobs(_storage!)).UpdateAsync(
            "run", "count", known => [.. known ?? [], 1], Cancellation))));

        Assert.Equal(8, (await Store.ReadAsync("run", "count", Cancellation))!.Length);
        Assert.False(await Store.UpdateAsync("run", "count", _ => null, Cancellation));
    }

    [Fact]
    public async Task TryCreate_ResponseIsLost_StillWins()
    {
        var loss = new LoseFirstCreation();
        var store = StoreWith(loss, HttpPipelinePosition.PerRetry);

        Assert.True(await store.TryCreateAsync("run", "claim", "mine"u8.ToArray(), Cancellation));
        Assert.True(loss.Happened);
        Assert.False(await Store.TryCreateAsync("run", "claim", "theirs"u8.ToArray(), Cancellation));
        Assert.Equal("mine"u8.ToArray(), await Store.ReadAsync("run", "claim", Cancellation));
    }

    [Fact]
    public async Task TryCreate_ItemIsDeletedBeforeItsCreatorIsRead_CreatesIt()
    {
        await Store.WriteAsync("run", "claim", "theirs"u8.ToArray(), Cancellation);
        var deletion = new BeforeFirst("HEAD", () => Store.DeleteAsync("run", _ => true, Cancellation));
        var store = StoreWith(deletion, HttpPipelinePosition.PerCall);

        Assert.True(await store.TryCreateAsync("run", "claim", "mine"u8.ToArray(), Cancellation));
        Assert.Equal("mine"u8.ToArray(), await Store.ReadAsync("run", "claim", Cancellation));
    }

    [Fact]
    public async Task Delete_ItemIsWrittenAgainMeanwhile_KeepsTheNewContent()
    {
        await Store.WriteAsync("run", "prepared.json", "old"u8.ToArray(), Cancellation);
        await Store.WriteAsync("run", "stop", "old"u8.ToArray(), Cancellation);
        var write = new BeforeDeletions(() => Store.WriteAsync("run", "prepared.json", "new"u8.ToArray(), Cancellation));
        var store = StoreWith(write, HttpPipelinePosition.PerCall);

        await store.DeleteAsync("run", _ => true, Cancellation);

        Assert.Equal(["prepared.json"], await Store.ListAsync("run", "", Cancellation));
        Assert.Equal("new"u8.ToArray(), await Store.ReadAsync("run", "prepared.json", Cancellation));
    }

    [Fact]
    public void Blobs_NoConnectionString_SaysSoWithoutRepeatingIt()
    {
        var error = Assert.Throws<FormatException>(
            () => StorageClients.Blobs(new StorageConnection { ConnectionString = "somewhere;AccountKey=c2VjcmV0" }));

        Assert.DoesNotContain("c2VjcmV0", error.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain(
            "AccountKey", new StorageConnection { ConnectionString = "AccountKey=c2VjcmV0" }.ToString(), StringComparison.Ordinal);
    }

    private BlobRunStore StoreWith(HttpPipelinePolicy policy, HttpPipelinePosition position)
    {
        var options = StorageClients.BlobOptions();
        options.Retry.Delay = TimeSpan.FromMilliseconds(10);
        options.AddPolicy(policy, position);
        return new BlobRunStore(new BlobContainerClient(_storage!.ConnectionString, StorageClients.DefaultContainer, options));
    }

    private sealed class BeforeDeletions(Func<Task> actAsync) : HttpPipelinePolicy
    {
        public override void Process(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline) => throw new NotSupportedException();

        public override async ValueTask ProcessAsync(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline)
        {
            if (message.Request.Method == RequestMethod.Delete)
                await actAsync();
            await ProcessNextAsync(message, pipeline);
        }
    }

    private sealed class BeforeFirst(string method, Func<Task> actAsync) : HttpPipelinePolicy
    {
        private bool _happened;

        public override void Process(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline) => throw new NotSupportedException();

        public override async ValueTask ProcessAsync(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline)
        {
            if (!_happened && message.Request.Method == RequestMethod.Parse(method))
            {
                _happened = true;
                await actAsync();
            }

            await ProcessNextAsync(message, pipeline);
        }
    }

    /// <summary>Lets the first creation of a blob through and loses its response.</summary>
    private sealed class LoseFirstCreation : HttpPipelinePolicy
    {
        public bool Happened { get; private set; }

        public override void Process(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline) => throw new NotSupportedException();

        public override async ValueTask ProcessAsync(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline)
        {
            await ProcessNextAsync(message, pipeline);
            if (Happened || message.Request.Method != RequestMethod.Put
                || message.Response.Status != 201 || !message.Request.Headers.Contains("If-None-Match"))
                return;
            Happened = true;
            throw new IOException("The connection broke before the response.");
        }
    }
}

public sealed class BlobRunCatalogTests(AzuriteFixture azurite) : RunCatalogContract, IAsyncLifetime
{
    private IRunCatalog? _catalog;

    internal override IRunCatalog Catalog => _catalog!;

    public async ValueTask InitializeAsync() =>
        _catalog = new BlobRunCatalog(StorageClients.Blobs(await azurite.NewAccountAsync()));

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
