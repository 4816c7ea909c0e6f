namespace ScaleOut.Orchestration;

/// <summary>
/// The status of a run: what its orchestration publishes and, with its workers, what the console, the HTTP interface and its page show. RU
/// and rates are rounded to 0.01.
/// </summary>
public record RunStatus : IJobStatus
{
    public required HostedState State { get; init; }

    /// <summary>Null for clients before the run began and after its end, and if the host does not know.</summary>
    public RunPhase? Phase { get; init; }

    /// <summary>Number of runs that have to end before this one begins; null unless it is queued.</summary>
    public int? RunsAhead { get; init; }

    /// <summary>Null before the run began.</summary>
    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>Time since the run began, or its duration after its end. Null before the run began.</summary>
    public double? ElapsedSeconds { get; init; }

    /// <summary>Time until all documents are done at the present rate; null if unknown.</summary>
    public double? RemainingSeconds { get; init; }

    /// <summary>Documents to write.</summary>
    public required long Asked { get; init; }

    /// <summary>Finished documents: inserted, already present or failed.</summary>
    public long Done => Counts.Done;

    /// <summary>Whether the run writes to a table, which has no RU.</summary>
    public bool UsesTables { get; init; }

    public Counts Counts { get; init; }

    /// <summary>
    /// Rates over the last seconds while documents are written, or since the beginning if workers report too seldom. After the end, rates
    /// over the whole run. Null otherwise.
    /// </summary>
    public Rates? PerSecond { get; init; }

    /// <summary>
    /// Latency of an operation, waits included. While documents are written, it is of the last seconds (exact to 1/16, only on the dev
    /// box). After the end, it is of the whole run. Null if unknown.
    /// </summary>
    public LatencySummary? LatencyMs { get; init; }

    /// <summary>What limited the run, such as <c>request units</c>; null before the end, and if nothing ran.</summary>
    public string? BoundBy { get; init; }

    /// <summary>What limited the run, as a sentence with the change that would help.</summary>
    public string? Verdict { get; init; }

    /// <inheritdoc cref="RunTotals.Invalid"/>
    public IReadOnlyList<string> Invalid { get; init; } = [];

    /// <inheritdoc cref="RunOutcome.FailIfHolds"/>
    [JsonIgnore]
    public bool? FailIfHolds { get; init; }

    /// <summary>Number of attempts at legs that left no result.</summary>
    public int LostLegs { get; init; }

    /// <summary>Workers by index; empty if unknown, such as after a restart of the host.</summary>
    public IReadOnlyList<WorkerStatus> Workers { get; init; } = [];

    /// <summary>Partitions in order of their ranges; empty before the first documents, and if unknown.</summary>
    public IReadOnlyList<PartitionLoad> Partitions { get; init; } = [];

    /// <summary>Problems that are retried during the run, with their causes, the newest first.</summary>
    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    /// <summary>At most ten reasons why the run could not start or go on.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    [JsonIgnore]
    public bool Stopping => State == HostedState.Stopping;

    [JsonIgnore]
    public double DoneShare => Asked == 0 ? 0 : Math.Clamp((double)Done / Asked, 0, 1);

    /// <summary>What the orchestration of a run that is under way publishes. The run's host adds what its workers report.</summary>
    /// <param name="startedAt">Null before the run's turn.</param>
    /// <param name="finishedAt">When the last worker had ended; null until then.</param>
    public static RunStatus In(RunPhase phase, RunSpec spec, DateTimeOffset? startedAt = null, DateTimeOffset? finishedAt = null) => new()
    {
        State = phase == RunPhase.Queued ? HostedState.Queued : HostedState.Running,
        Phase = phase,
        Asked = spec.Documents,
        StartedAt = startedAt,
        ElapsedSeconds = finishedAt - startedAt is { } elapsed ? Math.Round(Math.Max(0, elapsed.TotalSeconds), 2) : null,
    };

    /// <summary>The status of a run that has ended, from its outcome alone.</summary>
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

