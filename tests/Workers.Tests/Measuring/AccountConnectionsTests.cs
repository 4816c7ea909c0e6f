using System.Net;
using System.Net.Sockets;
using ScaleOut.Workers.Measuring;

namespace ScaleOut.Tests.Workers.Measuring;

/// <summary>The own connections of this process. The servers have an address of the loopback network that no other test uses.</summary>
public sealed class AccountConnectionsTests : IDisposable
{
    private static readonly IPAddress Address = IPAddress.Parse("127.77.0.1");

    private readonly List<Socket> _sockets = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Count_Gateway_CountsConnectionsToTheEndpointAlone()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Directory.Exists("/proc/self/fd"), "only Linux says whose a socket is");
        var (account, other) = (Listen(), Listen());
        var connections = await AccountConnections.ToAsync(EndpointOf(account), direct: false, region: null, Cancellation);
        await ConnectAsync(account, 3);
        await ConnectAsync(other, 2);

        connections.Count();
        Assert.Equal(3, connections.Most);
    }

    [Fact]
    public async Task Count_Direct_CountsPortsOfReplicasTooAndKeepsTheMost()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Directory.Exists("/proc/self/fd"), "only Linux says whose a socket is");
        var (account, replica) = (Listen("127.77.0.2"), Listen("127.77.0.2"));
        var connections = await AccountConnections.ToAsync(EndpointOf(account), direct: true, region: null, Cancellation);
        await ConnectAsync(account, 1);
        var toReplica = await ConnectAsync(replica, 4);
        connections.Sample();
        Assert.Equal(5, connections.Most);

        toReplica.ForEach(socket => socket.Dispose());
        connections.Count();
        Assert.Equal(5, connections.Most);
    }

    [Fact]
    public async Task Count_NoConnection_IsUnknown()
    {
        var connections = await AccountConnections.ToAsync(
            new Uri("https://127.77.0.3:443/"), direct: true, region: null, Cancellation);
        connections.Count();
        Assert.Null(connections.Most);
    }

    public void Dispose() => _sockets.ForEach(socket => socket.Dispose());

    private static Uri EndpointOf(Socket listener) => new($"https://{listener.LocalEndPoint}/");

    private Socket Listen(string? address = null)
    {
        var socket = Kept(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        socket.Bind(new IPEndPoint(address is null ? Address : IPAddress.Parse(address), 0));
        socket.Listen();
        return socket;
    }

    /// <summary>Connects over sockets of both families, as HttpClient and the SDK do. Their other ends are in this process.</summary>
    private async Task<List<Socket>> ConnectAsync(Socket listener, int count)
    {
        var clients = new List<Socket>();
        for (var i = 0; i < count; i++)
        {
            var client = Kept(i % 2 == 0
                ? new Socket(SocketType.Stream, ProtocolType.Tcp)
                : new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
            await client.ConnectAsync(listener.LocalEndPoint!, Cancellation);
            Kept(await listener.AcceptAsync(Cancellation));
            clients.Add(client);
        }

        return clients;
    }

    private Socket Kept(Socket socket)
    {
        _sockets.Add(socket);
        return socket;
    }
}
