namespace ScaleOut.Progress;

/// <summary>
/// Makes a run's status from the reports of its workers, on every host. A host that executes legs itself also reports when they end or are
/// lost. For a host that gets messages by queue, the newest message of each worker is enough. Thread-safe.
/// </summary>
public sealed class RunTally
{
    private static readonly TimeSpan MaxDelay = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan MaxRemaining = TimeSpan.FromDays(99);

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly long _startedAt;
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

    public RunTally(RunSpec spec, TimeProvider? time = null)
    {
        _time = time ?? TimeProvider.System;
        _startedAt = _time.GetTimestamp();
        (_asked, _usesTables) = (spec.Documents, spec.Workload.Kind.UsesTables());
        _workers = [.. Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation).Select(
            (slice, index) => new WorkerTally(index, slice.Count, StallWarning.After(spec, index), spec.Warmup))];
    }

    /// <summary>Raised when a phase begins, the run is being stopped, or there is a new warning.</summary>
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
            var taken = worker.Take(progress, at);
            if (taken || progress.Activity == WorkerState.Ended)
                _partitions.Take(progress, at);
            if (!taken)
                return;
            _latency.Add(at, worker.IsWarm ? progress.Latency : null);
            if ((progress.Warning ?? worker.Stall(at)) is { } warning)
                news = _warnings.Add(OneLine.From(warning), progress.Worker, at);
        }

        if (news)
            Changed?.Invoke();
    }

    /// <summary>Adds a warning about something that this program or one of its workers retries.</summary>
    /// <param name="worker">Null for the program itself.</param>
    public void Warn(string message, int? worker = null)
    {
        lock (_gate)
        {
            if (!_warnings.Add(OneLine.From(message), worker, Now))
                return;
        }

        Changed?.Invoke();
    }

    /// <summary>Sets the RU/s of the container.</summary>
    /// <param name="requestUnitsPerSecond">Null if unknown.</param>
    public void SetBudget(double? requestUnitsPerSecond)
    {
        lock (_gate)
            _budgetPerSecond = requestUnitsPerSecond;
    }

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

    /// <summary>Adds a leg that ended before this program was started.</summary>
    public void Restore(LegOutput leg)
    {
        lock (_gate)
            _workers[leg.Worker].Restore(leg);
    }

    /// <summary>Adds the legs that were lost before this program was started.</summary>
    public void RestoreLostLegs(int lostLegs)
    {
        lock (_gate)
            _lostLegs += lostLegs;
    }

    /// <summary>Adds a leg that left no result.</summary>
    /// <param name="leg">From 1.</param>
    /// <param name="repeated">Whether it is run again.</param>
    /// <param name="begun">Whether it began. If not, it does not count as lost, because none of its work was done.</param>
    public void LoseLeg(int worker, int leg, string reason, bool repeated = true, bool begun = true)
    {
        lock (_gate)
        {
            _lostLegs += begun ? 1 : 0;
            var inARow = _workers[worker].LoseLeg(reason);
            _warnings.AddLeg(begun ? "lost" : "could not begin", worker, leg, repeated ? inARow : null, OneLine.From(reason), Now);
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

    public RunStatus Snapshot()
    {
        lock (_gate)
        {
            var now = Now;
            List<WorkerStatus> workers = [.. _workers.Select(worker => worker.StatusAt(now))];
            var counts = Counts.Sum(workers.Select(worker => worker.Counts)).Rounded();
            var rates = workers.Aggregate(default(Rates), (sum, worker) => sum + worker.PerSecond).Rounded();
            var isRunning = _phase == RunPhase.Running;
            return new RunStatus
            {
                State = _stopping ? HostedState.Stopping : HostedState.Running,
                Phase = _phase,
                ElapsedSeconds = Math.Round(now.TotalSeconds, 2),
                RemainingSeconds = isRunning && !_stopping ? RemainingSeconds(counts.Done, rates.Documents) : null,
                Asked = _asked,
                UsesTables = _usesTables,
                Counts = counts,
                PerSecond = isRunning ? rates : null,
                LatencyMs = isRunning ? _latency.At(now) : null,
                LostLegs = _lostLegs,
                Workers = workers,
                Warnings = _warnings.Rows(),
                Partitions = _partitions.Statuses(now, _budgetPerSecond),
            };
        }
    }

    private double? RemainingSeconds(long done, double perSecond) => perSecond > 0
        ? Math.Round(Math.Min((_asked - done) / perSecond, MaxRemaining.TotalSeconds), 2)
        : null;

    /// <summary>
    /// The time when a message was sent, because on a busy machine it may wait before it is read. An implausible time, as after the clock
    /// was set, is replaced by now.
    /// </summary>
    private TimeSpan ReportedAt(WorkerProgress progress)
    {
        var (now, delay) = (Now, _time.GetUtcNow() - progress.At);
        return delay > TimeSpan.Zero && delay < MaxDelay && delay < now ? now - delay : now;
    }

    private TimeSpan Now => _time.GetElapsedTime(_startedAt);
}
