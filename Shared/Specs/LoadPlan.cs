namespace ScaleOut.Specs;

/// <summary>
/// One worker's load over time: the same for the whole run, or in steps. Times are seconds since the worker's start, over all its legs.
/// Workers start together. If they wait between operations, each worker begins a fraction of that wait after the previous one. Otherwise
/// all would send at the same instants during the whole run, unlike independent clients.
/// </summary>
public sealed class LoadPlan
{
    private readonly double? _rate;
    private readonly double _phase;
    private readonly double _phaseDocuments;
    private readonly double[] _ends;
    private readonly int[] _concurrency;
    private readonly double[] _rates;

    public LoadPlan(WorkloadSpec workload, ClientSettings client, int worker, int workers)
    {
        var steps = workload.Steps ?? [];
        ThinkTime = workload.ThinkTime;
        (_phase, _phaseDocuments) = ((double)worker / workers, (double)worker / workers * workload.DocumentsPerOperation);
        _ends = new double[steps.Count];
        for (var step = 0; step < steps.Count; step++)
            _ends[step] = (step == 0 ? 0 : _ends[step - 1]) + steps[step].Duration.TotalSeconds;
        _rates = [.. steps.Where(step => step.Rate is not null).Select(step => step.Rate!.Value)];
        _rate = steps.Count == 0 ? client.Rate : null;
        _concurrency = [.. steps.Select(step => step.ConcurrencyOf(worker, workers) ?? client.Concurrency)];
        Concurrency = steps.Count == 0 ? client.Concurrency : _concurrency.Max();
    }

    private LoadPlan(double? rate, int concurrency) => (_rate, Concurrency, _ends, _concurrency, _rates) = (rate, concurrency, [], [], []);

    /// <summary>Maximum number of operations in flight.</summary>
    public int Concurrency { get; }

    /// <summary>How long an operation loop waits after each operation.</summary>
    public TimeSpan ThinkTime { get; }

    /// <summary>Whether operations have intended starts.</summary>
    public bool IsOpen => _rate is not null || _rates.Length > 0;

    /// <summary>Whether the operations in flight change from step to step.</summary>
    public bool ChangesConcurrency => _ends.Length > 0 && _rates.Length == 0;

    /// <summary>Number of steps; 0 for a load without steps.</summary>
    public int Steps => _ends.Length;

    /// <summary>End of the last step in seconds; null without steps.</summary>
    public double? End => _ends.Length > 0 ? _ends[^1] : null;

    /// <summary>Creates a load without steps.</summary>
    /// <param name="rate">Documents per second; null for a closed loop.</param>
    public static LoadPlan Steady(double? rate, int concurrency) => new(rate, concurrency);

    /// <summary>The step at a time. Times after the end belong to the last step.</summary>
    public int StepAt(double seconds)
    {
        var step = 0;
        while (step < _ends.Length - 1 && seconds >= _ends[step])
            step++;
        return step;
    }

    /// <summary>Operations in flight at a time, and the time when that changes, which is infinity if it does not.</summary>
    public (int Concurrency, double Until) ConcurrencyAt(double seconds)
    {
        if (!ChangesConcurrency)
            return (Concurrency, double.PositiveInfinity);
        var step = StepAt(seconds);
        return seconds >= _ends[^1] ? (0, double.PositiveInfinity) : (_concurrency[step], _ends[step]);
    }

    /// <summary>
    /// When an operation loop may take its next operation, at or after a time. If the step lets the loop work, this is the given time.
    /// Otherwise it is the start of a later step that does, plus a part of the think time, so that loops that a step adds do not all send
    /// at once. Infinity if no later step does.
    /// </summary>
    public double TurnOf(int loop, double seconds)
    {
        var (turn, phase) = (seconds, 0d);
        while (true)
        {
            var (concurrency, until) = ConcurrencyAt(turn + phase);
            if (loop < concurrency || double.IsInfinity(until))
                return loop < concurrency ? turn + phase : until;
            (turn, phase) = (until, ThinkTime.TotalSeconds * FirstThinkShare(loop));
        }
    }

    /// <summary>Share of the think time that an operation loop waits before its first operation.</summary>
    public double FirstThinkShare(int loop) => (loop + _phase) / Concurrency;

    /// <summary>When a document of an open loop is due; infinity if it never is.</summary>
    /// <param name="before">Number of the worker's documents before this one.</param>
    public double DueAt(long before)
    {
        double due = 0;
        var left = before + _phaseDocuments;
        if (_rate is { } rate)
            return left / rate;
        for (var step = 0; step < _rates.Length; step++)
        {
            var inStep = (_ends[step] - due) * _rates[step];
            if (left < inStep)
                return due + (left / _rates[step]);
            left -= inStep;
            due = _ends[step];
        }

        return double.PositiveInfinity;
    }
}
