using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Api;

/// <summary>The contract of runs on a server whose hosts execute nothing.</summary>
public sealed class RunContractTests : RunContract, IAsyncLifetime
{
    private readonly TemporaryFolder _folder = new();
    private ApiServer _server = null!;

    protected override HttpClient Client => _server.Client;

    public async ValueTask InitializeAsync() => _server = await ApiServer.StartAsync(new FolderRunStore(_folder.Path), new FolderRunCatalog(_folder.Path));

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Theory]
    [MemberData(nameof(FaultyPlans.All), MemberType = typeof(FaultyPlans))]
    public Task PostRuns_AnyFaultySpec_NamesEveryFaultByField(string plan) => AssertEveryFaultIsNamedAsync(plan);
}
