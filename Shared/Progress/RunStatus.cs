namespace ScaleOut.Progress;

/// <summary>
/// How far a run is. The console shows it, and it is what the HTTP interface responds and the page draws. RU and rates are rounded to 0.01.
/// </summary>
public record RunStatus : IJobStatus
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
    public long Done => Counts.Done;

    /// <summary>Whether the run writes to a table, which has no RU.</summary>
    public bool UsesTables { get; init; }

    /// <summary>What was counted so far.</summary>
    public Counts Counts { get; init; }

    /// <summary>
    /// While documents are written, over the last seconds, or since the beginning where workers report too seldom; after the end, over the
    /// whole run; null otherwise.
    /// </summary>
    public Rates? PerSecond { get; init; }

    /// <summary>
    /// Of an operation with its waits: while documents are written, of the last seconds (within 1/16, on the dev box); after the end, of
    /// the whole run. Null when nothing is known of it.
    /// </summary>
    public LatencySummary? LatencyMs { get; init; }

    /// <summary>What bound the run in a few words, such as <c>request units</c>; null before the end, and when nothing ran.</summary>
    public string? BoundBy { get; init; }

    /// <summary>The same in a sentence, with the change that would help.</summary>
    public string? Verdict { get; init; }

    /// <inheritdoc cref="RunOutcome.FailIfHolds"/>
    [JsonIgnore]
    public bool? FailIfHolds { get; init; }

    /// <summary>Legs that were begun and left no result.</summary>
    public int LostLegs { get; init; }

    /// <summary>By index; empty where nothing is known of them, as after the host was restarted.</summary>
    public IReadOnlyList<WorkerStatus> Workers { get; init; } = [];

    /// <summary>In order of their ranges; empty before the first documents, and where nothing is known of them.</summary>
    public IReadOnlyList<PartitionLoad> Partitions { get; init; } = [];

    /// <summary>What goes wrong while it is under way and is tried again, with its cause, the newest first.</summary>
    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    /// <summary>Why it could not start or go on, at most ten.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    [JsonIgnore]
    public bool Stopping => State == HostedState.Stopping;

    [JsonIgnore]
    public double DoneShare => Asked == 0 ? 0 : Math.Clamp((double)Done / Asked, 0, 1);

    /// <summary>A run that has ended, as far as its outcome says.</summary>
    public static RunStatus From(RunOutcome outcome, long asked)
    {
        var run = new RunStatus
        {
            State = StateOf(outcome.State),
            Asked = asked,
            Counts = outcome.Counts.Rounded(),
            FailIfHolds = outcome.FailIfHolds,
            Reasons = outcome.Reasons,
        };
        return outcome.Totals is { } totals ? run.With(totals) : run;
    }

    /// <summary>This run after its end: what the outcome says, and the last that was known where it says nothing.</summary>
    public RunStatus EndedWith(RunOutcome outcome)
    {
        var ended = From(outcome, Asked) with { UsesTables = UsesTables, Workers = Workers, Partitions = Partitions };
        return outcome.Totals is not null ? ended : ended with
        {
            StartedAt = StartedAt,
            ElapsedSeconds = ElapsedSeconds,
            Counts = Counts with
            {
                Inserted = outcome.Counts.Inserted, AlreadyPresent = outcome.Counts.AlreadyPresent, Failed = outcome.Counts.Failed,
            },
            LostLegs = LostLegs,
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

    private RunStatus With(RunTotals totals)
    {
        var elapsed = (totals.FinishedAt - totals.StartedAt).TotalSeconds;
        // All rates over the same time as the report's.
        var rates = Rates.From(Counts, totals.MakespanSeconds ?? elapsed).Rounded();
        return this with
        {
            StartedAt = totals.StartedAt,
            ElapsedSeconds = Math.Round(elapsed, 2),
            LostLegs = totals.LostLegs,
            PerSecond = totals.MakespanPerSecond is { } inserted ? rates with { Documents = inserted } : null,
            LatencyMs = totals.LatencyMs.Mean is null ? null : totals.LatencyMs,
            BoundBy = totals.BoundBy,
            Verdict = totals.Verdict,
        };
    }
}


/// <summary>One worker of a run that is under way.</summary>
public sealed record WorkerStatus
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
    public long Done => Counts.Done;

    /// <summary>Of all its legs so far.</summary>
    public Counts Counts { get; init; }

    public Rates PerSecond { get; init; }

    /// <summary>Operations in flight in the SDK.</summary>
    public int InFlight { get; init; }

    /// <summary>The last error, as status and reason; null while there was none.</summary>
    public string? LastError { get; init; }
}

/// <summary>One physical partition of the container that a run writes to, as its workers see it.</summary>
public sealed record PartitionLoad
{
    /// <summary>First effective partition key of the range, hexadecimal; empty for the lowest.</summary>
    public required string Min { get; init; }

    /// <summary>Effective partition key after the range; <c>FF</c> for the highest.</summary>
    public required string Max { get; init; }

    /// <summary>So far, those of attempts included whose results are lost.</summary>
    public Counts Counts { get; init; }

    /// <summary>Over the last few seconds.</summary>
    public Rates PerSecond { get; init; }

    /// <summary>Its share of the container's RU/s, taken as even; null when the throughput is not known.</summary>
    public double? BudgetPerSecond { get; init; }
}

/// <summary>What went wrong in a run and is tried again.</summary>
/// <param name="Sequence">Grows with every time that anything went wrong, so that what is new can be found.</param>
/// <param name="AtSeconds">The last time, since the run began.</param>
/// <param name="Text">What, why, and what is done about it, in one line.</param>
public sealed record RunWarning(long Sequence, double AtSeconds, int Times, string Text);
