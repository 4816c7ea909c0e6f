namespace ScaleOut.Progress;

/// <summary>One worker as its newest message shows it. Counts are of all its legs.</summary>
public sealed record WorkerProgressView
{
    /// <summary>Index of the worker, from 0.</summary>
    public required int Worker { get; init; }

    public required WorkerActivity Activity { get; init; }

    /// <summary>How its newest leg ended; null while it goes on.</summary>
    public LegEnd? End { get; init; }

    /// <summary>From 1.</summary>
    public required int Leg { get; init; }

    /// <summary>When it reported this, UTC by its own clock.</summary>
    public required DateTimeOffset At { get; init; }

    public long Inserted { get; init; }

    public long AlreadyPresent { get; init; }

    public long Failed { get; init; }

    public long Throttled { get; init; }

    public double RequestUnits { get; init; }

    public int InFlight { get; init; }

    /// <summary>Time at work, in seconds, without what lies between legs.</summary>
    public double Seconds { get; init; }

    /// <summary>Documents finished per second at work; 0 before the first.</summary>
    public double DocumentsPerSecond { get; init; }

    /// <summary>The last error of its newest leg, as status and reason; null while there was none.</summary>
    public string? LastError { get; init; }

    /// <summary>What a message shows.</summary>
    public static WorkerProgressView From(WorkerProgress message)
    {
        var before = message.Before;
        var inserted = before.Inserted + message.Inserted;
        var alreadyPresent = before.AlreadyPresent + message.AlreadyPresent;
        var failed = before.Failed + message.Failed;
        var seconds = before.Seconds + message.Seconds;
        return new()
        {
            Worker = message.Worker,
            Activity = message.Activity,
            End = message.End,
            Leg = message.Leg,
            At = message.At,
            Inserted = inserted,
            AlreadyPresent = alreadyPresent,
            Failed = failed,
            Throttled = before.Throttled + message.Throttled,
            RequestUnits = before.RequestUnits + message.RequestUnits,
            InFlight = message.InFlight,
            Seconds = seconds,
            DocumentsPerSecond = seconds > 0 ? (inserted + alreadyPresent + failed) / seconds : 0,
            LastError = message.LastError,
        };
    }
}
