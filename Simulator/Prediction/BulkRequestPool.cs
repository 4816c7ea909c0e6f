namespace ScaleOut.Simulator.Prediction;

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

    /// <summary>When the account got it, from which its delay runs.</summary>
    public long Sent;

    /// <summary>Whether any of its operations was throttled.</summary>
    public bool Throttled;
}
