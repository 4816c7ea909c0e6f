namespace ScaleOut.Simulator.Direct;

/// <summary>
/// A connection's requests in flight and its responses, in any order. One flush sends all responses that are ready. The account stops
/// reading from a client that does not take them.
/// </summary>
internal sealed class ResponseQueue(Stream stream, ConnectionWatch watch, DelayMeter delays, Action<Exception> broken)
    : IThreadPoolWorkItem
{
    /// <summary>Largest number of requests of one connection in flight; the SDK's default is 30. More wait in the socket.</summary>
    private const int MaxInFlight = 256;

    /// <summary>Bytes of responses that may wait for a client that does not read. Beyond that, no more requests are taken.</summary>
    private const int MaxPendingBytes = 1024 * 1024;

    /// <summary>Bytes of the frames of requests in flight. Below that, one more request may begin.</summary>
    private const int MaxInFlightBytes = 16 * 1024 * 1024;

    private const int MaxSpareExchanges = 32;
    private const int MinBuffer = 8 * 1024;
    private const int MaxKeptBuffer = 256 * 1024;

    private readonly Lock _gate = new();
    private readonly Stack<DirectExchange> _spare = new();
    private readonly ResponseFrame _frames = new();
    private ArrayBufferWriter<byte> _pending = new(MinBuffer);
    private ArrayBufferWriter<byte> _sending = new(MinBuffer);
    private List<ResponseDelay> _pendingDelays = [];
    private List<ResponseDelay> _sendingDelays = [];
    private TaskCompletionSource? _roomWaiter;
    private int _inFlight;
    private int _inFlightBytes;
    private bool _flushing;
    private bool _closed;

    private bool HasRoom =>
        _closed || (_inFlight < MaxInFlight && _inFlightBytes < MaxInFlightBytes && _pending.WrittenCount < MaxPendingBytes);

    public async ValueTask WaitForRoomAsync()
    {
        Task wait;
        lock (_gate)
        {
            if (HasRoom)
                return;
            wait = (_roomWaiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }

        Flush();
        await wait;
    }

    /// <summary>An exchange to use again; null if there is none.</summary>
    public DirectExchange? TakeSpare()
    {
        lock (_gate)
            return _spare.TryPop(out var exchange) ? exchange : null;
    }

    public void Begin(DirectExchange exchange)
    {
        lock (_gate)
        {
            _inFlight++;
            _inFlightBytes += exchange.FrameBytes;
        }
    }

    /// <summary>Queues the response of a finished request.</summary>
    /// <param name="synchronous">Whether the caller is the reader, which flushes by itself.</param>
    public void Complete(DirectExchange exchange, bool synchronous)
    {
        bool flushes;
        lock (_gate)
        {
            _inFlight--;
            _inFlightBytes -= exchange.FrameBytes;
            if (_closed)
                return;
            _frames.Write(_pending, exchange.Ids, exchange.Response);
            _pendingDelays.Add(exchange.Delay);
            exchange.Reset();
            if (_spare.Count < MaxSpareExchanges)
                _spare.Push(exchange);
            flushes = !synchronous && !_flushing;
            _flushing |= flushes;
            SignalRoom_NeedsLock();
        }

        // The flush is queued behind responses of the same millisecond, so that it sends them, too.
        if (flushes)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Starts to send the pending responses, unless a flush is running.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            if (_flushing || _pending.WrittenCount == 0)
                return;
            _flushing = true;
        }

        _ = FlushAsync();
    }

    /// <summary>Drops all further responses.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _closed = true;
            SignalRoom_NeedsLock();
        }
    }

    void IThreadPoolWorkItem.Execute() => _ = FlushAsync();

    private void SignalRoom_NeedsLock()
    {
        if (_roomWaiter is null || !HasRoom)
            return;
        _roomWaiter.TrySetResult();
        _roomWaiter = null;
    }

    private async Task FlushAsync()
    {
        try
        {
            while (TrySwap())
            {
                watch.Sending();
                foreach (var delay in _sendingDelays)
                    delays.Record(delay);
                await stream.WriteAsync(_sending.WrittenMemory);
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            broken(e);
        }
    }

    /// <summary>Takes the pending responses for sending. False if there are none.</summary>
    private bool TrySwap()
    {
        lock (_gate)
        {
            _flushing = !_closed && _pending.WrittenCount > 0;
            if (!_flushing)
            {
                watch.Sent();
                return false;
            }

            if (_sending.Capacity > MaxKeptBuffer)
                _sending = new ArrayBufferWriter<byte>(MinBuffer);
            _sending.ResetWrittenCount();
            (_pending, _sending) = (_sending, _pending);
            _sendingDelays.Clear();
            (_pendingDelays, _sendingDelays) = (_sendingDelays, _pendingDelays);
            SignalRoom_NeedsLock();
            return true;
        }
    }
}
