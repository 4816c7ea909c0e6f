namespace ScaleOut.Simulator.Direct;

/// <summary>One connection of a client: reads one frame after the other and starts each request at once.</summary>
#pragma warning disable CA1001 // The connection releases its resources when it ends, and outlives its creator's use of it.
internal sealed class DirectConnection
#pragma warning restore CA1001
{
    private readonly AccountContext _account;
    private readonly Socket _socket;
    private readonly SslStream _stream;
    private readonly EndPoint? _client;
    private readonly ConnectionWatch _watch;
    private readonly ResponseQueue _responses;
    private int _closed;

    public DirectConnection(AccountContext account, Socket socket, TimeProvider time)
    {
        _account = account;
        _watch = new ConnectionWatch(time);
        _socket = socket;
        _client = socket.RemoteEndPoint;
        _stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        _responses = new ResponseQueue(_stream, _watch, account.Engine.Delays, EndDisconnected);
    }

    /// <summary>Serves the connection until either side ends it. Never throws.</summary>
    public async Task RunAsync(SslServerAuthenticationOptions tls, CancellationToken stopping)
    {
        using var processor = new RequestProcessor(_account);
        try
        {
            await _stream.AuthenticateAsServerAsync(tls, stopping);
            var reader = new FrameReader(_stream, _watch, _responses);
            if (await HandshakeAsync(reader))
                await ReadRequestsAsync(reader, processor);
        }
        catch (FrameException e)
        {
            _account.Logger.DirectConnectionClosed(_client, e.Message);
        }
        catch (Exception e)
            when (e is IOException or SocketException or ObjectDisposedException
                or OperationCanceledException or AuthenticationException)
        {
            EndDisconnected(e);
        }
        finally
        {
            Close(reset: false);
        }
    }

    /// <summary>Ends the connection; requests in flight continue without a response.</summary>
    /// <param name="reset">Whether the client sees a reset instead of an orderly end.</param>
    public void Close(bool reset)
    {
        if (Interlocked.Exchange(ref _closed, 1) != 0)
            return;
        try
        {
            _responses.Close();
            if (reset)
                _socket.LingerState = new LingerOption(true, 0);
        }
        catch (SocketException)
        {
            // The client has closed the connection already, so there is nothing to reset.
        }
        finally
        {
            _socket.Dispose();
            _stream.Dispose();
        }
    }

    /// <summary>Takes a finished exchange's response, or closes the connection instead.</summary>
    /// <param name="synchronous">Whether the caller is the reader, which flushes by itself.</param>
    public void Finish(DirectExchange exchange, bool synchronous)
    {
        if (exchange.Response.ClosesConnection)
            Close(reset: true);
        else
            _responses.Complete(exchange, synchronous);
    }

    /// <summary>Ends the connection for a request that could not be processed.</summary>
    public void Fail(Exception exception)
    {
        _account.Logger.DirectRequestFailed(_client, exception);
        Close(reset: true);
    }

    public void EndIfOverdue()
    {
        if (_watch.Overdue() is not { } reason)
            return;
        _account.Logger.DirectConnectionClosed(_client, reason);
        Close(reset: true);
    }

    /// <summary>Ends the connection because the client has gone, never spoke TLS, or the account ends.</summary>
    private void EndDisconnected(Exception exception)
    {
        _account.Logger.DirectClientGone(_client, exception.Message);
        Close(reset: false);
    }

    private async ValueTask<bool> HandshakeAsync(FrameReader reader)
    {
        var frame = await reader.ReadHandshakeAsync();
        if (frame.IsEmpty)
            return false;
        var response = Handshake.Respond(frame.Span, new AccountRequest(ConnectionMode.Direct));
        await _stream.WriteAsync(response);
        _watch.Established();
        return true;
    }

    private async Task ReadRequestsAsync(FrameReader reader, RequestProcessor processor)
    {
        while (await reader.ReadHeadAsync() is > 0 and int length)
        {
            await _responses.WaitForRoomAsync();
            var exchange = _responses.TakeSpare() ?? new DirectExchange(this);
            if (!await reader.TakeAsync(exchange, length))
                return;
            _responses.Begin(exchange);
            exchange.Start(processor);
        }
    }
}

/// <summary>A connection's first exchange, in which both sides send their names and versions.</summary>
internal static class Handshake
{
    /// <summary>Token with the version that the client speaks.</summary>
    public const ushort ProtocolVersion = 0x0;

    private const ushort ServerAgent = 0x2;
    private const ushort ServerVersion = 0x3;
    private const uint SupportedVersion = 1;
    private const int MaxResponseBytes = 128;

    /// <exception cref="FrameException">The frame is no handshake, or its protocol version is not supported.</exception>
    public static byte[] Respond(ReadOnlySpan<byte> frame, AccountRequest request)
    {
        if (!RequestFrame.TryRead(frame, request, out var ids)
            || request is not { Resource: ResourceType.Connection, Operation: OperationType.None })
            throw new FrameException("the first frame is no handshake");
        uint version = 0;
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        while (!tokens.IsAtEnd)
        {
            if (!tokens.TryRead())
                throw new FrameException("a handshake with malformed tokens");
            if (tokens.Id == ProtocolVersion && !tokens.TryGetUInt32(out version))
                throw new FrameException("a handshake whose protocol version is not a number");
        }

        if (version != SupportedVersion)
            throw new FrameException($"protocol version {version} is not spoken");
        Span<byte> buffer = stackalloc byte[MaxResponseBytes];
        var response = new FrameWriter(buffer);
        response.AddSmall(ServerAgent, "SimulatedAccount"u8);
        response.AddSmall(ServerVersion, "1.0"u8);
        response.Complete(status: 200, ids.ActivityId);
        return buffer[..response.Length].ToArray();
    }
}
