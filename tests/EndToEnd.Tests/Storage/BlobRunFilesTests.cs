using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage.Blobs;

namespace ScaleOut.Tests.EndToEnd.Storage;

public sealed class BlobRunFilesTests(AzuriteFixture azurite) : RunFilesContract, IAsyncLifetime
{
    private IRunStore? _store;

    internal override IRunStore Store => _store!;

    public async ValueTask InitializeAsync() => _store = new BlobRunStore(StorageClients.Blobs(await azurite.NewAccountAsync()));

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
