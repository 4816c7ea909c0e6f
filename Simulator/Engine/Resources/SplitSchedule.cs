using Microsoft.Extensions.Logging;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>Splits partitions at the times that a spec names, counted from the account's first document operation.</summary>
internal sealed partial class SplitSchedule(
    IReadOnlyList<PartitionSplit> splits, ResourceCatalog catalog, AccountClock clock, ILogger logger)
{
    private readonly PartitionSplit[] _splits = [.. splits.OrderBy(split => split.AfterSeconds)];
    private int _next;
    private int _splitting;

    /// <summary>Called with every operation; starts the splits that are due, one after the other, beside the operation.</summary>
    public void Observe()
    {
        if (IsDue(Volatile.Read(ref _next)) && Interlocked.CompareExchange(ref _splitting, 1, 0) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(_ => SplitNext(), null);
    }

    private bool IsDue(int split) => split < _splits.Length && clock.SecondsSinceFirstOperation() >= _splits[split].AfterSeconds;

    private void SplitNext()
    {
        // Whoever queued this may have seen a split that was done by then.
        if (IsDue(_next))
        {
            foreach (ContainerResource container in catalog.Containers.ToArray())
                TrySplit(container, _splits[_next].Partition);
            Volatile.Write(ref _next, _next + 1);
        }

        Volatile.Write(ref _splitting, 0);
    }

    private void TrySplit(ContainerResource container, int partition)
    {
        try
        {
            container.Split(partition);
        }
        catch (RequestException e)
        {
            LogNotSplit(logger, partition, container.Link, e.Message);
        }
    }

    [LoggerMessage(4, LogLevel.Information, "Partition {Partition} of {Container} was to be split, but cannot be: {Reason}")]
    private static partial void LogNotSplit(ILogger logger, int partition, string container, string reason);
}
