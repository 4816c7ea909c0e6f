namespace ScaleOut.Simulator.Prediction;

/// <summary>The connections of each client, one request at a time on each; further requests wait for one in their order.</summary>
internal sealed class Connections
{
    private readonly int _most;
    private readonly int[] _used;
    private readonly Queue<int>[] _waiting;

    /// <param name="clients">How many clients.</param>
    /// <param name="most">Connections of each; null for no limit.</param>
    public Connections(int clients, int? most)
    {
        _most = most ?? int.MaxValue;
        _used = new int[clients];
        _waiting = most is null ? [] : [.. Enumerable.Range(0, clients).Select(_ => new Queue<int>())];
    }

    /// <summary>Whether a request may be sent now; else it waits.</summary>
    public bool TryTake(int client, int request)
    {
        if (_used[client] < _most)
        {
            _used[client]++;
            return true;
        }

        _waiting[client].Enqueue(request);
        return false;
    }

    /// <summary>A response is there; true with the request that takes the connection over.</summary>
    public bool TryPassOn(int client, out int request)
    {
        request = 0;
        if (_waiting.Length > 0 && _waiting[client].TryDequeue(out request))
            return true;
        _used[client]--;
        return false;
    }
}
