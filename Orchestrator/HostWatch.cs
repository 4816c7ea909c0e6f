using System.Net.Sockets;

namespace ScaleOut.Orchestrator;

/// <summary>
/// Ends this process when its Functions host has exited. The worker library does not detect the end of the host's stream, so a worker whose
/// host was killed would keep running, and its leg would run in parallel with the leg that the next host starts.
/// </summary>
/// <remarks>
/// 1. A connection of its own to the host's gRPC endpoint ends with the host's process. 2. The host may close it as idle, so it is opened
/// again. 3. Only a host that was reached before, and that then rejects connections for <see cref="GoneAfter"/>, is gone.
/// </remarks>
internal sealed class HostWatch(
    IConfiguration configuration, IHostApplicationLifetime lifetime, TimeProvider time, ILogger<HostWatch> logger) : BackgroundService
{
    /// <summary>Time for which the host's endpoint must reject connections.</summary>
    private static readonly TimeSpan GoneAfter = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // A host that has loaded the worker into its own process has no endpoint.
        if (!Uri.TryCreate(configuration["Functions:Worker:HostEndpoint"], UriKind.Absolute, out var host))
            return;
        long? goneSince = null;
        var wasReachable = false;
        while (true)
        {
            if (await WaitForEndAsync(host, stoppingToken))
                (wasReachable, goneSince) = (true, null);
            else
                goneSince ??= time.GetTimestamp();
            if (wasReachable && goneSince is { } since && time.GetElapsedTime(since) >= GoneAfter)
            {
                logger.HostGone(host);
                lifetime.StopApplication();
                return;
            }

            await Task.Delay(Pause, time, stoppingToken);
        }
    }

    /// <summary>Connects to the host and waits for the end of the connection. Returns false if the host cannot be reached.</summary>
    private static async Task<bool> WaitForEndAsync(Uri host, CancellationToken cancellationToken)
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(host.Host, host.Port, cancellationToken);
        }
        catch (SocketException)
        {
            // The caller reports the failure if it persists.
            return false;
        }

        try
        {
            var buffer = new byte[256];
            while (await client.GetStream().ReadAsync(buffer, cancellationToken) > 0)
            {
            }
        }
        catch (IOException)
        {
            // A connection reset is also the end of the connection.
        }

        return true;
    }
}
