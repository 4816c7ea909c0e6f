using ScaleOut.Measurement;

namespace ScaleOut.Reports.Building;

/// <summary>Makes the report of each worker.</summary>
internal static class WorkerReports
{
    public static IReadOnlyList<WorkerReport> Of(MergedRun run) => [.. run.Workers.Select(worker => Of(run, worker))];

    private static WorkerReport Of(MergedRun run, WorkerLegs worker)
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
            StartLatenessMs = Rounding.Latency(worker.Legs.Select(leg => leg.StartLatenessMs).FirstOrDefault(lateness => lateness is not null)),
            IdleBetweenLegsSeconds = Math.Round(IdleBetween(worker.Spans).TotalSeconds, 3),
            CpuSeconds = Math.Round(machine?.CpuSeconds ?? 0, 3),
            PerSecond = run.Series[worker.Index].Inserted,
        };
    }

    private static TimeSpan IdleBetween(IReadOnlyList<WorkSpan> legs)
    {
        var idle = TimeSpan.Zero;
        for (var leg = 1; leg < legs.Count; leg++)
        {
            var gap = legs[leg].Start - legs[leg - 1].End;
            idle += gap > TimeSpan.Zero ? gap : TimeSpan.Zero;
        }

        return idle;
    }
}
