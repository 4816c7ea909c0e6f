namespace ScaleOut.Workers.Measuring;

/// <summary>
/// Counts a leg by parts of its work: by the steps of its load, by the kinds of its operations, or by the steps of its actions.
/// Thread-safe.
/// </summary>
public sealed class PartMeter(int parts)
{
    private readonly Cell[] _cells = [.. Enumerable.Range(0, parts).Select(_ => new Cell())];

    public void Count(int part, in Counts counts) => _cells[part].Add(counts);

    /// <summary>Counts requests that the SDK sent.</summary>
    public void Calls(int part, long calls) => Interlocked.Add(ref _cells[part].Calls, calls);

    /// <summary>Counts an operation that did not fail.</summary>
    public void Operation(int part, TimeSpan latency)
    {
        Interlocked.Increment(ref _cells[part].Operations);
        _cells[part].Latency.Record(latency);
    }

    /// <summary>The parts in which anything ended, in their order.</summary>
    public IReadOnlyList<PartSample> Samples() =>
    [
        .. _cells.Select((cell, part) => new PartSample
        {
            Part = part,
            Counts = cell.Counts,
            Operations = Interlocked.Read(ref cell.Operations),
            Calls = Interlocked.Read(ref cell.Calls),
            OperationLatency = cell.Latency,
        }).Where(sample => sample.Counts.Attempts > 0 || sample.Operations > 0),
    ];

    private sealed class Cell : CountCell
    {
        public readonly LatencyHistogram Latency = new();
        public long Operations;
        public long Calls;
    }
}

/// <summary>Counts of a leg, or of one of its seconds, partitions or steps. Many threads add to them.</summary>
internal class CountCell
{
    private long _inserted;
    private long _alreadyPresent;
    private long _failed;
    private long _attempts;
    private long _throttled;
    private long _errors;
    private long _requestUnitParts;
    private long _throttledRequestUnitParts;
    private long _bytes;

    public Counts Counts => new()
    {
        Inserted = Interlocked.Read(ref _inserted),
        AlreadyPresent = Interlocked.Read(ref _alreadyPresent),
        Failed = Interlocked.Read(ref _failed),
        Attempts = Interlocked.Read(ref _attempts),
        Throttled = Interlocked.Read(ref _throttled),
        Errors = Interlocked.Read(ref _errors),
        RequestUnits = new RequestUnits(Interlocked.Read(ref _requestUnitParts)),
        ThrottledRequestUnits = new RequestUnits(Interlocked.Read(ref _throttledRequestUnitParts)),
        Bytes = Interlocked.Read(ref _bytes),
    };

    public void Add(in Counts counts)
    {
        Add(ref _inserted, counts.Inserted);
        Add(ref _alreadyPresent, counts.AlreadyPresent);
        Add(ref _failed, counts.Failed);
        Add(ref _attempts, counts.Attempts);
        Add(ref _throttled, counts.Throttled);
        Add(ref _errors, counts.Errors);
        Add(ref _requestUnitParts, counts.RequestUnits.Parts);
        Add(ref _throttledRequestUnitParts, counts.ThrottledRequestUnits.Parts);
        Add(ref _bytes, counts.Bytes);
    }

    private static void Add(ref long sum, long count)
    {
        if (count != 0)
            Interlocked.Add(ref sum, count);
    }
}
