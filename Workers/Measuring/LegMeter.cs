namespace ScaleOut.Workers.Measuring;

/// <summary>
/// Counts what a leg's operation loops do: by attempt and by operation, by UTC second and by physical partition. Recording is thread-safe
/// and allocates only with a new second or a new kind of error.
/// </summary>
public sealed class LegMeter
{
    private const int MaxFailures = 10;

    private readonly LegClock _clock;
    private readonly PartitionRanges _partitions;
    private readonly SecondCell?[] _seconds;
    private readonly CountCell _total = new();
    private readonly CountCell[] _byPartition;
    private readonly ConcurrentDictionary<string, long> _otherErrors = new();
    private readonly ConcurrentQueue<string> _failures = new();
    private readonly ThrottledMeter _throttledResponses = new();
    private long _calls;
    private long _items;
    private long _throttledWait;
    private int _inFlight;
    private long _silentSince;
    private string? _lastError;

    /// <param name="longest">The longest the leg can last; what ends later counts in the last second.</param>
    public LegMeter(LegClock clock, PartitionRanges partitions, TimeSpan longest)
    {
        _clock = clock;
        _partitions = partitions;
        _seconds = new SecondCell?[(int)Math.Ceiling(longest.TotalSeconds) + 2];
        _byPartition = [.. Enumerable.Range(0, partitions.Count).Select(_ => new CountCell())];
    }

    /// <summary>Counts by step of the load; null without steps.</summary>
    public PartMeter? Steps { get; init; }

    /// <summary>The step that a timestamp lies in.</summary>
    public Func<long, int> StepAt { get; init; } = _ => 0;

    /// <summary>Counts by <see cref="WorkloadKind"/>; null if all operations are of one kind.</summary>
    public PartMeter? Kinds { get; init; }

    /// <summary>Receives each attempt after it is counted; null for none. Must be set before the first attempt.</summary>
    public AttemptObserver? Observer { get; set; }

    /// <summary>Receives the start and the end of each operation that did not fail; null for none. As <see cref="Observer"/>.</summary>
    public Action<long, long>? OperationObserver { get; set; }

    public LatencyHistogram AttemptLatency { get; } = new();

    public LatencyHistogram OperationLatency { get; } = new();

    /// <summary>Latency of the attempts that ended after the warm-up.</summary>
    public LatencyHistogram WarmAttemptLatency { get; } = new();

    /// <summary>Latency of the operations that ended after the warm-up.</summary>
    public LatencyHistogram WarmOperationLatency { get; } = new();

    /// <summary>When the warm-up is over, in ticks of <see cref="LegClock.Now"/>. Must be set before the first operation.</summary>
    public long WarmFrom { get; set; }

    /// <summary>
    /// Since when a response of the account has been due: since its last one, or since the first operation handed over after it. Null while
    /// none is due, as between the operations of a slow open loop.
    /// </summary>
    public long? SilentSince => Interlocked.Read(ref _silentSince) is > 0 and var since ? since : null;

    /// <summary>The last error that was neither 409 nor 429; null while there was none.</summary>
    public string? LastError => Volatile.Read(ref _lastError);

    public IReadOnlyDictionary<string, long> OtherErrors => _otherErrors.ToDictionary();

    public IReadOnlyList<string> Failures => [.. _failures.Take(MaxFailures)];

    public Counts Totals => _total.Counts;

    /// <summary>Requests that the SDK was seen to send for queries; 0 for other workloads.</summary>
    public long Calls => Interlocked.Read(ref _calls);

    /// <summary>Documents that queries gave back; 0 for other workloads.</summary>
    public long Items => Interlocked.Read(ref _items);

    /// <summary>Wait times and latencies of the 429s; null without any.</summary>
    public ThrottledSample? ThrottledResponses => _throttledResponses.Sample();

    /// <summary>How long the operations of <see cref="OperationLatency"/> waited after 429s, all together.</summary>
    public TimeSpan ThrottledWait => Stopwatch.GetElapsedTime(0, Interlocked.Read(ref _throttledWait));

    /// <summary>Operations in flight: handed to the SDK and not back.</summary>
    public int InFlight => Volatile.Read(ref _inFlight);

