namespace ScaleOut.Simulator.Prediction;

/// <summary>
/// What the SDK's bulk mode keeps of one client and one physical partition: the batch that is being filled, how many requests may be under
/// way, and what it decides that by. The figures are those of the SDK (3.x, <c>BatchAsyncStreamer</c>).
/// </summary>
internal struct BulkStream
{
    /// <summary>Operations of one request at most.</summary>
    public const int MostOperations = RunEstimate.BulkRequestDocuments;

    /// <summary>How often batches are sent that are not full.</summary>
    public const long FlushTicks = 100 * TimeSpan.TicksPerMillisecond;

    /// <summary>Requests under way at most, once the congestion control has raised them to it.</summary>
    public const int MostRequests = 50;

    private const int MostDecrease = 5;
    private const long ControlTicks = TimeSpan.TicksPerSecond;

    /// <summary>First and last loop of the batch that is being filled, and how many are in it.</summary>
    public int Head;
    public int Tail;
    public int Count;

    /// <summary>Whether it is in the client's list of streams with a batch that is not full, and the one after it there.</summary>
    public bool IsOpen;
    public int NextOpen;

    /// <summary>Requests under way, and those that wait for one to end.</summary>
    public int UnderWay;
    public int WaitingHead;
    public int WaitingTail;

    private int _beyondOne;
    private long _requestTicks;
    private long _operations;
    private long _throttles;
    private long _extraWaits;
    private long _nextControl;

    /// <summary>Requests that may be under way; 1 at first.</summary>
    public int Degree => 1 + _beyondOne;

    /// <summary>Notes a request that has ended.</summary>
    public void Note(int operations, long ticks, bool throttled)
    {
        _operations += operations;
        _requestTicks += ticks;
        _throttles += throttled ? 1 : 0;
    }

    /// <summary>
    /// Decides how many requests may be under way, where a second has passed since it last could and requests took that long together.
    /// To be called before anything else is noted.
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
            _beyondOne -= Math.Min(MostDecrease, Degree / 2);
            _extraWaits++;
        }
        else if (_operations > 0 && Degree < MostRequests)
        {
            _beyondOne++;
        }

        (_requestTicks, _operations, _throttles) = (0, 0, 0);
    }
}

/// <summary>Bulk requests that were made and have not ended, by numbers that are used again.</summary>
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
            int used = _free;
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

/// <summary>A bulk request under way.</summary>
internal struct BulkRequest
{
    /// <summary>First loop whose operation is in it.</summary>
    public int Head;

    public int Count;

    public int Stream;

    /// <summary>The request that waits behind this one.</summary>
    public int Next;

    public long Began;

    /// <summary>Whether any of its operations was throttled.</summary>
    public bool Throttled;
}
