using ScaleOut.Measurement;

namespace ScaleOut.Reports.Building;

/// <summary>Makes the report of each worker.</summary>
internal static class WorkerReports
{
    /// <param name="run">The run.</param>
    /// <param name="seconds">Of the report's series.</param>
    public static IReadOnlyList<WorkerReport> Of(MergedRun run, IReadOnlyList<long> seconds) =>
        [.. run.Workers.Select(worker => Of(run, worker, seconds))];

    private static WorkerReport Of(MergedRun run, WorkerLegs worker, IReadOnlyList<long> seconds)
    {
        var machine = MachineMerge.Merge(worker.Legs);
        return new()
        {
            Index = worker.Index,
            Settings = worker.Settings,
            Documents = Books.Documents(worker.Slice.Count, worker.Legs),
            Requests = Books.Requests(worker.Legs),
            Throughput = Rates.Throughput(run, worker),
            RequestUnits = Rates.RequestUnits(run, worker),
            LatencyMs = Books.Latency(worker.Legs),
            Machine = machine,
            RoundTripMs = Rounding.Latency(MachineMerge.Median(machine?.RoundTripMs ?? [])),
            StartLatenessMs = Rounding.Latency(
                worker.Legs.Select(leg => leg.StartLatenessMs).FirstOrDefault(lateness => lateness is not null)),
            ClockSkewMs = worker.Legs.Select(leg => leg.Clocks?.Skew).FirstOrDefault(skew => skew is not null),
            IdleBetweenLegsSeconds = Math.Round(IdleBetween(run, worker.Spans).TotalSeconds, 3),
            CpuSeconds = Math.Round(machine?.CpuSeconds ?? 0, 3),
            PerSecond = [.. seconds.Select(second => run.Series[worker.Index].At(second).Inserted)],
        };
    }

    private static TimeSpan IdleBetween(MergedRun run, IReadOnlyList<WorkSpan> legs)
    {
        var idle = TimeSpan.Zero;
        for (var leg = 1; leg < legs.Count && run.TimeErrors.Count == 0; leg++)
        {
            if (legs[leg].Start > legs[leg - 1].End)
                idle += run.Times.Between(legs[leg - 1].End, legs[leg].Start);
        }

        return idle;
    }
}
