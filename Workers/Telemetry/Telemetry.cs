namespace ScaleOut.Workers.Telemetry;

/// <summary>Receives what legs and runs do, beyond their results. An error in it does not disturb a leg.</summary>
public interface IRunTelemetry
{
    /// <summary>
    /// Begins to follow a leg by its meter (<see cref="LegMeter.Observer"/>), until the recording is disposed of. That reports the last
    /// interval without waiting.
    /// </summary>
    IAsyncDisposable Begin(LegScope scope);

    /// <summary>Reports that a run has its report. A run that is resumed after that is reported again.</summary>
    /// <param name="outcome">With its totals.</param>
    void Ended(RunOutcome outcome);

    /// <summary>Reports a run whose orchestration ended without a report, once.</summary>
    void Lost(string runId);
}

/// <summary>A leg as telemetry sees it.</summary>
public sealed record LegScope
{
    public required LegInput Leg { get; init; }

    public required LegClock Clock { get; init; }

    public required LegMeter Meter { get; init; }

    /// <summary>The run's items, which contain the container's RU/s.</summary>
    public required RunFiles Files { get; init; }
}

/// <summary>The recordings of one leg.</summary>
internal sealed class LegRecordings(IEnumerable<IRunTelemetry> telemetry, LegScope scope) : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> _recordings = [.. telemetry.Select(one => one.Begin(scope))];

    public async ValueTask DisposeAsync()
    {
        foreach (var recording in _recordings)
            await recording.DisposeAsync();
    }
}

/// <summary>A run as one operation. Its ids have the form of W3C Trace Context and follow from the run's id.</summary>
internal static class RunOperation
{
    private const int TraceDigits = 32;
    private const int SpanDigits = 16;

    public static string IdOf(string runId) => Digits(runId)[..TraceDigits];

    /// <summary>Id of the request that stands for the whole run and is the parent of its workers' records.</summary>
    public static string RequestIdOf(string runId) => Digits(runId)[TraceDigits..(TraceDigits + SpanDigits)];

    private static string Digits(string runId) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(runId)));
}

/// <summary>
/// Picks the operations that are reported one by one, and says how many operations each stands for. The sum is the number of operations,
/// but for the last few. Thread-safe; an operation that is not picked costs one interlocked addition.
/// </summary>
internal sealed class OperationSampler
{
    /// <summary>Operations that take longer are reported one by one.</summary>
    public const double SlowMs = 100;

    /// <summary>Limits the cost of reporting a load whose every operation is slow.</summary>
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
