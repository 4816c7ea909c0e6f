namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>When documents of one partition expire. Not thread-safe.</summary>
/// <param name="defaultSeconds">Time to live of documents without their own; <see cref="TimeToLive.Never"/> for none.</param>
internal sealed class ExpirySchedule(PartitionStore store, int defaultSeconds)
{
    private const int SweepFrom = 1_024;

    private readonly PriorityQueue<(DocumentKey Key, long Version), long> _due = new();
    private int _sweepAt = SweepFrom;

    /// <summary>Adds a document that was written. The time of an earlier version does not count any more.</summary>
    public void Added(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        var seconds = TimeToLive.Read(body) ?? defaultSeconds;
        if (seconds == TimeToLive.Never)
            return;
        _due.Enqueue((record.Key, record.Version), record.TimestampSeconds + (long)seconds);
        if (_due.Count >= _sweepAt)
            Sweep();
    }

    /// <summary>Takes the next document whose time is over. False if there is none.</summary>
    public bool TryTakeDue(long nowSecond, out long address)
    {
        while (_due.TryPeek(out var next, out var second) && second <= nowSecond)
        {
            _due.Dequeue();
            if (IsCurrent(next, out address))
                return true;
        }

        address = -1;
        return false;
    }

    private bool IsCurrent((DocumentKey Key, long Version) entry, out long address)
    {
        address = store.Find(entry.Key);
        return address >= 0 && store.Record(address).Version == entry.Version;
    }

    /// <summary>Drops outdated versions once they may be half of all.</summary>
    private void Sweep()
    {
        ((DocumentKey Key, long Version) Element, long Priority)[] current =
            [.. _due.UnorderedItems.Where(entry => IsCurrent(entry.Element, out _))];
        _due.Clear();
        _due.EnqueueRange(current);
        _sweepAt = Math.Max(SweepFrom, current.Length * 2);
    }
}
