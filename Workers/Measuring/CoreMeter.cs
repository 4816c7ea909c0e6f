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
        if (counts.RequestUnits > 0)
            Interlocked.Add(ref cell.RequestUnitParts[partition], RequestUnits.From(counts.RequestUnits).Parts);
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

/// <summary>The counts of one UTC second of a leg.</summary>
internal sealed class SecondCell(int partitions) : CountCell
{
    /// <summary>What was charged, by physical partition, in <see cref="RequestUnits.Parts"/>.</summary>
    public readonly long[] RequestUnitParts = new long[partitions];

    /// <summary>Latency of the operations that did not fail.</summary>
    public readonly LatencyHistogram Latency = LatencyHistogram.Coarse();

    /// <summary>Attempts by code that ended in anything but success, 409 or 429; null without any.</summary>
    public ConcurrentDictionary<string, long>? Errors;

    // Written by the sampler alone.
    public double CpuSeconds;
    public int InFlight;
    public double? MachineCpuShare;

    public void CountError(string code)
    {
        var errors = Volatile.Read(ref Errors);
        if (errors is null)
        {
            var made = new ConcurrentDictionary<string, long>();
            errors = Interlocked.CompareExchange(ref Errors, made, null) ?? made;
        }

        errors.AddOrUpdate(code, 1, static (_, count) => count + 1);
    }
}
