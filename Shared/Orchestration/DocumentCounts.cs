namespace ScaleOut.Orchestration;

/// <summary>Documents by what became of them.</summary>
public sealed record DocumentCounts
{
    public long Inserted { get; init; }

    /// <summary>Found there already, from a lost leg.</summary>
    public long AlreadyPresent { get; init; }

    /// <summary>Answered with a status that no retry can help.</summary>
    public long Failed { get; init; }

    /// <summary>Documents that are finished, in whichever way.</summary>
    public long Done => Inserted + AlreadyPresent + Failed;

    /// <summary>The counts with those of a leg added.</summary>
    public DocumentCounts Plus(LegOutput leg)
    {
        ArgumentNullException.ThrowIfNull(leg);
        return new()
        {
            Inserted = Inserted + leg.Inserted,
            AlreadyPresent = AlreadyPresent + leg.AlreadyPresent,
            Failed = Failed + leg.Failed,
        };
    }
}