    /// <summary>Counts an operation that is handed to the SDK as in flight, until <see cref="Attempt"/> counts its response.</summary>
    public void HandedOver()
    {
        Interlocked.Increment(ref _inFlight);
        if (Volatile.Read(ref _silentSince) == 0)
            Interlocked.CompareExchange(ref _silentSince, LegClock.Now, 0);
    }

    /// <summary>Counts one attempt.</summary>
    /// <param name="kind">For a mix, the kind of the operation.</param>
    public void Attempt(in AttemptResponse response, long startedAt, long endedAt, int partition, WorkloadKind kind = default)
    {
        var cell = CellOf(endedAt);
        var latency = Stopwatch.GetElapsedTime(startedAt, endedAt);
        AttemptLatency.Record(latency);
        if (endedAt >= WarmFrom)
            WarmAttemptLatency.Record(latency);
        var othersInFlight = Interlocked.Decrement(ref _inFlight) > 0;
        if (response.FromAccount)
            Volatile.Write(ref _silentSince, othersInFlight ? endedAt : 0);

        var isError = response.Kind
            is not (AttemptKind.Succeeded or AttemptKind.AlreadyThere or AttemptKind.Throttled or AttemptKind.Continued);
        var errors = isError ? 1 : 0;
        if (response.Calls is { } calls)
        {
            Count(calls, endedAt, kind);
            Count(new Counts { Errors = errors }, cell, endedAt, partition, kind);
        }
        else
        {
            var isThrottled = response.Kind == AttemptKind.Throttled;
            var charge = Math.Max(0, response.RequestUnits);
            if (isThrottled)
                _throttledResponses.Record(response.RetryAfter, latency);
            var attempt = new Counts
            {
                Attempts = 1, Throttled = isThrottled ? 1 : 0, Errors = errors, RequestUnits = isThrottled ? 0 : charge,
                ThrottledRequestUnits = isThrottled ? charge : 0,
            };
            Count(attempt, cell, endedAt, partition, kind);
            CountCalls(1, endedAt, kind);
        }

        if (isError)
        {
            _otherErrors.AddOrUpdate(response.Code, 1, static (_, count) => count + 1);
            cell.CountError(response.Code);
            Volatile.Write(ref _lastError, $"{response.Code} {FirstLine(response.Reason)}".TrimEnd());
        }

        Observer?.Invoke(response, startedAt, endedAt);
    }

    /// <summary>Counts the documents of an operation, or of a part of it, by what became of them, with their bytes.</summary>
    public void Finished(in Counts documents, long endedAt, int partition, WorkloadKind kind = default) =>
        Count(documents, CellOf(endedAt), endedAt, partition, kind);

    /// <summary>Keeps the number of a document that failed, up to ten.</summary>
    public void Failure(long document, in AttemptResponse response)
    {
        if (_failures.Count < MaxFailures)
            _failures.Enqueue($"document {document}: {response.Code} {FirstLine(response.Reason)}".TrimEnd());
    }

    /// <summary>Counts the time of an operation that did not fail.</summary>
    /// <param name="throttledWait">How much of it was waiting after 429s, in ticks of <see cref="LegClock.Now"/>.</param>
    public void Operation(long startedAt, long endedAt, WorkloadKind kind = default, long throttledWait = 0)
    {
        if (throttledWait > 0)
            Interlocked.Add(ref _throttledWait, throttledWait);
        var latency = Stopwatch.GetElapsedTime(startedAt, endedAt);
        OperationLatency.Record(latency);
        if (endedAt >= WarmFrom)
            WarmOperationLatency.Record(latency);
        CellOf(endedAt).Latency.Record(latency);
        Steps?.Operation(StepAt(endedAt), latency);
        Kinds?.Operation((int)kind, latency);
        OperationObserver?.Invoke(startedAt, endedAt);
    }

