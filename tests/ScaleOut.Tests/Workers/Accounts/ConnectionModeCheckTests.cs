using ScaleOut.Specs;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Workers.Accounts;

public sealed class ConnectionModeCheckTests
{
    private static readonly RunSpec DirectAtOnePlace = new()
    {
        Id = "r",
        Workers = 2,
        Client = new ClientSpec { ConnectionMode = ConnectionMode.Gateway },
        WorkerOverrides = [new WorkerOverride { Workers = [1], Client = new ClientOverride { ConnectionMode = ConnectionMode.Direct } }],
    };

    [Theory]
    [InlineData("http://127.0.0.1:1/", null, "client.connectionMode", "workerOverrides[0].client.connectionMode")]
    [InlineData("http://127.0.0.1:1/", "00", "", "")]
    [InlineData("https://127.0.0.1:1/", null, "", "")]
    public void ErrorsOf_Endpoint_NamesEachPlaceThatAsksForDirect(string endpoint, string? thumbprint, string ofDefault, string ofOverride)
    {
        var account = new AccountConnection { Endpoint = new Uri(endpoint), CertificateThumbprint = thumbprint };

        Assert.Equal(Places(ofDefault), PathsOf(new RunSpec { Id = "r" }, account));
        Assert.Equal(Places(ofOverride), PathsOf(DirectAtOnePlace, account));
    }

    [Fact]
    public async Task PrepareAsync_DirectOverHttp_IsRejectedBeforeAnythingIsConnected()
    {
        using var folder = new TemporaryFolder();
        var account = new AccountConnection { Endpoint = new Uri("http://127.0.0.1:1/"), Key = Convert.ToBase64String(new byte[64]) };
        using var containers = new ContainerControl(account);

        var preparation = await containers.PrepareAsync(
            DirectAtOnePlace, new FolderRunStore(folder.Path), TestContext.Current.CancellationToken);

        Assert.StartsWith("workerOverrides[0].client.connectionMode: ", Assert.Single(preparation.Refusals), StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    private static string[] Places(string path) => path.Length == 0 ? [] : [path];

    private static IEnumerable<string> PathsOf(RunSpec spec, AccountConnection account) =>
        ConnectionModeCheck.ErrorsOf(spec, account).Select(error => error[..error.IndexOf(':', StringComparison.Ordinal)]);
}
