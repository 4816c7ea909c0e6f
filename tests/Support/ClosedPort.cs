using System.Net.Sockets;

namespace ScaleOut.Tests.Support;

/// <summary>
/// Addresses at which nothing listens. Their ports stay taken until the tests end, so that no other program can listen there.
/// </summary>
internal static class ClosedPort
{
    private static readonly List<Socket> Taken = [];

    public static Uri New()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        lock (Taken)
            Taken.Add(socket);
        return new Uri($"https://localhost:{((IPEndPoint)socket.LocalEndPoint!).Port}/");
    }
}
