namespace ScaleOut.Workers.Measuring;

/// <summary>Counts a leg by the steps of its load. An attempt belongs to the step in which it ended. Thread-safe.</summary>
/// <param name="stepAt">The step that a timestamp lies in.</param>
public sealed class StepMeter(int steps, Func<long, int> stepAt)
{
    private readonly Cell[] _cells = [.. Enumerable.Range(0, steps).Select(_ => new Cell())];

    public void Count(in Counts counts, long endedAt) => _cells[stepAt(endedAt)].Add(counts);

    /// <summary>Counts requests that the SDK sent.</summary>
    public void Calls(long calls, long endedAt) => Interlocked.Add(ref _cells[stepAt(endedAt)].Calls, calls);

    /// <summary>Counts an operation that did not fail.</summary>
    public void Operation(TimeSpan latency, long endedAt)
    {
        var cell = _cells[stepAt(endedAt)];
        Interlocked.Increment(ref cell.Operations);
        cell.Latency.Record(latency);
    }

    /// <summary>The steps in which anything ended, in their order.</summary>
    public IReadOnlyList<StepSample> Samples() =>
    [
        .. _cells.Select((cell, step) => new StepSample
        {
            Step = step,
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
