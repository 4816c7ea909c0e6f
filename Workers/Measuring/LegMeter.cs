using System.Collections.Concurrent;
using System.Diagnostics;
using ScaleOut.Measurement;
using ScaleOut.Progress;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Measuring;

/// <summary>
/// Counts what a leg's lanes do: by attempt and by operation, by UTC second and by physical partition. Recording is thread-safe and allocates only
/// with a new second or a new kind of error.
/// </summary>
public sealed class LegMeter
{
    private const double Micro = 1_000_000;
    private const int MostFailures = 10;

    private readonly LegClock _clock;
    private readonly PartitionRanges _partitions;
    private readonly SecondCell?[] _seconds;
    private readonly long[] _documentsOfPartition;
    private readonly long[] _throttledOfPartition;
    private readonly ConcurrentDictionary<string, long> _otherErrors = new();
    private readonly ConcurrentQueue<string> _failures = new();
    private long _inserted;
    private long _alreadyPresent;
    private long _failed;
    private long _attempts;
    private long _throttled;
    private long _microRequestUnits;
    private int _inFlight;
    private long _unansweredSince;
    private string? _lastError;

    /// <param name="clock">The leg's clock.</param>
    /// <param name="partitions">The container's physical partitions.</param>
    /// <param name="longest">The longest the leg can last; what ends later counts in the last second.</param>
    public LegMeter(LegClock clock, PartitionRanges partitions, TimeSpan longest)
    {
        ArgumentNullException.ThrowIfNull(clock);
        ArgumentNullException.ThrowIfNull(partitions);
        _clock = clock;
        _partitions = partitions;
        _seconds = new SecondCell?[(int)Math.Ceiling(longest.TotalSeconds) + 2];
        _documentsOfPartition = new long[partitions.Count];
        _throttledOfPartition = new long[partitions.Count];
    }

    public LatencyHistogram AttemptLatency { get; } = new();

    public LatencyHistogram OperationLatency { get; } = new();

    /// <summary>
    /// Since when the account has owed an answer: its last one, or the first operation handed over after it. Null while it owes none, as between the
    /// operations of a slow open loop.
    /// </summary>
    public long? UnansweredSince => Interlocked.Read(ref _unansweredSince) is > 0 and var since ? since : null;

    /// <summary>The last error that was neither 409 nor 429; null while there was none.</summary>
    public string? LastError => Volatile.Read(ref _lastError);

    public IReadOnlyDictionary<string, long> OtherErrors => _otherErrors.ToDictionary();

    public IReadOnlyList<string> Failures => [.. _failures.Take(MostFailures)];

    public LegTotals Totals => new(
        Interlocked.Read(ref _inserted),
        Interlocked.Read(ref _alreadyPresent),
        Interlocked.Read(ref _failed),
        Interlocked.Read(ref _attempts),
        Interlocked.Read(ref _throttled),
        Interlocked.Read(ref _microRequestUnits) / Micro);

    /// <summary>Operations that the SDK has in hand.</summary>
    public int InFlight => Volatile.Read(ref _inFlight);

    /// <summary>Says that an operation is handed to the SDK; <see cref="Attempt"/> says that it is back.</summary>
    public void HandedOver()
    {
        Interlocked.Increment(ref _inFlight);
        if (Volatile.Read(ref _unansweredSince) == 0)
            Interlocked.CompareExchange(ref _unansweredSince, LegClock.Now, 0);
    }

    /// <summary>Counts one attempt.</summary>
    public void Attempt(in AttemptAnswer answer, long startedAt, long endedAt, int partition)
    {
        var cell = CellOf(endedAt);
        AttemptLatency.Record(Stopwatch.GetElapsedTime(startedAt, endedAt));
        var othersInFlight = Interlocked.Decrement(ref _inFlight) > 0;
        Interlocked.Increment(ref _attempts);
        if (answer.FromAccount)
            Volatile.Write(ref _unansweredSince, othersInFlight ? endedAt : 0);

        if (answer.RequestUnits > 0)
        {
            var charge = (long)Math.Round(answer.RequestUnits * Micro);
            Interlocked.Add(ref _microRequestUnits, charge);
            Interlocked.Add(ref cell.MicroRequestUnits[partition], charge);
        }

        if (answer.Kind == AttemptKind.Throttled)
        {
            Interlocked.Increment(ref _throttled);
            Interlocked.Increment(ref cell.Throttled);
            Interlocked.Increment(ref _throttledOfPartition[partition]);
        }
        else if (answer.Kind is not (AttemptKind.Put or AttemptKind.AlreadyThere))
        {
            _otherErrors.AddOrUpdate(answer.Code, 1, static (_, count) => count + 1);
            Volatile.Write(ref _lastError, $"{answer.Code} {FirstLine(answer.Reason)}".TrimEnd());
        }
    }

