namespace ScaleOut.DevBox.Serving;

/// <summary>The tally that the console shows, as the HTTP interface shows it.</summary>
internal static class LiveRun
{
    public static HostedRun From(RunSnapshot run, DateTimeOffset startedAt) => new()
    {
        State = run.Stopping ? HostedState.Stopping : HostedState.Running,
        Phase = run.Phase,
        StartedAt = startedAt,
        ElapsedSeconds = Round(run.Elapsed.TotalSeconds),
        RemainingSeconds = run.Phase == RunPhase.Running && !run.Stopping && run.Remaining is { } remaining
            ? Round(remaining.TotalSeconds)
            : null,
        Asked = run.Asked,
        Done = run.Totals.Documents,
        Throttled = run.Totals.Throttled,
        RequestUnits = Round(run.Totals.RequestUnits),
        PerSecond = run.Phase == RunPhase.Running ? From(run.Rates) : null,
        P50Ms = run.Phase == RunPhase.Running ? run.Latency?.P50Ms : null,
        P99Ms = run.Phase == RunPhase.Running ? run.Latency?.P99Ms : null,
        LostLegs = run.LostLegs,
        Warnings = [.. run.Warnings.Select(warning => warning.Text)],
        Workers = [.. run.Workers.Select(From)],
        Partitions = [.. run.Partitions.Select(From)],
    };

    /// <summary>The last picture of a run that has ended since.</summary>
    public static HostedRun Ended(HostedRun last, RunOutcome outcome)
    {
        var ended = HostedRun.From(outcome, last.Asked) with
        {
            Workers = last.Workers,
            Partitions = last.Partitions,
        };
        return outcome.Totals is null
            ? ended with
            {
                StartedAt = last.StartedAt,
                ElapsedSeconds = last.ElapsedSeconds,
                Throttled = last.Throttled,
                RequestUnits = last.RequestUnits,
                LostLegs = last.LostLegs,
            }
            : ended;
    }

    private static HostedWorker From(WorkerRow worker) => new()
    {
        Index = worker.Index,
        State = worker.State,
        Leg = worker.Leg,
        Asked = worker.Slice,
        Done = worker.Totals.Documents,
        Throttled = worker.Totals.Throttled,
        RequestUnits = Round(worker.Totals.RequestUnits),
        PerSecond = From(worker.Rates),
        InFlight = worker.InFlight,
        LastError = worker.LastError,
    };

    private static HostedPartition From(PartitionRow partition) => new()
    {
        Min = partition.Min,
        Max = partition.Max,
        RequestUnits = Round(partition.Totals.RequestUnits),
        Throttled = partition.Totals.Throttled,
        RequestUnitsPerSecond = Round(partition.Rates.RequestUnits),
        BudgetPerSecond = partition.BudgetPerSecond is { } budget ? Round(budget) : null,
    };

    private static HostedRates From(LiveRates rates) => new(Round(rates.Documents), Round(rates.Throttled), Round(rates.RequestUnits));

    private static double Round(double value) => Math.Round(value, 2);
}
