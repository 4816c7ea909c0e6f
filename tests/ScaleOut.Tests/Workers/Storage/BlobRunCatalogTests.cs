namespace ScaleOut.Tests.Workers.Storage;

public sealed class BlobRunCatalogTests(AzuriteFixture azurite) : RunCatalogContract, IAsyncLifetime
{
    private IRunCatalog? _catalog;

    internal override IRunCatalog Catalog => _catalog!;

    public async ValueTask InitializeAsync() => _catalog = StorageClients.RunCatalog(await azurite.NewAccountAsync());

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
