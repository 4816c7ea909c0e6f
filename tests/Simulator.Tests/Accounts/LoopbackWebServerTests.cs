using System.Net.Security;
using Microsoft.AspNetCore.Hosting.Server;

namespace ScaleOut.Tests.Simulator.Accounts;

public sealed class LoopbackWebServerTests : SdkTests
{
    [Fact]
    public async Task StartAsync_ThatFails_ReleasesTheApplication()
    {
        IServiceProvider? services = null;
        await Assert.ThrowsAsync<InvalidOperationException>(() => LoopbackWebServer.StartAsync(
            IPAddress.Loopback, port: 0, certificate: null, "test", static _ => { },
            (app, _) =>
            {
                services = app.Services;
                throw new InvalidOperationException();
            }));

        Assert.Throws<ObjectDisposedException>(() => services!.GetService(typeof(IServer)));
    }

    /// <summary>Kestrel would close the connection after 10 seconds, which a client on a busy machine may need for its handshake.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Handshake_BeginsAfterElevenSeconds_IsServed()
    {
        await using var account = await SimulatedAccount.StartAsync(new AccountSettings(), Token);
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
