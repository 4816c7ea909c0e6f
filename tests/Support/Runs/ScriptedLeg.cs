namespace ScaleOut.Tests.Support.Runs;

internal static class ScriptedLeg
{
    /// <summary>A leg that inserts documents, at most those that are left of the slice.</summary>
    public static LegOutput Insert(LegInput leg, long documents, LegEnd? end = null, string? reason = null)
    {
        var inserted = Math.Min(documents, leg.Assignment.Slice.End - leg.Next);
        return new()
        {
            Worker = leg.Assignment.Worker, Leg = leg.Leg, Counts = new() { Inserted = inserted }, Next = leg.Next + inserted,
            End = end ?? (leg.Next + inserted == leg.Assignment.Slice.End ? LegEnd.SliceDone : LegEnd.TimeUp), Reason = reason,
        };
    }

    public static LegOutput Finish(LegInput leg) => Insert(leg, long.MaxValue);
}
