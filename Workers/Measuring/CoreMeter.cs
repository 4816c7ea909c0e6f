namespace ScaleOut.Workers.Measuring;

/// <summary>
/// What a leg's operations did on one processor core. Each core adds to its own, because cores that add to the same numbers wait for each
/// other. A thread may move to another core at any time, so that adding is still thread-safe.
/// </summary>
internal sealed class CoreMeter(int partitions, int seconds)
{
    private readonly SecondCell?[] _seconds = new SecondCell?[seconds];

    public LatencyPair Attempts { get; } = new();

    public LatencyPair Operations { get; } = new();

    public IReadOnlyList<CountCell> ByPartition { get; } = [.. Enumerable.Range(0, partitions).Select(_ => new CountCell())];

    /// <summary>Seconds up to the last that anything happened in.</summary>
    public int UsedSeconds => Array.FindLastIndex(_seconds, cell => cell is not null) + 1;

    /// <summary>The cell of a second; null if nothing happened in it.</summary>
    public SecondCell? Find(int second) => Volatile.Read(ref _seconds[second]);

    public SecondCell CellOf(int second)
    {
        ref var place = ref _seconds[second];
        if (Volatile.Read(ref place) is { } cell)
            return cell;
        var made = new SecondCell(partitions);
        return Interlocked.CompareExchange(ref place, made, null) ?? made;
    }

    public void Count(in Counts counts, int second, int partition)
    {
        ByPartition[partition].Add(counts);
        var cell = CellOf(second);
        cell.Add(counts);
        if (counts.RequestUnits.Parts > 0)
            Interlocked.Add(ref cell.RequestUnitParts[partition], counts.RequestUnits.Parts);
    }
}

/// <summary>Latencies before the end of the warm-up, and after it.</summary>
internal sealed class LatencyPair
{
    private readonly LatencyHistogram _cold = new();

    public LatencyHistogram Warm { get; } = new();

    public void Record(TimeSpan latency, bool isWarm) => (isWarm ? Warm : _cold).Record(latency);

    public void AddTo(LatencyHistogram sum)
    {
        sum.Add(_cold);
        sum.Add(Warm);
    }
}
