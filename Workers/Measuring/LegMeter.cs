namespace ScaleOut.Workers.Measuring;

/// <summary>
/// Counts what a leg's operation loops do: by attempt and by operation, by UTC second and by physical partition. Recording is thread-safe
/// and allocates only with a new second or a new kind of error.
/// </summary>
public sealed class LegMeter
{
    /// <summary>Maximum length of a reason, in characters. It keeps progress messages small.</summary>
    private const int MaxReasonLength = 200;

    private const int MaxFailures = 10;

    /// <summary>Cores with a meter of their own. With more cores, several share one, so that the meters stay small.</summary>
    private const int MaxCores = 8;

    private readonly LegClock _clock;
    private readonly PartitionRanges _partitions;
    private readonly int _lastSecond;
    private readonly CoreMeter[] _cores;
    private readonly ConcurrentDictionary<string, long> _otherErrors = new();
    private readonly ConcurrentQueue<string> _failures = new();
    private readonly ThrottledMeter _throttledResponses = new();
    private long _calls;
    private long _items;
    private long _uncharged;
    private long _throttledWait;
    private int _inFlight;
    private long _silentSince;
    private string? _lastError;

    /// <param name="longest">Maximum duration of the leg. Operations that end later count in the last second.</param>
    public LegMeter(LegClock clock, PartitionRanges partitions, TimeSpan longest)
    {
        _clock = clock;
        _partitions = partitions;
        _lastSecond = (int)Math.Ceiling(longest.TotalSeconds) + 1;
        var cores = Math.Min(Environment.ProcessorCount, MaxCores);
        _cores = [.. Enumerable.Range(0, cores).Select(_ => new CoreMeter(partitions.Count, _lastSecond + 1))];
    }

    /// <summary>The clock of the leg's timestamps.</summary>
    public LegClock Clock => _clock;

    /// <summary>Counts by step of the load; null without steps.</summary>
    public PartMeter? Steps { get; init; }

    /// <summary>The step that a timestamp lies in.</summary>
    public Func<long, int> StepAt { get; init; } = _ => 0;

    /// <summary>Counts by <see cref="WorkloadKind"/>, or by step of an action; null if all operations are of one kind.</summary>
    public PartMeter? Kinds { get; init; }

    /// <summary>Receives each attempt after it is counted; null for none. Must be set before the first attempt.</summary>
    public AttemptObserver? Observer { get; set; }

    /// <summary>Receives the start and the end of each operation that did not fail; null for none. As <see cref="Observer"/>.</summary>
    public Action<long, long>? OperationObserver { get; set; }

    public LatencyHistogram AttemptLatency => Merge((core, sum) => core.Attempts.AddTo(sum));

    public LatencyHistogram OperationLatency => Merge((core, sum) => core.Operations.AddTo(sum));

    /// <summary>Latency of the attempts that ended after the warm-up.</summary>
    public LatencyHistogram WarmAttemptLatency => Merge((core, sum) => sum.Add(core.Attempts.Warm));

    /// <summary>Latency of the operations that ended after the warm-up.</summary>
    public LatencyHistogram WarmOperationLatency => Merge((core, sum) => sum.Add(core.Operations.Warm));

    /// <summary>When the warm-up is over, in ticks of <see cref="LegClock.Now"/>. Must be set before the first operation.</summary>
    public long WarmFrom { get; set; }

    /// <summary>
    /// Since when a response of the account has been due: since its last one, or since the first operation that began after it. Null while
    /// none is due, as between the operations of a slow open loop.
    /// </summary>
    public long? SilentSince => Interlocked.Read(ref _silentSince) is > 0 and var since ? since : null;

    /// <summary>The last error that was neither 409 nor 429; null while there was none.</summary>
    public string? LastError => Volatile.Read(ref _lastError);

    public IReadOnlyDictionary<string, long> OtherErrors => _otherErrors.ToDictionary();

    public IReadOnlyList<string> Failures => [.. _failures.Take(MaxFailures)];

