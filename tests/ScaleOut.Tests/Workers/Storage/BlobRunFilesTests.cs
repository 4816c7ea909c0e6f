namespace ScaleOut.Tests.Workers.Storage;

public sealed class BlobRunFilesTests(AzuriteFixture azurite) : RunFilesContract, IAsyncLifetime
{
    private IRunStore? _store;

    internal override IRunStore Store => _store!;

    public async ValueTask InitializeAsync() => _store = StorageClients.RunStore(await azurite.NewAccountAsync());

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
