namespace ScaleOut.Tests.Support.Runs;

internal static class Script
{
    public static LegInput Worker(long first = 0, long count = 100) =>
        new() { Assignment = Assignment(new NumberRange(first, count)), Leg = 1, Next = first };

    public static WorkerAssignment Assignment(NumberRange slice) => new()
    {
        RunId = "test", Worker = 0, Workers = 1, Slice = slice, Workload = new(), Document = new(), Client = new RunSpec().SettingsOf(0),
        Container = ScriptedRun.Target, LegDuration = TimeSpan.FromSeconds(30), StartTimeout = TimeSpan.FromMinutes(3),
    };
}
