using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>Splits partitions at the times that a plan names, counted from the account's first document operation.</summary>
internal sealed class SplitSchedule(IReadOnlyList<PartitionSplit> splits, ResourceCatalog catalog, AccountClock clock)
{
    private readonly PartitionSplit[] _splits = [.. splits.OrderBy(split => split.AfterSeconds)];
    private long _firstOperationTicks;
    private int _next;
    private int _splitting;

    /// <summary>Called with every operation; starts the splits that are due, one after the other, beside the operation.</summary>
    public void Observe()
    {
        int next = Volatile.Read(ref _next);
        if (next == _splits.Length)
            return;
        long now = clock.NowTicks;
        Interlocked.CompareExchange(ref _firstOperationTicks, now, 0);
        double seconds = (now - Volatile.Read(ref _firstOperationTicks)) / (double)TimeSpan.TicksPerSecond;
        if (seconds >= _splits[next].AfterSeconds && Interlocked.CompareExchange(ref _splitting, 1, 0) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(_ => SplitNext(), null);
    }

    private void SplitNext()
    {
        // Whoever queued this may have seen a split that was done by then.
        if (_next < _splits.Length && (clock.NowTicks - _firstOperationTicks) / (double)TimeSpan.TicksPerSecond >= _splits[_next].AfterSeconds)
        {
            foreach (ContainerResource container in catalog.Containers.ToArray())
                TrySplit(container, _splits[_next].Partition);
            Volatile.Write(ref _next, _next + 1);
        }

        Volatile.Write(ref _splitting, 0);
    }

    private static void TrySplit(ContainerResource container, int partition)
    {
        try
        {
            container.Split(partition);
        }
        catch (RequestException)
        {
            // A container that does not have the partition, or cannot split it, goes on as it is.
        }
    }
}
