using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using ScaleOut.Simulator.Direct.Wire;

namespace ScaleOut.Simulator.Direct;

/// <summary>
/// One connection of a client: reads frames one behind the other, starts each request at once and sends answers as they become ready, in any order.
/// One flush carries all answers that are ready by then.
/// </summary>
#pragma warning disable CA1001 // It releases what it owns itself when it ends, which is not when whoever made it is done with it.
internal sealed class DirectConnection : IThreadPoolWorkItem
#pragma warning restore CA1001
{
    private const int ReadBufferBytes = 16 * 1024;

    /// <summary>Requests of one connection that are worked on at once; the SDK's default is 30. More wait in the socket.</summary>
    private const int MostInFlight = 256;

    /// <summary>Answers that wait for a client that does not read; then no more requests are taken from it.</summary>
    private const int MostPendingBytes = 1024 * 1024;

    /// <summary>Frames of requests that are worked on; one more may begin below it.</summary>
    private const int MostInFlightBytes = 16 * 1024 * 1024;

    private const int MostSpareExchanges = 32;

    private readonly DirectServer _server;
    private readonly Socket _socket;
    private readonly SslStream _stream;
    private readonly EndPoint? _client;
    private readonly RequestDispatcher _dispatcher;
    private readonly Lock _gate = new();
    private readonly ConnectionWatch _watch = new();
    private readonly Stack<DirectExchange> _spare = new();
    private OutgoingBytes _pending = new();
    private OutgoingBytes _sending = new();
    private TaskCompletionSource? _roomWaiter;
    private byte[] _buffer = [];
    private int _start;
    private int _end;
    private int _inFlight;
    private int _inFlightBytes;
    private bool _flushing;
    private bool _closed;

    public DirectConnection(DirectServer server, Socket socket)
    {
        _server = server;
        _socket = socket;
        _client = socket.RemoteEndPoint;
        _stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        _dispatcher = new RequestDispatcher(server.Account);
    }

    /// <summary>Serves the connection until either side ends it. Never throws.</summary>
    public async Task RunAsync(SslServerAuthenticationOptions tls, CancellationToken stopping)
    {
        try
        {
            await _stream.AuthenticateAsServerAsync(tls, stopping).ConfigureAwait(false);
            _buffer = ArrayPool<byte>.Shared.Rent(ReadBufferBytes);
            if (await ExchangeContextAsync().ConfigureAwait(false))
                await ReadRequestsAsync().ConfigureAwait(false);
        }
        catch (FrameException e)
        {
            DirectLog.ConnectionClosed(_server.Logger, _client, e.Message);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or OperationCanceledException or AuthenticationException)
        {
            // The client has gone, never spoke TLS, or the connection was ended from here: nobody is left to answer.
        }
        finally
        {
            Close(reset: false);
            _dispatcher.Dispose();
            if (_buffer.Length > 0)
                ArrayPool<byte>.Shared.Return(_buffer);
        }
    }

    /// <summary>Ends the connection; requests in flight go on without an answer.</summary>
    /// <param name="reset">Whether the client sees a reset instead of an orderly end.</param>
    public void Close(bool reset)
    {
        lock (_gate)
        {
            if (_closed)
                return;
            _closed = true;
            _roomWaiter?.TrySetResult();
            if (!_flushing)
                ReleaseOutgoing();
        }

        if (reset)
            _socket.LingerState = new LingerOption(true, 0);
        _socket.Dispose();
        _stream.Dispose();
    }

    /// <summary>Takes a finished exchange's answer, or closes the connection instead.</summary>
    /// <param name="exchange">The exchange; not the caller's any more.</param>
    /// <param name="isAnswered">False when a fault rule says so.</param>
    /// <param name="synchronous">Whether the reader is the caller, who flushes himself.</param>
    public void Finish(DirectExchange exchange, bool isAnswered, bool synchronous)
    {
        if (!isAnswered)
        {
            Close(reset: true);
            return;
        }

        bool flushes;
        lock (_gate)
        {
            _inFlight--;
            _inFlightBytes -= exchange.FrameBytes;
            if (_closed)
                return;
            AnswerWriter.Write(_pending, exchange.Head, exchange.Route, exchange.Answer);
            Return(exchange);
            flushes = !synchronous && !_flushing;
            _flushing |= flushes;
            SignalRoom();
        }

        // Queued behind answers that became ready in the same millisecond, so that they share the flush.
        if (flushes)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Ends the connection for a request that could not be processed.</summary>
    public void Fail(DirectExchange exchange, Exception exception)
    {
        _ = exchange;
        DirectLog.RequestFailed(_server.Logger, _client, exception);
        Close(reset: true);
    }

    /// <summary>Ends a connection that hangs.</summary>
    public void EndIfOverdue(long nowMs)
    {
        if (_watch.Overdue(nowMs) is not { } fault)
            return;
        DirectLog.ConnectionClosed(_server.Logger, _client, fault);
        Close(reset: true);
    }

    void IThreadPoolWorkItem.Execute() => _ = FlushAsync();

    private bool HasRoom => _inFlight < MostInFlight && _inFlightBytes < MostInFlightBytes && _pending.Length < MostPendingBytes;

    private async ValueTask<bool> ExchangeContextAsync()
    {
        if (!await FillAsync(FrameLimits.HeadBytes).ConfigureAwait(false))
            return false;
        int length = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start));
        if (length is < FrameLimits.HeadBytes or > FrameLimits.MostContextBytes)
            throw new FrameException($"a context frame of {length} bytes");
        if (!await FillAsync(length).ConfigureAwait(false))
            return false;
        byte[] answer = ConnectionContext.Answer(_buffer.AsSpan(_start, length));
        _start += length;
        await _stream.WriteAsync(answer).ConfigureAwait(false);
        _watch.Established();
        return true;
    }

    private async Task ReadRequestsAsync()
    {
        while (await FillAsync(FrameLimits.HeadBytes).ConfigureAwait(false))
        {
            int length = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start));
            if (length is < FrameLimits.HeadBytes or > FrameLimits.MostHeaderBytes)
                throw new FrameException($"a frame that claims {length} bytes of head and tokens");
            if (!await FillAsync(length).ConfigureAwait(false))
                return;
            await WaitForRoomAsync().ConfigureAwait(false);
            DirectExchange exchange = Rent();
            if (!RequestHead.TryRead(_buffer.AsSpan(_start, length), out exchange.Head))
                throw new FrameException("a frame with malformed tokens");
            if (!await TakeFrameAsync(exchange, length).ConfigureAwait(false))
                return;
            _server.Account.CountWireRequest();
            _dispatcher.Start(exchange);
        }
    }

    /// <summary>Moves a frame and its body from the read buffer, and what of the body is not there yet from the socket, to the exchange.</summary>
    private async ValueTask<bool> TakeFrameAsync(DirectExchange exchange, int length)
    {
        int body = 0;
        if (exchange.Head.HasBody)
        {
            if (!await FillAsync(length + sizeof(int)).ConfigureAwait(false))
                return false;
            body = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start + length));
            if (body is < 0 or > FrameLimits.MostBodyBytes)
                throw new FrameException($"a body that claims {body} bytes");
            length += sizeof(int);
        }

        int total = length + body;
        int filled = Math.Min(total, _end - _start);
        byte[] frame = exchange.Reserve(filled, total);
        _buffer.AsSpan(_start, filled).CopyTo(frame);
        _start += filled;
        while (filled < total)
        {
            frame = exchange.Reserve(filled, total);
            Flush();
            int read = await _stream.ReadAsync(frame.AsMemory(filled, Math.Min(frame.Length, total) - filled)).ConfigureAwait(false);
            if (read == 0)
                return false;
            _watch.Heard(isInFrame: true);
            filled += read;
        }

        exchange.BodyRange = new TokenRange(length, body);
        exchange.FrameBytes = total;
        lock (_gate)
            _inFlightBytes += total;
        return true;
    }

    /// <summary>Reads until so many bytes lie in the buffer; false when the client ends the connection first.</summary>
    private async ValueTask<bool> FillAsync(int bytes)
    {
        while (_end - _start < bytes)
        {
            MakeRoom(bytes);
            Flush();
            int read = await _stream.ReadAsync(_buffer.AsMemory(_end)).ConfigureAwait(false);
            if (read == 0)
                return false;
            _end += read;
            _watch.Heard(isInFrame: _end - _start < bytes);
        }

        return true;
    }

    private void MakeRoom(int bytes)
    {
        int held = _end - _start;
        if (_start == _end)
            _start = _end = 0;
        if (_buffer.Length - _start >= bytes && _buffer.Length > _end)
            return;
        // Grows step by step with what has come, never with what a length promises.
        byte[] target = bytes > _buffer.Length && held == _buffer.Length ? ArrayPool<byte>.Shared.Rent(_buffer.Length * 2) : _buffer;
        _buffer.AsSpan(_start, held).CopyTo(target);
        if (target != _buffer)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = target;
        }

        (_start, _end) = (0, held);
    }

    private async ValueTask WaitForRoomAsync()
    {
        Task? wait = null;
        lock (_gate)
        {
            if (!HasRoom && !_closed)
                wait = (_roomWaiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }

        if (wait is null)
            return;
        Flush();
        await wait.ConfigureAwait(false);
    }

    private void SignalRoom()
    {
        if (_roomWaiter is null || !HasRoom)
            return;
        _roomWaiter.TrySetResult();
        _roomWaiter = null;
    }

    private DirectExchange Rent()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_closed, this);
            _inFlight++;
            return _spare.TryPop(out DirectExchange? exchange) ? exchange : new DirectExchange(this);
        }
    }

    private void Return(DirectExchange exchange)
    {
        exchange.Reset();
        if (_spare.Count < MostSpareExchanges)
            _spare.Push(exchange);
    }

    /// <summary>Starts to send what is pending, unless that goes on already.</summary>
    private void Flush()
    {
        lock (_gate)
        {
            if (_flushing || _pending.Length == 0)
                return;
            _flushing = true;
        }

        _ = FlushAsync();
    }

    private async Task FlushAsync()
    {
        try
        {
            while (true)
            {
                lock (_gate)
                {
                    _sending.Clear();
                    if (_closed || _pending.Length == 0)
                    {
                        _flushing = false;
                        _watch.Sent();
                        if (_closed)
                            ReleaseOutgoing();
                        SignalRoom();
                        return;
                    }

                    (_pending, _sending) = (_sending, _pending);
                    SignalRoom();
                }

                _watch.Sending();
                await _stream.WriteAsync(_sending.Memory).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // The client has gone; the reader notices too.
            lock (_gate)
            {
                _flushing = false;
                if (_closed)
                    ReleaseOutgoing();
            }

            Close(reset: false);
        }
    }

    private void ReleaseOutgoing()
    {
        _pending.Dispose();
        _sending.Dispose();
    }
}
