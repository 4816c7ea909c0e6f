using System.Net.Sockets;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace ScaleOut.Orchestrator.Tests;

public sealed class HostWatchTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>A worker that outlives its host goes on with legs that the next host starts again.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Worker_HostIsKilled_EndsToo()
    {
        await using var host = await FunctionsHost.StartAsync();
        var stopping = host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
        Assert.False(stopping.IsCancellationRequested);

        await host.KillAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.Delay(Timeout.Infinite, stopping).WaitAsync(Cancellation));
        Assert.True(stopping.IsCancellationRequested);
    }

    /// <summary>The host closes a connection that is idle. That is no end.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Worker_HostClosesConnections_GoesOn()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var lifetime = new Lifetime();
        using var watch = new HostWatch(
            new ConfigurationManager { ["Functions:Worker:HostEndpoint"] = $"http://{listener.LocalEndpoint}/" }, lifetime,
            TimeProvider.System, NullLogger<HostWatch>.Instance);
        await watch.StartAsync(Cancellation);
        for (var connection = 0; connection < 3; connection++)
            (await listener.AcceptTcpClientAsync(Cancellation)).Dispose();
        using var held = await listener.AcceptTcpClientAsync(Cancellation);

        Assert.False(lifetime.ApplicationStopping.IsCancellationRequested);
        listener.Stop();
        held.Dispose();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Task.Delay(Timeout.Infinite, lifetime.ApplicationStopping).WaitAsync(Cancellation));
    }

    /// <summary>The worker library chooses one port for a process; each app here has its own.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task StartAsync_TwoAppsAtOnce_EachHasAPortOfItsOwn()
    {
        await using var first = await TestApp.StartAsync(ScriptedLeg.Finish);
        await using var second = await TestApp.StartAsync(ScriptedLeg.Finish);

        var (response, _) = await second.GetAsync("/api/runs");

        Assert.NotEqual(first.Host.AppAddress, second.Host.AppAddress);
        Assert.Equal(200, (int)response.StatusCode);
        Assert.Equal(200, (int)(await first.GetAsync("/api/runs")).Response.StatusCode);
    }

    private sealed class Lifetime : IHostApplicationLifetime, IDisposable
    {
        private readonly CancellationTokenSource _stopping = new();

        public CancellationToken ApplicationStarted => CancellationToken.None;

        public CancellationToken ApplicationStopping => _stopping.Token;

        public CancellationToken ApplicationStopped => CancellationToken.None;

        public void StopApplication() => _stopping.Cancel();

        public void Dispose() => _stopping.Dispose();
    }
}
