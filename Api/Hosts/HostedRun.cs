namespace ScaleOut.Api.Hosts;

/// <summary>What a host knows of a run.</summary>
public record HostedRun : IJobStatus
{
    public required HostedState State { get; init; }

    /// <summary>Null before it began, after its end, and where the host does not know.</summary>
    public RunPhase? Phase { get; init; }

    /// <summary>Runs that are to end before this one begins; null unless it is queued.</summary>
    public int? RunsAhead { get; init; }

    /// <summary>When it began; null before.</summary>
    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>Since it began, until its end; null before.</summary>
    public double? ElapsedSeconds { get; init; }

    /// <summary>Until all documents are done at the present rate; null while nothing can be said.</summary>
    public double? RemainingSeconds { get; init; }

    /// <summary>Documents to write.</summary>
    public required long Asked { get; init; }

    /// <summary>Documents that are there: inserted or found present, or given up as failed.</summary>
    public long Done { get; init; }

    /// <summary>Operations that got a 429 so far.</summary>
    public long Throttled { get; init; }

    /// <summary>RU charged so far.</summary>
    public double RequestUnits { get; init; }

    /// <summary>While documents are written, over the last seconds; after the end, over the whole run; null otherwise.</summary>
    public HostedRates? PerSecond { get; init; }

    /// <summary>
    /// Median of the latency of an operation with its waits, ms: while documents are written, of the last seconds (within 12.5%, on the dev
    /// box); after the end, of the whole run; null when nothing is known of it.
    /// </summary>
    public double? P50Ms { get; init; }

    /// <summary>99th percentile, as <see cref="P50Ms"/>.</summary>
    public double? P99Ms { get; init; }

    /// <summary>What bound the run in a few words, such as <c>request units</c>; null before the end, and when nothing ran.</summary>
    public string? BoundBy { get; init; }

    /// <summary>The same in a sentence, with the change that would help.</summary>
    public string? Verdict { get; init; }

    /// <summary>Legs that were begun and left no result.</summary>
    public int LostLegs { get; init; }

    /// <summary>By index; empty where nothing is known of them, as after the host was restarted.</summary>
    public IReadOnlyList<HostedWorker> Workers { get; init; } = [];

    /// <summary>In order of their ranges; empty before the first documents, and where nothing is known of them.</summary>
    public IReadOnlyList<HostedPartition> Partitions { get; init; } = [];

    /// <summary>What goes wrong while it is under way and is tried again, with its cause, the newest first.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Why it could not start or go on, at most ten.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>A run that has ended, as far as its outcome says.</summary>
    public static HostedRun From(RunOutcome outcome, long asked)
    {
        var run = new HostedRun
        {
            State = StateOf(outcome.State),
            Asked = asked,
            Done = outcome.Documents.Done,
            Reasons = outcome.Reasons,
        };
        return outcome.Totals is { } totals ? run.With(totals) : run;
    }

    private HostedRun With(RunTotals totals)
    {
        var elapsed = (totals.FinishedAt - totals.StartedAt).TotalSeconds;
        // All rates over the same time as the report's.
        var seconds = totals.MakespanSeconds ?? elapsed;
        return this with
        {
            StartedAt = totals.StartedAt,
            ElapsedSeconds = Math.Round(elapsed, 2),
            Throttled = totals.Throttled,
            RequestUnits = totals.RequestUnits,
            LostLegs = totals.LostLegs ?? 0,
            PerSecond = totals.MakespanPerSecond is { } documents && seconds > 0
                ? new HostedRates(documents, Math.Round(totals.Throttled / seconds, 2), Math.Round(totals.RequestUnits / seconds, 2))
                : null,
            P50Ms = totals.P50Ms,
            P99Ms = totals.P99Ms,
            BoundBy = totals.BoundBy,
            Verdict = totals.Verdict,
        };
    }

    /// <summary>The state of a run that has ended.</summary>
    public static HostedState StateOf(RunState state) => state switch
    {
        RunState.Complete => HostedState.Complete,
        RunState.Incomplete => HostedState.Incomplete,
        RunState.Stopped => HostedState.Stopped,
        _ => HostedState.Failed,
    };
}

/// <summary>
/// What is counted per second: over the last few seconds, or since its beginning where a host hears of its workers too seldom.
/// </summary>
/// <param name="Throttled">Operations that got a 429.</param>
/// <param name="RequestUnits">RU charged.</param>
public sealed record HostedRates(double Documents, double Throttled, double RequestUnits);

/// <summary>One worker of a run that is under way.</summary>
public sealed record HostedWorker
{
    /// <summary>From 0.</summary>
    public required int Index { get; init; }

    /// <summary>
    /// In one word: <c>starting</c>, <c>warming</c>, <c>preloading</c>, <c>waiting</c>, <c>running</c>, <c>draining</c>, <c>restarting</c>,
    /// <c>done</c>, <c>stopped</c> or <c>failed</c>.
    /// </summary>
    public required string State { get; init; }

    /// <summary>The present leg, from 1; 0 before the first.</summary>
    public required int Leg { get; init; }

    /// <summary>Documents of its slice.</summary>
    public required long Asked { get; init; }

    /// <summary>Of these done.</summary>
    public required long Done { get; init; }

    /// <summary>Operations that got a 429 so far.</summary>
    public required long Throttled { get; init; }

    /// <summary>RU charged so far.</summary>
    public required double RequestUnits { get; init; }

    public required HostedRates PerSecond { get; init; }

    /// <summary>Operations in flight in the SDK.</summary>
    public int InFlight { get; init; }

    /// <summary>The last error, as status and reason; null while there was none.</summary>
    public string? LastError { get; init; }
}

/// <summary>One physical partition of the container that a run writes to, as its workers see it.</summary>
public sealed record HostedPartition
{
    /// <summary>First effective partition key of the range, hexadecimal; empty for the lowest.</summary>
    public required string Min { get; init; }

    /// <summary>Effective partition key after the range; <c>FF</c> for the highest.</summary>
    public required string Max { get; init; }

    /// <summary>RU charged so far.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>Operations that got a 429 so far.</summary>
    public required long Throttled { get; init; }

    /// <summary>RU charged per second, over the last few seconds.</summary>
    public required double RequestUnitsPerSecond { get; init; }

    /// <summary>Its share of the container's RU/s, taken as even; null when the throughput is not known.</summary>
    public double? BudgetPerSecond { get; init; }
}
