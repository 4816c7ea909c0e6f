namespace ScaleOut.Tests.Support.Runs;

/// <summary>Builds reports of two workers with 100 documents each.</summary>
internal static class BuiltReports
{
    public static readonly RunSpec Spec = new() { Id = "test", Documents = 200, Workers = 2, Warmup = TimeSpan.FromSeconds(2) };

    public static LatencyHistogram Histogram(params (int Count, double Ms)[] values) => new LatencyHistogram().With(values);

    public static LatencyHistogram With(this LatencyHistogram histogram, params (int Count, double Ms)[] values)
    {
        foreach (var (count, ms) in values)
        {
            for (var i = 0; i < count; i++)
                histogram.Record(TimeSpan.FromMilliseconds(ms));
        }

        return histogram;
    }

    public static RunReport Build(RunEnding ending, params LegResult[] legs) =>
        RunReportBuilder.Build(ending, new RunLegs(legs, LostLegs: 0)
        {
            Start = legs.FirstOrDefault(leg => leg.StartLatenessMs is not null) is { StartLatenessMs: { } late } first
                ? new StartInstant(first.StartedAt.AddMilliseconds(-late), legs.Length)
                : null,
        });

    public static MachineReport Machine(string instance, double cpu) => new()
    {
        InstanceId = instance, ProcessId = 1, Cores = 2, MemoryBytes = 1, CpuSeconds = cpu, Collections = [1, 2], RoundTripMs = [0.2, 0.3],
    };

    public static RunEnding Ending(long? verified, WorkerState first = WorkerState.Done, WorkerState second = WorkerState.Done) => new()
    {
        Spec = Spec,
        StartedAt = Legs.Zero,
        FinishedAt = Legs.Zero.AddSeconds(20),
        Container = new()
        {
            Target = new("scaleout", "run-test", "/PartitionKey"), Created = true, Simulated = true, CountBefore = 0,
            BudgetPerSecond = 1_000,
        },
        Delays = new() { Responses = 1, Slipped = 0, Configured = new(), Delivered = new(), Slip = new() },
        Workers = [Outcome(0, first), Outcome(1, second)],
        Verification = new Verification(verified),
    };

    /// <summary>The ending of one worker with all of the documents.</summary>
    public static RunEnding EndingOfOne(long verified) =>
        Ending(verified) with { Spec = Spec with { Workers = 1, Documents = verified }, Workers = [Outcome(0, WorkerState.Done)] };

    private static WorkerOutcome Outcome(int worker, WorkerState end) => new()
    {
        Worker = worker, End = end, Counts = new() { Inserted = 100 }, Remaining = 0,
        Reason = end == WorkerState.Failed ? "the account is gone" : null,
    };
}
