using ScaleOut.Orchestration;

namespace ScaleOut.Progress;

/// <summary>What a worker's ended legs came to, as far as they left results.</summary>
public sealed record WorkerTotals
{
    public long Inserted { get; init; }

    /// <summary>Found there already, from a lost leg.</summary>
    public long AlreadyPresent { get; init; }

    /// <summary>Documents that no retry can help.</summary>
    public long Failed { get; init; }

    /// <summary>Operations answered 429.</summary>
    public long Throttled { get; init; }

    public double RequestUnits { get; init; }

    /// <summary>Time at work, without what lies between legs.</summary>
    public double Seconds { get; init; }

    /// <summary>The totals with those of a leg added.</summary>
    public WorkerTotals Plus(LegOutput leg)
    {
        ArgumentNullException.ThrowIfNull(leg);
        return new()
        {
            Inserted = Inserted + leg.Inserted,
            AlreadyPresent = AlreadyPresent + leg.AlreadyPresent,
            Failed = Failed + leg.Failed,
            Throttled = Throttled + leg.Throttled,
            RequestUnits = RequestUnits + leg.RequestUnits,
            Seconds = Seconds + leg.Seconds,
        };
    }
}