    public Counts Totals => Enumerable.Range(0, _partitions.Count).Aggregate(new Counts(), (sum, partition) => sum + CountsOf(partition));

    /// <summary>Requests that the SDK was seen to send for queries; 0 for other workloads.</summary>
    public long Calls => Interlocked.Read(ref _calls);

    /// <summary>Documents that queries returned; 0 for other workloads.</summary>
    public long Items => Interlocked.Read(ref _items);

    /// <summary>Operations that succeeded with no charge in their response, and count as 0 RU; queries are not among them.</summary>
    public long Uncharged => Interlocked.Read(ref _uncharged);

    /// <summary>Wait times and latencies of the 429s; null without any.</summary>
    public ThrottledSample? ThrottledResponses => _throttledResponses.Sample();

    /// <summary>How long the operations of <see cref="OperationLatency"/> waited after 429s, all together.</summary>
    public TimeSpan ThrottledWait => _clock.Elapsed(0, Interlocked.Read(ref _throttledWait));

    /// <summary>Operations in flight: handed to the SDK and not completed.</summary>
    public int InFlight => Volatile.Read(ref _inFlight);

    /// <summary>Counts an operation that is handed to the SDK as in flight, until <see cref="Attempt"/> counts its response.</summary>
    public void BeginOperation()
    {
        Interlocked.Increment(ref _inFlight);
        if (Volatile.Read(ref _silentSince) == 0)
            Interlocked.CompareExchange(ref _silentSince, _clock.Now, 0);
    }

    /// <summary>Counts one attempt.</summary>
    /// <param name="part">The kind or the step, in <see cref="Kinds"/>, that the attempt counts for.</param>
    /// <param name="finished">What <see cref="Finished"/> counts, if the attempt finished its operation.</param>
    public void Attempt(
        in AttemptResponse response, long startedAt, long endedAt, int partition, int part = 0, in Counts finished = default)
    {
        var core = Core();
        var latency = _clock.Elapsed(startedAt, endedAt);
        core.Attempts.Record(latency, endedAt >= WarmFrom);
        var othersInFlight = Interlocked.Decrement(ref _inFlight) > 0;
        if (response.FromAccount)
            Volatile.Write(ref _silentSince, othersInFlight ? endedAt : 0);

        var isError = response.Kind
            is not (AttemptKind.Succeeded or AttemptKind.AlreadyThere or AttemptKind.Throttled or AttemptKind.Continued);
        var errors = isError ? 1 : 0;
        if (response.Calls is { } calls)
        {
            Count(calls, core, endedAt, part);
            Count(finished + new Counts { Errors = errors }, core, endedAt, partition, part);
        }
        else
        {
            var isThrottled = response.Kind == AttemptKind.Throttled;
            var charge = response.RequestUnits;
            if (charge == RequestUnits.Zero && !isError && !isThrottled)
                Interlocked.Increment(ref _uncharged);
            if (isThrottled)
                _throttledResponses.Record(response.RetryAfter, latency);
            var attempt = new Counts
            {
                Attempts = 1, Throttled = isThrottled ? 1 : 0, Errors = errors, RequestUnits = isThrottled ? RequestUnits.Zero : charge,
                ThrottledRequestUnits = isThrottled ? charge : RequestUnits.Zero,
            };
            Count(attempt + finished, core, endedAt, partition, part);
            CountCalls(1, endedAt, part);
        }

        if (isError)
        {
            _otherErrors.AddOrUpdate(response.Code, 1, static (_, count) => count + 1);
            core.CellOf(SecondOf(endedAt)).CountError(response.Code);
            Volatile.Write(ref _lastError, $"{response.Code} {OneLine.FirstOf(response.Reason, MaxReasonLength)}".TrimEnd());
        }

        Observer?.Invoke(response, startedAt, endedAt);
    }

    /// <summary>Counts the documents of an operation, or of a part of it, by outcome, with their bytes.</summary>
    /// <param name="part">
    /// The kind, in <see cref="Kinds"/>, that the documents count for; null for an action, whose steps are counted one by one.
    /// </param>
    public void Finished(in Counts documents, long endedAt, int partition, int? part = 0) =>
        Count(documents, Core(), endedAt, partition, part);

