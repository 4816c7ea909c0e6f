using ScaleOut.Simulator.Direct;
using ScaleOut.Simulator.Engine;

namespace ScaleOut.Tests.Simulator.Direct;

public sealed class DirectServerTests
{
    [Fact]
    public async Task Connection_WithoutAHandshake_IsEndedAtItsTimeout()
    {
        var time = new ManualTime(DateTimeOffset.UnixEpoch);
        using var engine = new AccountEngine(new SimulationSpec(), seed: 1, TimeProvider.System, NullLogger.Instance);
        using var certificate = SelfSignedCertificate.Create(TimeProvider.System.GetUtcNow());
        await using var server = new DirectServer(new AccountContext(engine, new byte[64], NullLogger.Instance), certificate, time);
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, new Uri(server.MasterAddress(0)).Port, TestContext.Current.CancellationToken);
        while (server.OpenConnections == 0)
            await Task.Delay(5, TestContext.Current.CancellationToken);

        time.Advance(TimeSpan.FromSeconds(20));
        while (server.OpenConnections > 0)
            await Task.Delay(5, TestContext.Current.CancellationToken);
    }

    /// <summary>Options and streams of such a socket fail. It is released, and others are still accepted.</summary>
    [Fact]
    public async Task Accept_ClientThatHasGone_ReleasesItsSocket()
    {
        using var engine = new AccountEngine(new SimulationSpec(), seed: 1, TimeProvider.System, NullLogger.Instance);
        using var certificate = SelfSignedCertificate.Create(TimeProvider.System.GetUtcNow());
        await using var server = new DirectServer(new AccountContext(engine, new byte[64], NullLogger.Instance), certificate);
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

        server.Accept(socket);

        Assert.True(socket.SafeHandle.IsClosed);
        Assert.Equal(0, server.OpenConnections);
    }
}
