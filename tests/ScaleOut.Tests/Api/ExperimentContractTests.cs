namespace ScaleOut.Tests.Api;

/// <summary>The contract of experiments on a server whose hosts execute nothing.</summary>
public sealed class ExperimentContractTests : ExperimentContract, IAsyncLifetime
{
    private readonly TemporaryFolder _folder = new();
    private ApiServer _server = null!;

    protected override HttpClient Client => _server.Client;

    public async ValueTask InitializeAsync() =>
        _server = await ApiServer.StartAsync(new FolderRunStore(_folder.Path), new FolderRunCatalog(_folder.Path));

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }
}
