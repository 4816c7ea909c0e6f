using ScaleOut.Http;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Http;

/// <summary>The contract on the interface itself, without a server.</summary>
public sealed class InterfaceContractTests : HttpContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly HttpClient _client;

    public InterfaceContractTests()
    {
        var store = new FolderRunStore(_folder.Path);
        _client = new HttpClient(new InterfaceHandler(new HttpInterface(new ScriptedHost(store), store, new FolderRunCatalog(_folder.Path)))) { BaseAddress = InterfaceHandler.Base };
    }

    protected override HttpClient Client => _client;

    public void Dispose()
    {
        _client.Dispose();
        _folder.Dispose();
    }
}
