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
        await using var server = await StartAsync(status);
        await AccountProbe.EnsureReachableAsync(At(server.Endpoint), Token);
    }

    [Fact]
    public async Task EnsureReachableAsync_NothingListens_SaysSo()
    {
        var error = await ErrorAsync(At(ClosedPort.New()));
        Assert.Equal(AccountErrorKind.Transient, error.Kind);
        Assert.Contains("nothing listens", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EnsureReachableAsync_NoSuchHost_NamesTheHost()
    {
        var error = await ErrorAsync(At(new Uri("https://no-such-account.invalid/")));
        Assert.Contains("no-such-account.invalid", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, "--account-thumbprint")]
    [InlineData("0000000000000000000000000000000000000000000000000000000000000000", "thumbprint")]
    [InlineData("its own", null)]
    public async Task EnsureReachableAsync_SelfSignedCertificate_IsReachableOnlyIfItIsPinned(string? pin, string? rejection)
    {
        using var certificate = SelfSigned.Create();
        await using var server = await StartAsync(200, certificate);
        var account = At(server.Endpoint) with { CertificateThumbprint = pin == "its own" ? SelfSigned.Thumbprint(certificate) : pin };

        if (rejection is null)
        {
            await AccountProbe.EnsureReachableAsync(account, Token);
            return;
        }

        var error = await ErrorAsync(account);
        Assert.Equal(AccountErrorKind.Rejected, error.Kind);
        Assert.Contains(rejection, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EnsureReachableAsync_HttpsToAnHttpPort_SaysThatTlsFails()
    {
        await using var server = await StartAsync(200);
        var error = await ErrorAsync(At(new UriBuilder(server.Endpoint) { Scheme = "https" }.Uri));
        Assert.Contains("TLS", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EnsureReachableAsync_Cancelled_Throws()
    {
        var cancelled = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => AccountProbe.EnsureReachableAsync(At(ClosedPort.New()), cancelled));
    }

    private static AccountConnection At(Uri endpoint) => new() { Endpoint = endpoint, Key = "a2V5" };

    private static Task<AccountException> ErrorAsync(AccountConnection account)
    {
        var time = new ManualTime(DateTimeOffset.UnixEpoch);
        return Assert.ThrowsAsync<AccountException>(
            () => time.EndAsync(AccountProbe.EnsureReachableAsync(account, Token, time: time), TimeSpan.FromMilliseconds(100)));
    }

    private static Task<LoopbackServer> StartAsync(int status, X509Certificate2? certificate = null) => LoopbackServer.StartAsync(
        context =>
        {
            context.Response.StatusCode = status;
            return Task.CompletedTask;
        },
        certificate);
}
