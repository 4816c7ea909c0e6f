using ScaleOut.Slicing;

namespace ScaleOut.DevBox.Progress;

/// <summary>What is known of a run while it goes on; written by many threads, read by the display.</summary>
internal sealed class RunTally
{
    private static readonly TimeSpan LongestDelay = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ShortestStall = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private readonly WorkerTally[] _workers;
    private readonly PartitionTally _partitions = new();
    private readonly LatencyWindow _latency = new();
    private readonly WarningTally _warnings = new();
    private readonly long _asked;
    private readonly bool _usesTables;
    private double? _budgetPerSecond;
    private RunPhase _phase = RunPhase.Preparing;
    private bool _stopping;
    private int _lostLegs;

    public RunTally(RunSpec spec)
    {
        (_asked, _usesTables) = (spec.Documents, spec.Workload.Kind.UsesTables());
        _workers = [.. Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation).Select(
            (slice, index) => new WorkerTally(index, slice.Count, StallOf(spec, index)))];
    }

    /// <summary>A phase began, the run is being stopped, or something went wrong.</summary>
    public event Action? Changed;

    public void SetPhase(RunPhase phase)
    {
        lock (_gate)
            _phase = phase;
        Changed?.Invoke();
    }

    public void SetStopping()
    {
        lock (_gate)
            _stopping = true;
        Changed?.Invoke();
    }

    public void Take(WorkerProgress progress)
    {
        var news = false;
        lock (_gate)
        {
            var at = ReportedAt(progress);
            var worker = _workers[progress.Worker];
            // What a leg charged is known whole only at its end, which the worker's own figures take from its result.
            var taken = worker.Take(progress, at);
            if (taken)
                _latency.Add(at, progress.Latency);
            if (taken || progress.Activity == WorkerActivity.Ended)
                _partitions.Take(progress, at);
            if (taken && (progress.Warning ?? worker.Stall(at)) is { } warning)
                news = _warnings.Add(OneLine.From(warning), progress.Worker, at);
        }

        if (news)
            Changed?.Invoke();
    }

    /// <summary>Takes what this program, or one of its workers, tries again, and why.</summary>
    public void Warn(string message, int? worker = null)
    {
        lock (_gate)
        {
            if (!_warnings.Add(OneLine.From(message), worker, Now))
                return;
        }

        Changed?.Invoke();
    }

    /// <summary>Takes what the container may use.</summary>
    /// <param name="requestUnitsPerSecond">Null when it is not known.</param>
    public void SetBudget(double? requestUnitsPerSecond)
    {
        lock (_gate)
            _budgetPerSecond = requestUnitsPerSecond;
    }

    /// <summary>A worker begins, or begins once more because legs of it are repeated.</summary>
    public void BeginWorker(int worker)
    {
        lock (_gate)
            _workers[worker].Begin();
    }

    public void EndLeg(LegOutput leg)
    {
        lock (_gate)
            _workers[leg.Worker].EndLeg(leg, Now);
    }

    /// <summary>Takes a leg that ended before this program was started.</summary>
    public void Restore(LegOutput leg)
    {
        lock (_gate)
            _workers[leg.Worker].Restore(leg);
    }

    /// <summary>Takes how many legs were lost before this program was started.</summary>
    public void RestoreLostLegs(int lostLegs)
    {
        lock (_gate)
            _lostLegs += lostLegs;
    }

    /// <summary>Takes a leg that left no result.</summary>
    /// <param name="leg">From 1.</param>
    /// <param name="repeated">Whether it is run again.</param>
    public void LoseLeg(int worker, int leg, string reason, bool repeated = true)
    {
        lock (_gate)
        {
            _lostLegs++;
            var inARow = _workers[worker].LoseLeg(reason);
            _warnings.AddLeg("lost", worker, leg, repeated ? inARow : null, OneLine.From(reason), Now);
        }

        Changed?.Invoke();
    }

    /// <summary>Takes why a leg could not begin. It is not lost, as nothing of it was done.</summary>
    /// <param name="leg">From 1.</param>
    public void HoldUpLeg(int worker, int leg, string reason, bool repeated = true)
    {
        lock (_gate)
        {
            var inARow = _workers[worker].LoseLeg(reason);
            _warnings.AddLeg("could not begin", worker, leg, repeated ? inARow : null, OneLine.From(reason), Now);
        }

        Changed?.Invoke();
    }

    public void EndWorker(WorkerOutcome outcome)
    {
        lock (_gate)
        {
            _workers[outcome.Worker].End(outcome);
            _partitions.EndWorker(outcome.Worker);
        }
    }

    public RunSnapshot Snapshot()
    {
        lock (_gate)
        {
            var now = Now;
            var rows = _workers.Select(worker => worker.Row(now)).ToList();
            var totals = rows.Aggregate(default(Totals), (sum, row) => sum + row.Totals);
            var rates = rows.Aggregate(default(LiveRates), (sum, row) => sum + row.Rates);
            return new RunSnapshot
            {
                Phase = _phase,
                Stopping = _stopping,
                Elapsed = now,
                Asked = _asked,
                UsesTables = _usesTables,
                Totals = totals,
                Rates = rates,
                Latency = _latency.At(now),
                LostLegs = _lostLegs,
                Workers = rows,
                Warnings = _warnings.Rows(),
                Partitions = _partitions.Rows(now, _budgetPerSecond),
                Remaining = rates.Documents >= 1
                    ? TimeSpan.FromSeconds(Math.Min((_asked - totals.Documents) / rates.Documents, TimeSpan.FromDays(99).TotalSeconds))
                    : null,
            };
        }
    }

    /// <summary>
    /// How long a worker of this spec may finish nothing without a word: operations that are due seldom are no reason for one.
    /// </summary>
    private static TimeSpan StallOf(RunSpec spec, int worker)
    {
        var due = spec.SettingsOf(worker).Rate is { } rate ? spec.Workload.DocumentsPerOperation / rate : 0;
        var thinking = spec.Workload.ThinkTime.TotalSeconds;
        double[] seconds = [ShortestStall.TotalSeconds, 3 * due, 2 * thinking];
        return TimeSpan.FromSeconds(Math.Min(seconds.Max(), TimeSpan.FromDays(1).TotalSeconds));
    }

    /// <summary>
    /// On a busy machine a message waits before it is read; rates are of when it was sent. A clock that was set meanwhile is not believed.
    /// </summary>
    private TimeSpan ReportedAt(WorkerProgress progress)
    {
        var (now, delay) = (Now, DateTimeOffset.UtcNow - progress.At);
        return delay > TimeSpan.Zero && delay < LongestDelay && delay < now ? now - delay : now;
    }

    private TimeSpan Now => Stopwatch.GetElapsedTime(_startedAt);
}
