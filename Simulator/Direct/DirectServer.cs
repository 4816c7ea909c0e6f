namespace ScaleOut.Simulator.Direct;

/// <summary>
/// The Direct front end. Clients keep connections per port, so each physical partition's replica set gets a port of its own when a client
/// first asks for its address. Beyond <see cref="MaxPorts"/>, partitions share ports. Ports stay open: a client with an old address gets
/// 410.
/// </summary>
internal sealed class DirectServer : IReplicaAddresses, IAsyncDisposable
{
    /// <summary>Ports for document partitions. More would use up the descriptors of a machine with usual limits.</summary>
    public const int MaxPorts = 256;

    private static readonly TimeSpan WatchInterval = TimeSpan.FromSeconds(5);

    /// <summary>Timeout for connections to close when the server stops.</summary>
    private static readonly TimeSpan StopTimeout = TimeSpan.FromMilliseconds(500);

    private readonly ConcurrentDictionary<DirectConnection, Task> _connections = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly SslServerAuthenticationOptions _tls;
    private readonly DirectListener?[] _listeners = new DirectListener?[MaxPorts];
    private readonly ConditionalWeakTable<PhysicalPartition, DirectListener> _listenerOf = [];
    private readonly DirectListener _master;
    private readonly ITimer _watch;
    private readonly Lock _gate = new();
    private int _partitions;

    /// <param name="time">Null for the system's clock. The time of connections is not the account's.</param>
    public DirectServer(AccountContext account, X509Certificate2 certificate, TimeProvider? time = null)
    {
        (Account, Time) = (account, time ?? TimeProvider.System);
        _tls = new SslServerAuthenticationOptions
        {
            ServerCertificateContext = SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true),
            EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        };
        _master = new DirectListener(this);
        _watch = Time.CreateTimer(_ => EndOverdue(), null, WatchInterval, WatchInterval);
    }

    public AccountContext Account { get; }

    public TimeProvider Time { get; }

    public int OpenConnections => _connections.Count;

    public string MasterAddress(int replica) => ReplicaPath.Address(_master.Port, 0, ReplicaPath.Master, replica);

    public string Address(ContainerResource container, PhysicalPartition partition, int replica)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_stopping.IsCancellationRequested, this);
            if (!_listenerOf.TryGetValue(partition, out var listener))
                _listenerOf.Add(partition, listener = _listeners[_partitions++ % MaxPorts] ??= new DirectListener(this));
            return ReplicaPath.Address(listener.Port, container.Number, partition.Ordinal, replica);
        }
    }

    public void Accept(Socket socket)
    {
        DirectConnection connection;
        try
        {
            socket.NoDelay = true;
            connection = new DirectConnection(Account, socket, Time);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            // The client has gone while it waited to be accepted.
            Account.Logger.DirectClientGone(client: null, e.Message);
            socket.Dispose();
            return;
        }

        var serving = new Task<Task>(() => connection.RunAsync(_tls, _stopping.Token));
        var served = serving.Unwrap();
        _connections[connection] = served;
        if (_stopping.IsCancellationRequested)
            connection.Close(reset: true);
        _ = served.ContinueWith(
            _ => _connections.TryRemove(connection, out var _), CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        serving.Start(TaskScheduler.Default);
    }

    public async ValueTask DisposeAsync()
    {
        await _watch.DisposeAsync();
        DirectListener[] listeners;
        lock (_gate)
        {
            _stopping.Cancel();
            listeners = [_master, .. _listeners.OfType<DirectListener>()];
        }

        foreach (var listener in listeners)
            await listener.DisposeAsync();
        foreach (var connection in _connections.Keys)
            connection.Close(reset: false);
        await Task.WhenAny(Task.WhenAll(_connections.Values), Task.Delay(StopTimeout, Time, CancellationToken.None));
        _stopping.Dispose();
    }

    private void EndOverdue()
    {
        foreach (var connection in _connections.Keys)
            connection.EndIfOverdue();
    }
}

/// <summary>A free port of 127.0.0.1 for one or more replica sets.</summary>
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
        await _accepting;
    }

    private async Task AcceptAsync()
    {
        while (!_disposed)
        {
            try
            {
                _server.Accept(await _socket.AcceptAsync());
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                if (_disposed)
                    return;
                // Accepting fails if the process has no free file descriptor. The delay gives other connections time to release some.
                _server.Account.Logger.DirectAcceptFailed(Port, e);
                await Task.Delay(AcceptRetry, _server.Time);
            }
        }
    }
}
