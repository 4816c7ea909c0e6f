namespace ScaleOut.Sizing.Prediction;

/// <summary>
/// Clients in bulk mode group operations by partition. They send a batch when an operation arrives and the batch is full, or when their
/// timer fires. Its response costs the client's CPU for all its operations.
/// </summary>
internal sealed class BulkStreams
{
    private const int None = -1;

    private readonly FleetSpec _spec;
    private readonly FleetEvents _events;
    private readonly OperationLoops _loops;
    private readonly FleetAccount _account;
    private readonly Connections _connections;
    private readonly CorePool[] _pools;
    private readonly BulkStream[] _streams;
    private readonly BulkRequestPool _requests = new();
    private readonly int[] _nextLoop;
    private readonly int[] _open;
    private readonly double _cpuTicks;

    public BulkStreams(
        FleetSpec spec, FleetEvents events, OperationLoops loops, FleetAccount account, Connections connections,
        CorePool[] pools)
    {
        (_spec, _events, _loops, _account, _connections, _pools) = (spec, events, loops, account, connections, pools);
        _streams = new BulkStream[checked(spec.Workers * spec.Partitions)];
        foreach (ref var stream in _streams.AsSpan())
            stream.WaitingHead = None;
        _nextLoop = new int[loops.Count];
        _open = new int[spec.Workers];
        Array.Fill(_open, None);
        _cpuTicks = spec.CpuMsPerAttempt * TimeSpan.TicksPerMillisecond;
    }

    /// <summary>Starts the clients' timers, each at its own time.</summary>
    public void Start(SeededNoise noise)
    {
        for (var client = 0; client < _spec.Workers; client++)
            _events.Add(FleetEvent.Flush, client, (long)(noise.NextUniform() * BulkStream.FlushTicks));
    }

    public void Handle(FleetEvent kind, int index, long now)
    {
        switch (kind)
        {
            case FleetEvent.Turn:
                Add(index, now);
                break;
            case FleetEvent.Flush:
                Flush(index, now);
                _events.Add(FleetEvent.Flush, index, now + BulkStream.FlushTicks);
                break;
            case FleetEvent.Response:
                Receive(index, now);
                break;
            default:
                Finish(index, now);
                break;
        }
    }

    private int ClientOf(int stream) => stream / _spec.Partitions;

    private void Add(int loop, long now)
    {
        _loops.BeginAttempt(loop, now);
        var client = _loops.WorkerOf(loop);
        var index = (client * _spec.Partitions) + _loops.Partition[loop];
        ref var stream = ref _streams[index];
        if (stream.Count == BulkStream.MaxOperations)
            Dispatch(index, now);
        if (stream.Count == 0)
            stream.Head = loop;
        else
            _nextLoop[stream.Tail] = loop;
        stream.Tail = loop;
        _nextLoop[loop] = None;
        stream.Count++;
        if (!stream.IsOpen)
        {
            stream.IsOpen = true;
            stream.NextOpen = _open[client];
            _open[client] = index;
        }
    }

    private void Flush(int client, long now)
    {
        var index = _open[client];
        _open[client] = None;
        while (index != None)
        {
            ref var stream = ref _streams[index];
            stream.IsOpen = false;
            if (stream.Count > 0)
                Dispatch(index, now);
            index = stream.NextOpen;
        }
    }

    private void Dispatch(int index, long now)
    {
        ref var stream = ref _streams[index];
        var request = _requests.Take();
        _requests[request].Head = stream.Head;
        _requests[request].Count = stream.Count;
        _requests[request].Stream = index;
        _requests[request].Began = now;
        _requests[request].Next = None;
        stream.Count = 0;
        stream.Control(now);
        if (stream.UnderWay < stream.Degree)
        {
            stream.UnderWay++;
            Connect(request, now);
        }
        else if (stream.WaitingHead == None)
        {
            stream.WaitingHead = stream.WaitingTail = request;
        }
        else
        {
            _requests[stream.WaitingTail].Next = request;
            stream.WaitingTail = request;
        }
    }

    private void Connect(int request, long now)
    {
        if (_connections.TryTake(ClientOf(_requests[request].Stream), request))
            Send(request, now);
    }

    private void Send(int request, long now)
    {
        var partition = _requests[request].Stream % _spec.Partitions;
        var served = 0;
        for (var loop = _requests[request].Head; loop != None; loop = _nextLoop[loop])
        {
            if (_account.TryExecute(partition, _loops.Kind[loop], now, out var retryAfterMs))
                served++;
            _loops.Respond(loop, retryAfterMs);
        }

        _requests[request].Throttled = served < _requests[request].Count;
        _events.Add(FleetEvent.Response, request, _account.RespondAt(partition, kind: 0, now, served));
    }