    /// <summary>Counts a step of an action, and its time unless it failed.</summary>
    public void Step(int part, in Counts documents, long startedAt, long endedAt)
    {
        Kinds?.Count(part, documents);
        if (documents.Failed == 0)
            Kinds?.Operation(part, _clock.Elapsed(startedAt, endedAt));
    }

    /// <summary>Keeps what failed, such as <c>document 7</c>, up to ten.</summary>
    public void Failure(string what, in AttemptResponse response)
    {
        if (_failures.Count < MaxFailures)
            _failures.Enqueue($"{what}: {response.Code} {OneLine.FirstOf(response.Reason, MaxReasonLength)}".TrimEnd());
    }

    /// <summary>Counts the time of an operation that did not fail.</summary>
    /// <param name="part">As for <see cref="Finished"/>.</param>
    /// <param name="throttledWait">How much of it was waiting after 429s, in ticks of <see cref="LegClock.Now"/>.</param>
    public void Operation(long startedAt, long endedAt, int? part = 0, long throttledWait = 0)
    {
        if (throttledWait > 0)
            Interlocked.Add(ref _throttledWait, throttledWait);
        var (core, latency) = (Core(), _clock.Elapsed(startedAt, endedAt));
        core.Operations.Record(latency, endedAt >= WarmFrom);
        core.CellOf(SecondOf(endedAt)).Latency.Record(latency);
        Steps?.Operation(StepAt(endedAt), latency);
        if (part is { } counted)
            Kinds?.Operation(counted, latency);
        OperationObserver?.Invoke(startedAt, endedAt);
    }

    /// <summary>Keeps a sample of the process in the second of the instant.</summary>
    public void Sample(long at, double cpuSeconds, int inFlight, double? machineCpuShare)
    {
        var cell = _cores[0].CellOf(SecondOf(at));
        cell.CpuSeconds += cpuSeconds;
        cell.InFlight = inFlight;
        cell.MachineCpuShare = machineCpuShare;
    }

    /// <summary>One sample for each second from the first to the last that anything happened in.</summary>
    public IReadOnlyList<SecondSample> Seconds()
    {
        var samples = new List<SecondSample>();
        for (var second = 0; second < UsedSeconds; second++)
        {
            List<SecondCell> cells = [.. _cores.Select(core => core.Find(second)).OfType<SecondCell>()];
            var (latency, sampled) = (LatencyHistogram.Coarse(), _cores[0].Find(second));
            cells.ForEach(cell => latency.Add(cell.Latency));
            var errors = cells.SelectMany(cell => cell.Errors?.ToArray() ?? []).ToLookup(error => error.Key, error => error.Value);
            samples.Add(new SecondSample
            {
                Second = _clock.FirstSecond + second,
                Counts = cells.Aggregate(new Counts(), (sum, cell) => sum + cell.Counts),
                CpuSeconds = sampled?.CpuSeconds ?? 0,
                InFlight = sampled?.InFlight ?? 0,
                MachineCpuShare = sampled?.MachineCpuShare,
                Latency = latency.Count > 0 ? PackedHistogram.From(latency) : null,
                Errors = errors.Count > 0 ? errors.ToDictionary(error => error.Key, error => error.Sum()) : null,
            });
        }

        return samples;
    }

    /// <summary>The counts of each physical partition, in order of their ranges; empty if they are unknown.</summary>
    public IReadOnlyList<PartitionSample> Partitions()
    {
        if (!_partitions.AreKnown)
            return [];
        var (samples, used) = (new List<PartitionSample>(), UsedSeconds);
        for (var partition = 0; partition < _partitions.Count; partition++)
        {
            var (first, end) = (0, used);
            while (first < end && ChargedIn(first, partition) == 0)
                first++;
            while (end > first && ChargedIn(end - 1, partition) == 0)
                end--;
            var perSecond = new double[end - first];
            for (var second = first; second < end; second++)
                perSecond[second - first] = new RequestUnits(ChargedIn(second, partition)).Value;
            samples.Add(new PartitionSample
            {
                Min = _partitions[partition].Min,
                Max = _partitions[partition].Max,
                Counts = CountsOf(partition),
                FirstSecond = _clock.FirstSecond + first,
                RequestUnitsPerSecond = perSecond,
            });
        }

        return samples;
    }

