using System.Net.Security;

namespace ScaleOut.Tests.Simulator.Direct;

/// <summary>A connection of frames, for requests that the SDK would never send.</summary>
internal sealed class FrameClient : IAsyncDisposable
{
    private readonly TcpClient _client = new();
    private SslStream _stream = null!;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>Opens the connection; with the handshake unless the test makes its own.</summary>
    public static async Task<FrameClient> ConnectAsync(int port, bool handshake = true, int? receiveBuffer = null)
    {
        var client = new FrameClient();
        if (receiveBuffer is { } size)
            client._client.ReceiveBufferSize = size;
        await client._client.ConnectAsync(IPAddress.Loopback, port, Token);
        client._stream = new SslStream(
            client._client.GetStream(), leaveInnerStreamOpen: false,
            (_, certificate, _, _) => certificate!.Subject == "CN=Simulated Cosmos DB account");
        await client._stream.AuthenticateAsClientAsync("localhost");
        if (handshake)
        {
            await client.SendAsync(FrameBuilder.HandshakeRequest());
            Assert.Equal(200u, (await client.ReceiveAsync())!.Value.Status);
        }

        return client;
    }

    public async Task SendAsync(ReadOnlyMemory<byte> bytes) => await _stream.WriteAsync(bytes, Token);

    /// <summary>The next response; null when the account ended the connection.</summary>
    public async Task<(uint Status, uint Id, byte[] Body)?> ReceiveAsync()
    {
        byte[] head = new byte[4];
        if (!await TryFillAsync(head))
            return null;
        byte[] frame = new byte[BinaryPrimitives.ReadInt32LittleEndian(head)];
        head.CopyTo(frame, 0);
        if (!await TryFillAsync(frame.AsMemory(4)))
            return null;
        uint id = 0;
        bool hasBody = false;
        var tokens = new List<(ushort Id, TextRange Range)>();
        Parse(frame, tokens);
        foreach ((ushort token, TextRange range) in tokens)
        {
            if (token == ResponseFrame.TransportRequestId)
                id = BinaryPrimitives.ReadUInt32LittleEndian(frame.AsSpan(range.Start));
            if (token == ResponseFrame.PayloadPresent)
                hasBody = frame[range.Start] == 1;
        }

        byte[] body = [];
        if (hasBody)
        {
            await TryFillAsync(head);
            body = new byte[BinaryPrimitives.ReadInt32LittleEndian(head)];
            await TryFillAsync(body);
        }

        return (BinaryPrimitives.ReadUInt32LittleEndian(frame.AsSpan(4)), id, body);
    }

    public async ValueTask DisposeAsync()
    {
        await _stream.DisposeAsync();
        _client.Dispose();
    }

    private static void Parse(byte[] frame, List<(ushort Id, TextRange Range)> found)
    {
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        while (!tokens.IsAtEnd)
        {
            Assert.True(tokens.TryRead());
            found.Add((tokens.Id, tokens.Value));
        }
    }

    private async Task<bool> TryFillAsync(Memory<byte> buffer)
    {
        try
        {
            return await _stream.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false, Token) == buffer.Length;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
