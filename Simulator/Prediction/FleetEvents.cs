namespace ScaleOut.Simulator.Prediction;

/// <summary>What happens to an operation loop, a request or a client.</summary>
internal enum FleetEvent
{
    /// <summary>A loop begins an attempt.</summary>
    Turn,

    /// <summary>A loop's request is ready to be sent.</summary>
    Ready,

    /// <summary>The response to a request arrives: in bulk of a bulk request, else of a loop.</summary>
    Response,

    /// <summary>The client is done with the response to a bulk request.</summary>
    Handled,

    /// <summary>A client sends the bulk requests that are not full.</summary>
    Flush,
}

/// <summary>What is going to happen, by time. It allocates nothing once it has grown to the most that waits at once.</summary>
internal sealed class FleetEvents
{
    private const int KindBits = 3;

    private readonly PriorityQueue<long, long> _queue;

    /// <param name="capacity">About how many events wait at once.</param>
    public FleetEvents(int capacity) => _queue = new PriorityQueue<long, long>(capacity);

    public void Add(FleetEvent kind, int index, long at) => _queue.Enqueue(((long)index << KindBits) | (long)kind, at);

    public bool TryTake(out FleetEvent kind, out int index, out long at)
    {
        bool any = _queue.TryDequeue(out long packed, out at);
        kind = (FleetEvent)(packed & ((1 << KindBits) - 1));
        index = (int)(packed >> KindBits);
        return any;
    }
}