    private long ChargedIn(int second, int partition)
    {
        long sum = 0;
        foreach (var core in _cores)
            sum += core.Find(second)?.RequestUnitParts[partition] ?? 0;
        return sum;
    }

    /// <summary>The counts of each physical partition, as <see cref="Partitions"/> but without their seconds.</summary>
    public IReadOnlyList<PartitionProgress> PartitionTotals() => !_partitions.AreKnown
        ? []
        : [.. Enumerable.Range(0, _partitions.Count).Select(partition =>
            new PartitionProgress(_partitions[partition].Min, _partitions[partition].Max, CountsOf(partition)))];

    /// <summary>The counts of each physical partition for progress reports; empty if they are unknown or too many.</summary>
    public IReadOnlyList<PartitionProgress> PartitionProgress() =>
        _partitions.Count > WorkerProgress.MaxPartitions ? [] : PartitionTotals();

    private int UsedSeconds => _cores.Max(core => core.UsedSeconds);

    private Counts CountsOf(int partition) => _cores.Aggregate(new Counts(), (sum, core) => sum + core.ByPartition[partition].Counts);

    private LatencyHistogram Merge(Action<CoreMeter, LatencyHistogram> add)
    {
        var sum = new LatencyHistogram();
        foreach (var core in _cores)
            add(core, sum);
        return sum;
    }

    private CoreMeter Core() => _cores[Thread.GetCurrentProcessorId() % _cores.Length];

    private int SecondOf(long timestamp) => Math.Clamp(_clock.SecondOf(timestamp), 0, _lastSecond);

    /// <summary>Counts the pages of a query as its attempts. Each page counts for the partition that responded.</summary>
    private void Count(QueryCalls calls, CoreMeter core, long endedAt, int part)
    {
        Interlocked.Add(ref _calls, calls.Requests);
        Interlocked.Add(ref _items, calls.Items);
        CountCalls(calls.Requests, endedAt, part);
        for (var partition = 0; partition < calls.Partitions.Count; partition++)
        {
            if (calls.Partitions[partition] != default)
                Count(calls.Partitions[partition], core, endedAt, partition, part);
        }
    }

    private void CountCalls(long calls, long endedAt, int part)
    {
        Steps?.Calls(StepAt(endedAt), calls);
        Kinds?.Calls(part, calls);
    }

    private void Count(in Counts counts, CoreMeter core, long endedAt, int partition, int? part)
    {
        core.Count(counts, SecondOf(endedAt), partition);
        Steps?.Count(StepAt(endedAt), counts);
        if (part is { } counted)
            Kinds?.Count(counted, counts);
    }
}

/// <summary>Keeps the wait times and latencies of 429s.</summary>
internal sealed class ThrottledMeter
{
    private readonly Lock _lock = new();
    private readonly LatencyHistogram _latency = new();
    private TimeSpan _shortest = TimeSpan.MaxValue;
    private TimeSpan _longest;

    /// <param name="retryAfter">Zero if the response has no wait time; such a response is not counted.</param>
    public void Record(TimeSpan retryAfter, TimeSpan latency)
    {
        if (retryAfter <= TimeSpan.Zero)
            return;
        _latency.Record(latency);
        lock (_lock)
        {
            _shortest = retryAfter < _shortest ? retryAfter : _shortest;
            _longest = retryAfter > _longest ? retryAfter : _longest;
        }
    }

    public ThrottledSample? Sample()
    {
        lock (_lock)
            return _longest > TimeSpan.Zero ? new ThrottledSample(_shortest.TotalMilliseconds, _longest.TotalMilliseconds, _latency) : null;
    }
}
