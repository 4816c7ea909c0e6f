using System.Net;
using System.Net.Sockets;

namespace ScaleOut.Simulator.Direct;

/// <summary>A free port of 127.0.0.1 on which one or more replica sets are reached.</summary>
internal sealed class DirectListener : IAsyncDisposable
{
    private const int Backlog = 512;
    private static readonly TimeSpan AcceptRetry = TimeSpan.FromMilliseconds(50);

    private readonly DirectServer _server;
    private readonly Socket _socket;
    private readonly Task _accepting;
    private volatile bool _disposed;

    public DirectListener(DirectServer server)
    {
        _server = server;
        _socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _socket.Listen(Backlog);
        Port = ((IPEndPoint)_socket.LocalEndPoint!).Port;
        _accepting = AcceptAsync();
    }

    public int Port { get; }

    public async ValueTask DisposeAsync()
    {
        _disposed = true;
        _socket.Dispose();
        await _accepting.ConfigureAwait(false);
    }

    private async Task AcceptAsync()
    {
        while (!_disposed)
        {
            try
            {
                Socket client = await _socket.AcceptAsync().ConfigureAwait(false);
                client.NoDelay = true;
                _server.Accept(client);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                if (_disposed)
                    return;
                // Such as no descriptor left: others may be given back.
                DirectLog.AcceptFailed(_server.Account.Logger, Port, e);
                await Task.Delay(AcceptRetry).ConfigureAwait(false);
            }
        }
    }
}