    /// <summary>Keeps a sample of the process in the second of the instant.</summary>
    public void Sample(long at, double cpuSeconds, int inFlight, double? machineCpuShare)
    {
        var cell = CellOf(at);
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
            var cell = Volatile.Read(ref _seconds[second]) ?? new SecondCell(0);
            samples.Add(new SecondSample
            {
                Second = _clock.FirstSecond + second,
                Counts = cell.Counts,
                CpuSeconds = cell.CpuSeconds,
                InFlight = cell.InFlight,
                MachineCpuShare = cell.MachineCpuShare,
                Latency = cell.Latency.Count > 0 ? PackedHistogram.From(cell.Latency) : null,
                Errors = cell.Errors?.ToDictionary(),
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
                perSecond[second - first] = CountCell.FromMicro(ChargedIn(second, partition));
            samples.Add(new PartitionSample
            {
                Min = _partitions[partition].Min,
                Max = _partitions[partition].Max,
                Counts = _byPartition[partition].Counts,
                FirstSecond = _clock.FirstSecond + first,
                RequestUnitsPerSecond = perSecond,
            });
        }

        return samples;
    }

    private long ChargedIn(int second, int partition) => Volatile.Read(ref _seconds[second])?.MicroRequestUnits[partition] ?? 0;

    /// <summary>The counts of each physical partition for progress reports; empty if they are unknown or too many.</summary>
    public IReadOnlyList<PartitionProgress> PartitionProgress() => !_partitions.AreKnown || _partitions.Count > WorkerProgress.MaxPartitions
        ? []
        : [.. _byPartition.Select((cell, partition) =>
            new PartitionProgress(_partitions[partition].Min, _partitions[partition].Max, cell.Counts))];

    private int UsedSeconds => Array.FindLastIndex(_seconds, cell => cell is not null) + 1;

    private static string FirstLine(string? text)
    {
        const int maxLength = 200;
        var line = (text ?? "").AsSpan().Trim();
        var end = line.IndexOfAny('\r', '\n');
        line = end < 0 ? line : line[..end];
        return line.Length <= maxLength ? line.ToString() : $"{line[..maxLength]}...";
    }

    /// <summary>Counts the pages of a query as its attempts. Each page counts for the partition that responded.</summary>
    private void Count(QueryCalls calls, long endedAt, WorkloadKind kind)
    {
        Interlocked.Add(ref _calls, calls.Requests);
        Interlocked.Add(ref _items, calls.Items);
        CountCalls(calls.Requests, endedAt, kind);
        for (var partition = 0; partition < calls.Partitions.Count; partition++)
        {
            if (calls.Partitions[partition] != default)
                Count(calls.Partitions[partition], CellOf(endedAt), endedAt, partition, kind);
        }
    }

    private void CountCalls(long calls, long endedAt, WorkloadKind kind)
    {
        Steps?.Calls(StepAt(endedAt), calls);
        Kinds?.Calls((int)kind, calls);
    }

    private void Count(in Counts counts, SecondCell cell, long endedAt, int partition, WorkloadKind kind)
    {
        _total.Add(counts);
        _byPartition[partition].Add(counts);
        cell.Add(counts);
        if (counts.RequestUnits > 0)
            Interlocked.Add(ref cell.MicroRequestUnits[partition], CountCell.ToMicro(counts.RequestUnits));
        Steps?.Count(StepAt(endedAt), counts);
        Kinds?.Count((int)kind, counts);
    }

    private SecondCell CellOf(long timestamp)
    {
        ref var place = ref _seconds[Math.Clamp(_clock.SecondOf(timestamp), 0, _seconds.Length - 1)];
        if (Volatile.Read(ref place) is { } cell)
            return cell;
        var made = new SecondCell(_partitions.Count);
        return Interlocked.CompareExchange(ref place, made, null) ?? made;
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

/// <summary>The counts of one UTC second of a leg.</summary>
internal sealed class SecondCell(int partitions) : CountCell
{
    /// <summary>RU charged, by physical partition.</summary>
    public readonly long[] MicroRequestUnits = new long[partitions];

    /// <summary>Latency of the operations that did not fail.</summary>
    public readonly LatencyHistogram Latency = LatencyHistogram.Coarse();

    /// <summary>Attempts by code that ended in anything but success, 409 or 429; null without any.</summary>
    public ConcurrentDictionary<string, long>? Errors;

    /// <summary>Counts one of <see cref="Errors"/>.</summary>
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

    // Written by the sampler alone.
    public double CpuSeconds;
    public int InFlight;
    public double? MachineCpuShare;
}