    private void Receive(int request, long now)
    {
        var client = ClientOf(_requests[request].Stream);
        if (_connections.TryPassOn(client, out var waiting))
            Send(waiting, now);
        var done = _pools[client].Run(now, _cpuTicks * _requests[request].Count);
        _events.Add(FleetEvent.Handled, request, done);
    }

    private void Finish(int request, long now)
    {
        ref var stream = ref _streams[_requests[request].Stream];
        stream.Control(now);
        stream.Note(_requests[request].Count, now - _requests[request].Began, _requests[request].Throttled);
        stream.UnderWay--;
        while (stream.WaitingHead != None && stream.UnderWay < stream.Degree)
        {
            var waiting = stream.WaitingHead;
            stream.WaitingHead = _requests[waiting].Next;
            stream.UnderWay++;
            Connect(waiting, now);
        }

        var loop = _requests[request].Head;
        _requests.Return(request);
        while (loop != None)
        {
            var next = _nextLoop[loop];
            var turn = _loops.End(loop, now);
            if (turn > now)
                _events.Add(FleetEvent.Turn, loop, turn);
            else
                Add(loop, now);
            loop = next;
        }
    }
}

/// <summary>
/// The SDK's bulk mode for one client and one physical partition: the batch being filled, and the congestion control, with the figures of
/// the SDK (3.x, <c>BatchAsyncStreamer</c>).
/// </summary>
internal struct BulkStream
{
    public const int MaxOperations = RunEstimate.BulkRequestDocuments;

    /// <summary>How often batches that are not full are sent.</summary>
    public const long FlushTicks = RunEstimate.BulkFlushMs * TimeSpan.TicksPerMillisecond;

    /// <summary>Largest number of requests in flight that the congestion control allows.</summary>
    public const int MaxRequests = 50;

    private const int MaxDecrease = 5;
    private const long ControlTicks = TimeSpan.TicksPerSecond;

    /// <summary>First and last loop of the batch being filled, and their number.</summary>
    public int Head;
    public int Tail;
    public int Count;

    /// <summary>Whether the stream is in the client's list of streams with a partial batch, and the next stream in that list.</summary>
    public bool IsOpen;
    public int NextOpen;

    /// <summary>Number of requests in flight, and the queue of requests that wait for a free slot.</summary>
    public int UnderWay;
    public int WaitingHead;
    public int WaitingTail;

    private int _beyondOne;
    private long _requestTicks;
    private long _operations;
    private long _throttles;
    private long _extraWaits;
    private long _nextControl;

    /// <summary>Requests that may be in flight; 1 at first.</summary>
    public readonly int Degree => 1 + _beyondOne;

    public void Note(int operations, long ticks, bool throttled)
    {
        _operations += operations;
        _requestTicks += ticks;
        _throttles += throttled ? 1 : 0;
    }

    /// <summary>
    /// Adjusts <see cref="Degree"/> once a second, if requests took a second together since the last time. Must be called before
    /// <see cref="Note"/>.
    /// </summary>
    public void Control(long now)
    {
        if (now < _nextControl)
            return;
        _nextControl = ((now / ControlTicks) + 1) * ControlTicks;
        if (_requestTicks < ControlTicks * (1 + _extraWaits))
            return;
        if (_throttles > 0)
        {
            _beyondOne -= Math.Min(MaxDecrease, Degree / 2);
            _extraWaits++;
        }
        else if (_operations > 0 && Degree < MaxRequests)
        {
            _beyondOne++;
        }

        (_requestTicks, _operations, _throttles) = (0, 0, 0);
    }
}

/// <summary>Bulk requests in flight. Their numbers are reused.</summary>
internal sealed class BulkRequestPool
{
    private BulkRequest[] _requests = new BulkRequest[1024];
    private int _free = -1;
    private int _made;

    public ref BulkRequest this[int request] => ref _requests[request];

    public int Take()
    {
        if (_free >= 0)
        {
            var used = _free;
            _free = _requests[used].Next;
            return used;
        }

        if (_made == _requests.Length)
            Array.Resize(ref _requests, 2 * _made);
        return _made++;
    }

    public void Return(int request)
    {
        _requests[request].Next = _free;
        _free = request;
    }
}

internal struct BulkRequest
{
    /// <summary>First loop with an operation in the request.</summary>
    public int Head;

    public int Count;

    public int Stream;

    /// <summary>The request that waits behind this one.</summary>
    public int Next;

    public long Began;

    public bool Throttled;
}