    /// <summary>Counts an operation's documents as inserted.</summary>
    public void Inserted(int documents, long startedAt, long endedAt, int partition)
    {
        Interlocked.Add(ref CellOf(endedAt).Inserted, documents);
        Interlocked.Add(ref _inserted, documents);
        Interlocked.Add(ref _documentsOfPartition[partition], documents);
        OperationLatency.Record(Stopwatch.GetElapsedTime(startedAt, endedAt));
    }

    /// <summary>Counts an operation's documents as found there already.</summary>
    public void AlreadyPresent(int documents, long startedAt, long endedAt)
    {
        Interlocked.Add(ref CellOf(endedAt).AlreadyPresent, documents);
        Interlocked.Add(ref _alreadyPresent, documents);
        OperationLatency.Record(Stopwatch.GetElapsedTime(startedAt, endedAt));
    }

    /// <summary>Counts an operation's documents as failed.</summary>
    public void Failed(int documents, long first, in AttemptAnswer answer, long endedAt)
    {
        Interlocked.Add(ref CellOf(endedAt).Failed, documents);
        Interlocked.Add(ref _failed, documents);
        if (_failures.Count < MostFailures)
            _failures.Enqueue($"document {first}: {answer.Code} {FirstLine(answer.Reason)}".TrimEnd());
    }

    /// <summary>Keeps what the sampler saw in the second that holds the instant.</summary>
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
                Inserted = Interlocked.Read(ref cell.Inserted),
                AlreadyPresent = Interlocked.Read(ref cell.AlreadyPresent),
                Throttled = Interlocked.Read(ref cell.Throttled),
                Failed = Interlocked.Read(ref cell.Failed),
                RequestUnits = cell.MicroRequestUnits.Sum() / Micro,
                CpuSeconds = cell.CpuSeconds,
                InFlight = cell.InFlight,
                MachineCpuShare = cell.MachineCpuShare,
            });
        }

        return samples;
    }

    /// <summary>What each physical partition was given, in order of their ranges.</summary>
    public IReadOnlyList<PartitionSample> Partitions()
    {
        var samples = new List<PartitionSample>();
        for (var partition = 0; partition < _partitions.Count; partition++)
        {
            var perSecond = new double[UsedSeconds];
            for (var second = 0; second < perSecond.Length; second++)
                perSecond[second] = (Volatile.Read(ref _seconds[second])?.MicroRequestUnits[partition] ?? 0) / Micro;
            samples.Add(new PartitionSample
            {
                Min = _partitions[partition].Min,
                Max = _partitions[partition].Max,
                Documents = Interlocked.Read(ref _documentsOfPartition[partition]),
                Throttled = Interlocked.Read(ref _throttledOfPartition[partition]),
                RequestUnits = perSecond.Sum(),
                FirstSecond = _clock.FirstSecond,
                RequestUnitsPerSecond = perSecond,
            });
        }

        return samples;
    }

    /// <summary>What each physical partition was given so far, in order of their ranges; empty where there are too many to tell of.</summary>
    public IReadOnlyList<PartitionProgress> PartitionProgress()
    {
        if (_partitions.Count > WorkerProgress.MostPartitions)
            return [];
        // Summed here rather than counted with each attempt: this is asked for twice a second, attempts are thousands.
        var charged = new long[_partitions.Count];
        for (var second = 0; second < UsedSeconds; second++)
        {
            if (Volatile.Read(ref _seconds[second]) is not { } cell)
                continue;
            for (var partition = 0; partition < charged.Length; partition++)
                charged[partition] += Interlocked.Read(ref cell.MicroRequestUnits[partition]);
        }

        return [.. charged.Select((micro, partition) => new PartitionProgress(_partitions[partition].Min, _partitions[partition].Max, micro / Micro, Interlocked.Read(ref _throttledOfPartition[partition])))];
    }

    private int UsedSeconds => Array.FindLastIndex(_seconds, cell => cell is not null) + 1;

    private static string FirstLine(string? text)
    {
        const int longest = 200;
        var line = (text ?? "").AsSpan().Trim();
        var end = line.IndexOfAny('\r', '\n');
        line = end < 0 ? line : line[..end];
        return line.Length <= longest ? line.ToString() : $"{line[..longest]}...";
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
