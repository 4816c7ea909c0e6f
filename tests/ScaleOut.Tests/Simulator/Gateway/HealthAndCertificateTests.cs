using System.Net.Security;

namespace ScaleOut.Tests.Simulator.Gateway;

public sealed class HealthAndCertificateTests : SdkTests, IAsyncLifetime
{
    private readonly HttpClient _http = new();
    private SimulatedAccount _account = null!;

    [Theory]
    [InlineData("health", HttpStatusCode.OK, "application/json")]
    [InlineData("health?now", HttpStatusCode.OK, "application/json")]
    [InlineData("_explorer/account.pem", HttpStatusCode.OK, "application/x-pem-file")]
    [InlineData("_explorer/", HttpStatusCode.Unauthorized, "application/json")]
    [InlineData("healthy", HttpStatusCode.Unauthorized, "application/json")]
    public async Task Get_WithoutAKey_ServesPagesOnly(string path, HttpStatusCode expected, string type)
    {
        using var response = await _http.GetAsync(Page(path), Token);
        Assert.Equal(expected, response.StatusCode);
        Assert.Equal(type, response.Content.Headers.ContentType?.ToString());
    }

    [Fact]
    public async Task Get_TheCertificate_IsThatOfTheAccount() => Assert.Equal(
        _account.Certificate.ExportCertificatePem(), await _http.GetStringAsync(Page("_explorer/account.pem"), Token));

    [Fact]
    public async Task Post_ToAPage_IsNotAllowed()
    {
        using var response = await _http.PostAsync(Page("health"), null, Token);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
        Assert.Equal(["GET", "HEAD"], response.Content.Headers.Allow);
    }

    public async ValueTask InitializeAsync() => _account = await SimulatedAccount.StartAsync(new SimulatedAccountOptions());

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _account.DisposeAsync();
    }

    private Uri Page(string path) => new(_account.HttpEndpoint, path);
}

public sealed class SlowClientTests : SdkTests
{
    /// <summary>Kestrel would close the connection after 10 seconds, which a client on a busy machine may need for its handshake.</summary>
    [Fact]
    public async Task Handshake_BeginsAfterElevenSeconds_IsServed()
    {
        await using var account = await SimulatedAccount.StartAsync(new SimulatedAccountOptions(), Token);
        using var client = new TcpClient();
        await client.ConnectAsync(account.HttpsEndpoint.Host, account.HttpsEndpoint.Port, Token);
        await Task.Delay(TimeSpan.FromSeconds(11), Token);
        await using var tls = new SslStream(
            client.GetStream(), leaveInnerStreamOpen: false, (_, certificate, _, _) => account.Certificate.Equals(certificate));
        await tls.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = account.HttpsEndpoint.Host }, Token);
        await tls.WriteAsync("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"u8.ToArray(), Token);
        using var reader = new StreamReader(tls);

        Assert.Equal("HTTP/1.1 200 OK", await reader.ReadLineAsync(Token));
    }
}
