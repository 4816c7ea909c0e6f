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

    /// <summary>Null unless documents are being put.</summary>
    public HostedRates? PerSecond { get; init; }

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
        return new()
        {
            State = StateOf(outcome.State),
            Asked = asked,
            Done = outcome.Documents.Done,
            Reasons = outcome.Reasons,
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