    /// <summary>The status after the run's end. Figures that the outcome does not have stay as they are in this status.</summary>
    public RunStatus EndedWith(RunOutcome outcome)
    {
        var ended = From(outcome, Asked) with { UsesTables = UsesTables, Workers = Workers, Partitions = Partitions };
        return outcome.Totals is not null ? ended : ended with
        {
            StartedAt = StartedAt,
            ElapsedSeconds = ElapsedSeconds,
            Counts = Counts with
            {
                Inserted = outcome.Counts.Inserted,
                AlreadyPresent = outcome.Counts.AlreadyPresent,
                Failed = outcome.Counts.Failed,
            },
            LostLegs = LostLegs,
        };
    }

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
        return this with
        {
            StartedAt = totals.StartedAt,
            ElapsedSeconds = Math.Round(elapsed, 2),
            LostLegs = totals.LostLegs,
            PerSecond = totals.PerSecond?.Rounded(),
            LatencyMs = totals.LatencyMs.Mean is null ? null : totals.LatencyMs,
            BoundBy = totals.BoundBy,
            Verdict = totals.Verdict,
            Invalid = totals.Invalid,
        };
    }
}

/// <summary>One worker of a run that is under way.</summary>
public sealed record WorkerStatus
{
    /// <summary>From 0.</summary>
    public required int Index { get; init; }

    /// <summary>Any state but <see cref="WorkerState.Ended"/>.</summary>
    public required WorkerState State { get; init; }

    /// <summary>The present leg, from 1; 0 before the first.</summary>
    public required int Leg { get; init; }

    /// <summary>Documents of its slice.</summary>
    public required long Asked { get; init; }

    /// <summary>Finished documents.</summary>
    public long Done => Counts.Done;

    /// <summary>Counts of all the worker's legs so far.</summary>
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

    /// <summary>Counts so far. They include attempts whose results are lost.</summary>
    public Counts Counts { get; init; }

    /// <summary>Rates over the last few seconds.</summary>
    public Rates PerSecond { get; init; }

    /// <summary>The partition's share of the container's RU/s, if shared evenly; null if the throughput is not known.</summary>
    public double? BudgetPerSecond { get; init; }
}

/// <summary>A problem in a run that is retried.</summary>
/// <param name="Sequence">Ordinal of the problem's latest occurrence in the run, so that new occurrences can be found.</param>
/// <param name="AtSeconds">Time of the latest occurrence, since the run began.</param>
/// <param name="Text">The problem, its cause and what is done about it, in one line.</param>
public sealed record RunWarning(long Sequence, double AtSeconds, int Times, string Text);

public interface IJobStatus
{
    HostedState State { get; }

    /// <summary>At most ten reasons why the job could not start or go on.</summary>
    IReadOnlyList<string> Reasons { get; }

    /// <summary>Whether the fail-if condition holds, so that the job fails although it is complete. Null while that is not known.</summary>
    bool? FailIfHolds { get; }
}

/// <summary>The state of a run or an experiment, for clients of the interface.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<HostedState>))]
public enum HostedState
{
    /// <summary>The job waits for its turn.</summary>
    Queued,

    Running,

    /// <summary>The job was asked to stop and has not ended yet.</summary>
    Stopping,

    /// <summary>The job has ended. Every document is done and counted, or every run is measured.</summary>
    Complete,

    /// <summary>The job has ended, but documents failed, the count differs, or runs are not complete.</summary>
    Incomplete,

    /// <summary>The job was stopped before its end, as asked.</summary>
    Stopped,

    /// <summary>The job could not start or go on.</summary>
    Failed,

    /// <summary>The job began and did not end, but nothing runs it any more, because its program was ended.</summary>
    Interrupted,
}

public static class HostedStates
{
    /// <summary>Whether a job in this state has ended or was interrupted.</summary>
    public static bool IsEnd(this HostedState state) => state is not (HostedState.Queued or HostedState.Running or HostedState.Stopping);
}
