using System.Net.Sockets;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;

namespace ScaleOut.Orchestrator;

/// <summary>
/// Ends this process when its Functions host is gone. The worker library does not notice that the host's stream has ended, so a worker
/// whose host was killed would stay, and its leg would go on beside the one that the next host starts.
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
        var wasThere = false;
        while (true)
        {
            if (await WaitForEndAsync(host, stoppingToken))
                (wasThere, goneSince) = (true, null);
            else
                goneSince ??= time.GetTimestamp();
            if (wasThere && goneSince is { } since && time.GetElapsedTime(since) >= GoneAfter)
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
            // Reported once it has lasted.
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
            // The host's end was reset, which is an end as well.
        }

        return true;
    }
}
