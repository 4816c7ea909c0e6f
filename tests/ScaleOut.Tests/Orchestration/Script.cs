using ScaleOut.Orchestration;
using ScaleOut.Slicing;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Orchestration;

/// <summary>Legs and assignments for scripted engines.</summary>
internal static class Script
{
    public static WorkerState Worker(long first = 0, long count = 100) => new() { Assignment = Assignment(new Slice(first, count)), Next = first };

    public static WorkerAssignment Assignment(Slice slice) => new()
    {
        RunId = "test",
        Worker = 0,
        Workers = 1,
        Slice = slice,
        Workload = new(),
        Document = new(),
        Client = new RunSpec().SettingsOf(0),
        Container = ScriptedPort.Target,
        LegDuration = TimeSpan.FromSeconds(30),
        StartTimeout = TimeSpan.FromMinutes(3),
    };

    /// <summary>A leg that inserts so many documents, at most what is left of the slice.</summary>
    public static LegOutput Insert(LegInput leg, long documents, LegEnd? end = null, string? reason = null)
    {
        var inserted = Math.Min(documents, leg.Assignment.Slice.End - leg.Next);
        return new()
        {
            Worker = leg.Assignment.Worker,
            Leg = leg.Leg,
            End = end ?? (leg.Next + inserted == leg.Assignment.Slice.End ? LegEnd.SliceDone : LegEnd.TimeUp),
            Inserted = inserted,
            AlreadyPresent = 0,
            Failed = 0,
            Next = leg.Next + inserted,
            Reason = reason,
        };
    }

    /// <summary>A leg that does its whole slice.</summary>
    public static LegOutput Finish(LegInput leg) => Insert(leg, long.MaxValue);
}
