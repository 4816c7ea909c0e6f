namespace ScaleOut.Tests.Workers.Accounts;

public sealed class ConnectionModeCheckTests
{
    private static readonly RunSpec DirectAtOnePlace = new()
    {
        Id = "r",
        Workers = 2,
        Client = new ClientSpec { ConnectionMode = ConnectionMode.Gateway },
        WorkerOverrides = [new WorkerOverride { Workers = [1], Client = new ClientSpec { ConnectionMode = ConnectionMode.Direct } }],
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

    private static string[] Places(string path) => path.Length == 0 ? [] : [path];

    private static IEnumerable<string> PathsOf(RunSpec spec, AccountConnection account) =>
        ConnectionModeCheck.ErrorsOf(spec, account).Select(error => error[..error.IndexOf(':', StringComparison.Ordinal)]);
}
