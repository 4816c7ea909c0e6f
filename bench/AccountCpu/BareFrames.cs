using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace ScaleOut.Bench.AccountCpu;

/// <summary>
/// A bare TLS server that reads Direct frames one by one. It responds to each with a frame that was recorded from the account, in which it
/// replaces the activity and request ids. It forwards the first exchange of each connection and the first request of all to the account,
/// and keeps the response to that request.
/// </summary>
public static class BareFrames
{
    public const string Role = "bare-frames";

    private const int HeadBytes = 24;
    private const int ActivityIdOffset = 8;
    private const int ActivityIdBytes = 16;
    private const ushort PayloadPresentToken = 0x02;
    private const ushort RequestIdToken = 0x4D;
    private const ushort ResponseRequestIdToken = 0x35;

    private static readonly SemaphoreSlim FirstRequest = new(1, 1);
    private static byte[]? _response;

    /// <summary>
    /// The certificate of the server, as PKCS #12 in base64, and the account's ports. The server listens on one port for each of them.
    /// </summary>
    public sealed record Settings(string Certificate, int[] AccountPorts);

    public static async Task ServeAsync(string json)
    {
        var settings = JsonSerializer.Deserialize<Settings>(json)!;
        var tls = new SslServerAuthenticationOptions
        {
            ServerCertificateContext = SslStreamCertificateContext.Create(
                X509CertificateLoader.LoadPkcs12(Convert.FromBase64String(settings.Certificate), null), null, offline: true),
        };
        var ports = new List<int>();
        foreach (var accountPort in settings.AccountPorts)
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            ports.Add(((IPEndPoint)listener.LocalEndpoint).Port);
            _ = AcceptAsync(listener, tls, accountPort);
        }

        await ServerSide.ReportReadyAndWaitAsync(ports.ToArray());
    }

    private static async Task AcceptAsync(TcpListener listener, SslServerAuthenticationOptions tls, int accountPort)
    {
        while (true)
        {
            var socket = await listener.AcceptSocketAsync();
            socket.NoDelay = true;
            _ = Task.Run(async () =>
            {
                try
                {
                    await ServeAsync(socket, tls, accountPort);
                }
                catch (Exception e) when (e is IOException or SocketException or EndOfStreamException or AuthenticationException)
                {
                    // The client closed the connection.
                }
            });
        }
    }

    private static async Task ServeAsync(Socket socket, SslServerAuthenticationOptions tls, int accountPort)
    {
        await using var client = new SslStream(new NetworkStream(socket, ownsSocket: true));
        await client.AuthenticateAsServerAsync(tls);
        await using var account = await ConnectAsync(accountPort);
        var buffer = new byte[64 * 1024];
        await client.WriteAsync(await AskAsync(account, buffer.AsMemory(0, await ReadFrameAsync(client, buffer, hasBody: false))));

        while (true)
        {
            var length = await ReadFrameAsync(client, buffer, hasBody: true);
            if (_response is null)
            {
                await FirstRequest.WaitAsync();
                _response ??= await AskAsync(account, buffer.AsMemory(0, length));
                FirstRequest.Release();
            }

            var response = _response.ToArray();
            buffer.AsSpan(ActivityIdOffset, ActivityIdBytes).CopyTo(response.AsSpan(ActivityIdOffset));
            var requestId = ValueOf(buffer, RequestIdToken);
            buffer.AsSpan(requestId, sizeof(uint)).CopyTo(response.AsSpan(ValueOf(response, ResponseRequestIdToken)));
            await client.WriteAsync(response);
        }
    }

    private static async Task<SslStream> ConnectAsync(int port)
    {
        var socket = new TcpClient();
        await socket.ConnectAsync(IPAddress.Loopback, port);
        var stream = new SslStream(socket.GetStream());

        // The parent started the account a moment ago on this machine, so no other server can take its place.
#pragma warning disable CA5359
        await stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions { TargetHost = "localhost", RemoteCertificateValidationCallback = (_, _, _, _) => true });
#pragma warning restore CA5359
        return stream;
    }

    private static async Task<byte[]> AskAsync(SslStream account, ReadOnlyMemory<byte> frame)
    {
        await account.WriteAsync(frame);
        var buffer = new byte[64 * 1024];
        return buffer[..await ReadFrameAsync(account, buffer, hasBody: false)];
    }

    /// <summary>Reads a frame: its head, its tokens and, for a request with a body, the length and the body.</summary>
    private static async Task<int> ReadFrameAsync(Stream stream, byte[] buffer, bool hasBody)
    {
        await stream.ReadExactlyAsync(buffer.AsMemory(0, HeadBytes));
        var length = BinaryPrimitives.ReadInt32LittleEndian(buffer);
        await stream.ReadExactlyAsync(buffer.AsMemory(HeadBytes, length - HeadBytes));
        if (!hasBody || buffer[ValueOf(buffer, PayloadPresentToken)] == 0)
            return length;
        await stream.ReadExactlyAsync(buffer.AsMemory(length, sizeof(int)));
        var body = BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(length));
        await stream.ReadExactlyAsync(buffer.AsMemory(length + sizeof(int), body));
        return length + sizeof(int) + body;
    }

    /// <summary>Offset of a token's value in a frame.</summary>
    private static int ValueOf(ReadOnlySpan<byte> frame, ushort token)
    {
        var end = BinaryPrimitives.ReadInt32LittleEndian(frame);
        for (var at = HeadBytes; at < end;)
        {
            var value = at + 3;
            if (BinaryPrimitives.ReadUInt16LittleEndian(frame[at..]) == token)
                return value;
            at = value + frame[at + 2] switch
            {
                0x0 => 1,
                0x1 => 2,
                0x2 or 0x3 or 0xD => 4,
                0x4 or 0x5 or 0xE => 8,
                0x6 => 16,
                0x7 or 0xA => 1 + frame[value],
                0x8 or 0xB => 2 + BinaryPrimitives.ReadUInt16LittleEndian(frame[value..]),
                _ => 4 + BinaryPrimitives.ReadInt32LittleEndian(frame[value..]),
            };
        }

        throw new InvalidDataException($"The frame has no token {token:X2}.");
    }
}
