namespace ScaleOut.Workers.Measuring;

/// <summary>Counts a leg by parts of its work: by the steps of its load, or by the kinds of its operations. Thread-safe.</summary>
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
