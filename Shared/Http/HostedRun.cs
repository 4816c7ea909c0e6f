using ScaleOut.Orchestration;

namespace ScaleOut.Http;

/// <summary>What a host knows of a run.</summary>
public record HostedRun
{
    public required HostedState State { get; init; }

    /// <summary>Null before it began, after its end, and where the host cannot tell.</summary>
    public RunPhase? Phase { get; init; }

    /// <summary>Runs that are to end before this one begins; null unless it is queued.</summary>
    public int? RunsAhead { get; init; }

    /// <summary>When it began; null before.</summary>
    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>Since it began, until its end; null before.</summary>
    public double? ElapsedSeconds { get; init; }

    /// <summary>Until all documents are done at the present rate; null while nothing can be said.</summary>
    public double? RemainingSeconds { get; init; }

    /// <summary>Documents to put.</summary>
    public required long Asked { get; init; }

    /// <summary>Documents that are there: inserted or found present, or given up as failed.</summary>
    public long Done { get; init; }

    /// <summary>Operations answered 429 so far.</summary>
    public long Throttled { get; init; }

    /// <summary>RU charged so far.</summary>
    public double RequestUnits { get; init; }

    /// <summary>While documents are written, over the last seconds; after the end, over the whole run; null otherwise.</summary>
    public HostedRates? PerSecond { get; init; }

    /// <summary>99th percentile of the latency of an operation with its waits, ms; null before the end, and when nothing was measured.</summary>
    public double? P99Ms { get; init; }

    /// <summary>Legs that were begun and left no result.</summary>
    public int LostLegs { get; init; }

    /// <summary>By index; empty where nothing is known of them, as after the host was started anew.</summary>
    public IReadOnlyList<HostedWorker> Workers { get; init; } = [];

    /// <summary>In order of their ranges; empty before the first documents, and where nothing is known of them.</summary>
    public IReadOnlyList<HostedPartition> Partitions { get; init; } = [];

    /// <summary>Why it could not start or go on, at most ten.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>Whether it has come to an end.</summary>
    internal bool Ended => State is not (HostedState.Queued or HostedState.Running or HostedState.Stopping);

    /// <summary>A run that has ended, as far as its outcome tells.</summary>
    public static HostedRun Of(RunOutcome outcome, long asked)
    {
        ArgumentNullException.ThrowIfNull(outcome);
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
        var seconds = (totals.FinishedAt - totals.StartedAt).TotalSeconds;
        return this with
        {
            StartedAt = totals.StartedAt,
            ElapsedSeconds = Math.Round(seconds, 2),
            Throttled = totals.Throttled,
            RequestUnits = totals.RequestUnits,
            PerSecond = totals.MakespanPerSecond is { } documents && seconds > 0
                ? new HostedRates(documents, Math.Round(totals.Throttled / seconds, 2), Math.Round(totals.RequestUnits / seconds, 2))
                : null,
            P99Ms = totals.P99Ms,
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
