using ScaleOut.Analysis.Reports;

namespace ScaleOut.Workers.Telemetry;

/// <summary>The recordings of one leg by all that follow it.</summary>
internal sealed class LegRecordings : IAttemptObserver, IAsyncDisposable
{
    private readonly ILegRecording[] _recordings;

    private LegRecordings(ILegRecording[] recordings) => _recordings = recordings;

    /// <summary>Receives every attempt; null when there is no receiver.</summary>
    public IAttemptObserver? Observer => _recordings.Length switch { 0 => null, 1 => _recordings[0], _ => this };

    /// <summary>Begins to follow a leg.</summary>
    public static LegRecordings Begin(IEnumerable<ILegTelemetry> telemetry, LegScope scope) =>
        new([.. telemetry.Select(one => one.Begin(scope))]);

    /// <inheritdoc/>
    public void Observe(in AttemptResponse response, long startedAt, long endedAt)
    {
        foreach (var recording in _recordings)
            recording.Observe(response, startedAt, endedAt);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var recording in _recordings)
            await recording.DisposeAsync();
    }
}

/// <summary>Follows one leg until it is disposed of, which reports the last interval without waiting.</summary>
public interface ILegRecording : IAttemptObserver, IAsyncDisposable;

/// <summary>Receives what is worth reporting of legs beyond their results. An error in it does not disturb a leg.</summary>
public interface ILegTelemetry
{
    /// <summary>Begins to follow a leg.</summary>
    ILegRecording Begin(LegScope scope);
}

/// <summary>Takes how runs end.</summary>
public interface IRunTelemetry
{
    /// <summary>Reports a run's end, once.</summary>
    void Ended(RunReport report);

    /// <summary>Reports a run whose orchestration ended without a report, once.</summary>
    void Lost(string runId);
}

/// <summary>A leg as telemetry sees it.</summary>
public sealed record LegScope
{
    public required LegInput Leg { get; init; }

    public required LegClock Clock { get; init; }

    public required LegMeter Meter { get; init; }

    /// <summary>Know the container's RU/s.</summary>
    public required RunFiles Files { get; init; }
}

/// <summary>A run as one operation: ids in the form of W3C Trace Context, the same wherever they are made.</summary>
internal static class RunOperation
{
    private const int TraceDigits = 32;
    private const int SpanDigits = 16;

    /// <summary>The operation's id, 32 hexadecimal digits.</summary>
    public static string IdOf(string runId) => Digits(runId)[..TraceDigits];

    /// <summary>Id of the request that stands for the whole run, 16 hexadecimal digits; what its workers do hangs below it.</summary>
    public static string RequestIdOf(string runId) => Digits(runId)[TraceDigits..(TraceDigits + SpanDigits)];

    private static string Digits(string runId) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(runId)));
}

/// <summary>
/// Picks the operations that are reported one by one, and says for how many operations each stands: the sum is the number of operations,
/// but for the few that no further one came to stand for. Thread-safe; an operation that is not picked costs one interlocked addition.
/// </summary>
internal sealed class OperationSampler
{
    /// <summary>Operations that take longer are reported one by one.</summary>
    public const double SlowMs = 100;

    /// <summary>A load whose every operation is slow would otherwise cost more to report than to do.</summary>
    public const int MaxSlowPerSecond = 50;

    private static readonly long SlowTicks = (long)(SlowMs / 1000 * Stopwatch.Frequency);

    private long _fast;
    private long _leftOut;
    private long _second;
    private int _inSecond;

    /// <summary>How many operations this one stands for; 0 when it is not to be reported.</summary>
    public long WeightOf(long startedAt, long endedAt)
    {
        if (endedAt - startedAt <= SlowTicks)
        {
            return Interlocked.Increment(ref _fast) % TelemetrySampling.OperationsPerRecord == 0
                ? TelemetrySampling.OperationsPerRecord : 0;
        }

        var second = endedAt / Stopwatch.Frequency;
        if (Interlocked.Exchange(ref _second, second) != second)
            Interlocked.Exchange(ref _inSecond, 0);
        if (Interlocked.Increment(ref _inSecond) <= MaxSlowPerSecond)
            return 1 + Interlocked.Exchange(ref _leftOut, 0);
        Interlocked.Increment(ref _leftOut);
        return 0;
    }
}
