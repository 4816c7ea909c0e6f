using ScaleOut.Http;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Http;

/// <summary>The contract of experiments on the interface itself, without a server.</summary>
public sealed class InterfaceExperimentTests : ExperimentContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly HttpClient _client;

    public InterfaceExperimentTests()
    {
        var store = new FolderRunStore(_folder.Path);
        var target = new HttpInterface(new ScriptedHost(store), store, new FolderRunCatalog(_folder.Path), experiments: new ScriptedExperimentHost(store));
        _client = new HttpClient(new InterfaceHandler(target)) { BaseAddress = InterfaceHandler.Base };
    }

    protected override HttpClient Client => _client;

    public void Dispose()
    {
        _client.Dispose();
        _folder.Dispose();
    }
}
