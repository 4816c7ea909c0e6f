namespace ScaleOut.Tests.EndToEnd;

/// <summary>Proxies in the environment, which are read when a process starts.</summary>
public sealed class ProxyTests : ProgramInFolder
{
    /// <summary>A proxy that nobody runs, with a password.</summary>
    private static readonly Dictionary<string, string> Proxy = new()
    {
        ["HTTP_PROXY"] = "http://user:secret@127.0.0.1:9", ["HTTPS_PROXY"] = "http://user:secret@127.0.0.1:9",
        ["NO_PROXY"] = "", ["COSMOS_KEY"] = Convert.ToBase64String(new byte[64]),
    };

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_ProxyThatDoesNotRespond_IsNotUsedForTheSimulatedAccount()
    {
        using var run = await RunAsync(["--documents", "100", "--workers", "1", "--id", "direct"], Proxy);

        AssertEnded(run);
        Assert.Equal(RunState.Complete, Finished("direct").Report.State);
    }

    [Fact]
    public async Task Run_OtherAccountBehindAProxyThatDoesNotRespond_NamesTheProxyWithoutItsPassword()
    {
        using var run = await RunAsync(
            ["--documents", "100", "--workers", "1", "--id", "far", "--account", "https://some.documents.azure.com/"], Proxy);

        AssertRejected(ResponseOf(run), "go through the proxy http://127.0.0.1:9, which HTTPS_PROXY");
        Assert.DoesNotContain("secret", run.Output + run.Errors, StringComparison.Ordinal);
    }
}
