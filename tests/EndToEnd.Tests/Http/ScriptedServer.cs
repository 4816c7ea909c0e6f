namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>A server whose hosts run nothing, for all tests of a class.</summary>
public sealed class ScriptedServer : IAsyncLifetime
{
    private readonly TemporaryFolder _folder = new();
    private ApiServer _server = null!;

    public HttpClient Client => _server.Client;

    public async ValueTask InitializeAsync() =>
        _server = await ApiServer.StartAsync(new FolderRunStore(_folder.Path), new FolderRunCatalog(_folder.Path));

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }
}
