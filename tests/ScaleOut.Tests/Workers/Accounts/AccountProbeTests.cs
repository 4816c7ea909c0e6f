namespace ScaleOut.Tests.Workers.Accounts;

public sealed class AccountProbeTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(200)]
    [InlineData(401)]
    [InlineData(503)]
    public async Task EnsureReachableAsync_AnyStatus_IsReachable(int status)
    {
        await using var server = await LoopbackServer.StartAsync(context => Response(context, status));

        await AccountProbe.EnsureReachableAsync(At(server.Endpoint), Token);
    }

    [Fact]
    public async Task EnsureReachableAsync_NothingListens_SaysSo()
    {
        var error = await Assert.ThrowsAsync<AccountException>(() => AccountProbe.EnsureReachableAsync(At(ClosedPort()), Token));

        Assert.Equal(AccountErrorKind.Transient, error.Kind);
        Assert.Contains("nothing listens", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EnsureReachableAsync_NoSuchHost_NamesTheHost()
    {
        var error = await Assert.ThrowsAsync<AccountException>(
            () => AccountProbe.EnsureReachableAsync(At(new Uri("https://no-such-account.invalid/")), Token));

        Assert.Contains("no-such-account.invalid", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, "--account-thumbprint")]
    [InlineData("0000000000000000000000000000000000000000000000000000000000000000", "thumbprint")]
    [InlineData("its own", null)]
    public async Task EnsureReachableAsync_SelfSignedCertificate_IsReachableOnlyIfItIsPinned(string? pin, string? rejection)
    {
        using var certificate = SelfSigned.Create();
        await using var server = await LoopbackServer.StartAsync(context => Response(context, 200), certificate);
        var account = At(server.Endpoint) with { CertificateThumbprint = pin == "its own" ? SelfSigned.Thumbprint(certificate) : pin };

        if (rejection is null)
        {
            await AccountProbe.EnsureReachableAsync(account, Token);
            return;
        }

        var error = await Assert.ThrowsAsync<AccountException>(() => AccountProbe.EnsureReachableAsync(account, Token));
        Assert.Equal(AccountErrorKind.Rejected, error.Kind);
        Assert.Contains(rejection, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EnsureReachableAsync_HttpsToAnHttpPort_SaysThatTlsFails()
    {
        await using var server = await LoopbackServer.StartAsync(context => Response(context, 200));

        var error = await Assert.ThrowsAsync<AccountException>(
            () => AccountProbe.EnsureReachableAsync(At(new UriBuilder(server.Endpoint) { Scheme = "https" }.Uri), Token));

        Assert.Contains("TLS", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EnsureReachableAsync_Cancelled_Throws()
    {
        var cancelled = new CancellationToken(canceled: true);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => AccountProbe.EnsureReachableAsync(At(ClosedPort()), cancelled));
    }

    internal static Uri ClosedPort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return new Uri($"https://localhost:{((IPEndPoint)listener.LocalEndpoint).Port}/");
    }

    private static AccountConnection At(Uri endpoint) => new() { Endpoint = endpoint, Key = "a2V5" };

    private static Task Response(Microsoft.AspNetCore.Http.HttpContext context, int status)
    {
        context.Response.StatusCode = status;
        return Task.CompletedTask;
    }
}
