namespace ScaleOut.Simulator.Prediction;

/// <summary>Bulk requests that were made and have not ended, by numbers that are used again.</summary>
internal sealed class BulkRequests
{
    private int[] _head = new int[1024];
    private int[] _count = new int[1024];
    private int[] _stream = new int[1024];
    private int[] _next = new int[1024];
    private long[] _began = new long[1024];
    private bool[] _throttled = new bool[1024];
    private int _free = -1;
    private int _made;

    /// <summary>First loop whose operation is in it.</summary>
    public ref int Head(int request) => ref _head[request];

    public ref int Count(int request) => ref _count[request];

    public ref int Stream(int request) => ref _stream[request];

    /// <summary>The request that waits behind this one.</summary>
    public ref int Next(int request) => ref _next[request];

    public ref long Began(int request) => ref _began[request];

    /// <summary>Whether any of its operations was throttled.</summary>
    public ref bool Throttled(int request) => ref _throttled[request];

    public int Take()
    {
        if (_free >= 0)
        {
            int used = _free;
            _free = _next[used];
            return used;
        }

        if (_made == _head.Length)
        {
            int length = 2 * _made;
            Array.Resize(ref _head, length);
            Array.Resize(ref _count, length);
            Array.Resize(ref _stream, length);
            Array.Resize(ref _next, length);
            Array.Resize(ref _began, length);
            Array.Resize(ref _throttled, length);
        }

        return _made++;
    }

    public void Return(int request)
    {
        _next[request] = _free;
        _free = request;
    }
}
