namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>Splits and merges partitions at the times of a spec, counted from the first document operation.</summary>
internal sealed class SplitSchedule(SimulationSpec simulation, ResourceCatalog catalog, AccountClock clock, ILogger logger)
{
    private readonly Change[] _changes =
    [
        .. simulation.Splits.Select(split => new Change(split.AfterSeconds, split.Partition, IsMerge: false))
            .Concat(simulation.Merges.Select(merge => new Change(merge.AfterSeconds, merge.Partition, IsMerge: true)))
            .OrderBy(change => change.AfterSeconds),
    ];

    private int _next;
    private int _changing;

    /// <summary>Called with every operation. Makes due changes one after the other, in the background.</summary>
    public void Observe()
    {
        if (IsDue(Volatile.Read(ref _next)) && Interlocked.CompareExchange(ref _changing, 1, 0) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(_ => MakeNext(), null);
    }

    private bool IsDue(int change) => change < _changes.Length && clock.SecondsSinceFirstOperation() >= _changes[change].AfterSeconds;

    private void MakeNext()
    {
        // The change may have been made since this was queued.
        if (IsDue(_next))
        {
            foreach (var container in catalog.Containers.ToArray())
                TryMake(container, _changes[_next]);
            Volatile.Write(ref _next, _next + 1);
        }

        Volatile.Write(ref _changing, 0);
    }

    private void TryMake(ContainerResource container, Change change)
    {
        try
        {
            if (change.IsMerge)
                container.Splits.Merge(change.Partition);
            else
                container.Splits.Split(change.Partition);
        }
        catch (RequestException e)
        {
            logger.PartitionNotChanged(change.Partition, container.Link, change.IsMerge ? "merged" : "split", e.Message);
        }
    }

    private readonly record struct Change(double AfterSeconds, int Partition, bool IsMerge);
}
