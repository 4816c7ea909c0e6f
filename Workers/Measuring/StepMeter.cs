namespace ScaleOut.Workers.Measuring;

/// <summary>Counts a leg by the steps of its load: what ended in a step's time is the step's. Thread-safe.</summary>
/// <param name="stepAt">The step that a timestamp lies in.</param>
public sealed class StepMeter(int steps, Func<long, int> stepAt)
{
    private const double Micro = 1_000_000;

    private readonly Cell[] _cells = [.. Enumerable.Range(0, steps).Select(_ => new Cell())];

    /// <summary>Counts attempts with what they were charged.</summary>
    public void Attempts(long endedAt, long attempts, long calls, long throttled, double requestUnits)
    {
        var cell = _cells[stepAt(endedAt)];
        Interlocked.Add(ref cell.Attempts, attempts);
        Interlocked.Add(ref cell.Calls, calls);
        if (throttled > 0)
            Interlocked.Add(ref cell.Throttled, throttled);
        Interlocked.Add(ref cell.MicroRequestUnits, (long)Math.Round(requestUnits * Micro));
    }

    /// <summary>Counts documents that were written, read, queried or deleted.</summary>
    public void Documents(long endedAt, int documents) => Interlocked.Add(ref _cells[stepAt(endedAt)].Inserted, documents);

    /// <summary>Counts an operation that did not fail.</summary>
    public void Operation(long endedAt, TimeSpan latency)
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
            Inserted = Interlocked.Read(ref cell.Inserted),
            Operations = Interlocked.Read(ref cell.Operations),
            Attempts = Interlocked.Read(ref cell.Attempts),
            Calls = Interlocked.Read(ref cell.Calls),
            Throttled = Interlocked.Read(ref cell.Throttled),
            RequestUnits = Interlocked.Read(ref cell.MicroRequestUnits) / Micro,
            OperationLatency = cell.Latency,
        }).Where(sample => sample.Attempts > 0 || sample.Operations > 0),
    ];

    private sealed class Cell
    {
        public readonly LatencyHistogram Latency = new();
        public long Inserted;
        public long Operations;
        public long Attempts;
        public long Calls;
        public long Throttled;
        public long MicroRequestUnits;
    }
}
