namespace ScaleOut.Simulator.Prediction;

/// <summary>
/// Clients in bulk mode: operations are gathered by physical partition, and a request is sent when another operation finds a batch full, or
/// when the client's timer comes round. The client's CPU for all operations of a request is taken when its response is there.
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
        foreach (ref BulkStream stream in _streams.AsSpan())
            stream.WaitingHead = None;
        _nextLoop = new int[loops.Count];
        _open = new int[spec.Workers];
        Array.Fill(_open, None);
        _cpuTicks = spec.CpuMsPerAttempt * TimeSpan.TicksPerMillisecond;
    }

    /// <summary>Starts the clients' timers, each at an instant of its own.</summary>
    public void Start(SeededNoise noise)
    {
        for (int client = 0; client < _spec.Workers; client++)
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
        int client = _loops.WorkerOf(loop);
        int index = (client * _spec.Partitions) + _loops.Partition[loop];
        ref BulkStream stream = ref _streams[index];
        if (stream.Count == BulkStream.MostOperations)
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
        int index = _open[client];
        _open[client] = None;
        while (index != None)
        {
            ref BulkStream stream = ref _streams[index];
            stream.IsOpen = false;
            if (stream.Count > 0)
                Dispatch(index, now);
            index = stream.NextOpen;
        }
    }

    private void Dispatch(int index, long now)
    {
        ref BulkStream stream = ref _streams[index];
        int request = _requests.Take();
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
        int partition = _requests[request].Stream % _spec.Partitions;
        int served = 0;
        for (int loop = _requests[request].Head; loop != None; loop = _nextLoop[loop])
        {
            if (_account.TryExecute(partition, now, out int retryAfterMs))
                served++;
            _loops.Respond(loop, retryAfterMs);
        }

        _requests[request].Throttled = served < _requests[request].Count;
        _events.Add(FleetEvent.Response, request, _account.RespondAt(partition, now, served));
    }

    private void Receive(int request, long now)
    {
        int client = ClientOf(_requests[request].Stream);
        if (_connections.TryPassOn(client, out int waiting))
            Send(waiting, now);
        long done = _pools[client].Run(now, _cpuTicks * _requests[request].Count);
        _events.Add(FleetEvent.Handled, request, done);
    }

    private void Finish(int request, long now)
    {
        ref BulkStream stream = ref _streams[_requests[request].Stream];
        stream.Control(now);
        stream.Note(_requests[request].Count, now - _requests[request].Began, _requests[request].Throttled);
        stream.UnderWay--;
        while (stream.WaitingHead != None && stream.UnderWay < stream.Degree)
        {
            int waiting = stream.WaitingHead;
            stream.WaitingHead = _requests[waiting].Next;
            stream.UnderWay++;
            Connect(waiting, now);
        }

        int loop = _requests[request].Head;
        _requests.Return(request);
        while (loop != None)
        {
            int next = _nextLoop[loop];
            long turn = _loops.End(loop, now);
            if (turn > now)
                _events.Add(FleetEvent.Turn, loop, turn);
            else
                Add(loop, now);
            loop = next;
        }
    }
}
