namespace ScaleOut.Tests.Shared.Orchestration;

/// <summary>What scripted engines give for a leg.</summary>
internal static class ScriptedLeg
{
    /// <summary>A leg that inserts so many documents, at most what is left of the slice.</summary>
    public static LegOutput Insert(LegInput leg, long documents, LegEnd? end = null, string? reason = null)
    {
        var inserted = Math.Min(documents, leg.Assignment.Slice.End - leg.Next);
        return new()
        {
            Worker = leg.Assignment.Worker,
            Leg = leg.Leg,
            End = end ?? (leg.Next + inserted == leg.Assignment.Slice.End ? LegEnd.SliceDone : LegEnd.TimeUp),
            Counts = new() { Inserted = inserted },
            Next = leg.Next + inserted,
            Reason = reason,
        };
    }

    /// <summary>A leg that does its whole slice.</summary>
    public static LegOutput Finish(LegInput leg) => Insert(leg, long.MaxValue);
}
