namespace ScaleOut.Analysis.Reports.Building;

internal static class WorkerReports
{
    public static IReadOnlyList<WorkerReport> From(MergedRun run, IReadOnlyList<long> seconds) =>
        [.. run.Workers.Select(worker => From(run, worker, seconds))];

    private static WorkerReport From(MergedRun run, WorkerLegs worker, IReadOnlyList<long> seconds)
    {
        var machine = MachineMerge.Merge(worker.Legs);
        return new()
        {
            Index = worker.Index,
            Settings = worker.Settings,
            Documents = ReportCounts.Documents(run.Spec.Workload, worker.Slice.Count, worker.Legs),
            Requests = ReportCounts.Requests(worker.Legs),
            Throughput = ReportRates.Throughput(run, worker),
            RequestUnits = ReportRates.RequestUnits(run, worker),
            LatencyMs = Latencies.From(run, worker),
            Machine = machine,
            RoundTripMs = Rounding.Latency(MachineMerge.Median(machine?.RoundTripMs ?? [])),
            StartedAt = worker.Start,
            EndedAt = worker.End,
            StartLatenessMs = Rounding.Latency(
                worker.Legs.Select(leg => leg.StartLatenessMs).FirstOrDefault(lateness => lateness is not null)),
            ClockSkewMs = worker.Legs.Select(leg => leg.Clocks?.Skew).FirstOrDefault(skew => skew is not null),
            IdleBetweenLegsSeconds = Math.Round(IdleBetween(run, worker.Spans).TotalSeconds, 3),
            CpuSeconds = Math.Round(machine?.CpuSeconds ?? 0, 3),
            CpuShareMax = UtilizationOf.Share(UtilizationOf.CpuShareMax(run, worker)),
            PerSecond = [.. seconds.Select(second => run.Series[worker.Index].At(second).Counts.Inserted)],
        };
    }

    private static TimeSpan IdleBetween(MergedRun run, IReadOnlyList<TimeRange> legs) =>
        run.TimeErrors.Count > 0 ? TimeSpan.Zero : TimeSpan.FromTicks(legs.Zip(legs.Skip(1))
            .Where(pair => pair.Second.From > pair.First.To)
            .Sum(pair => run.Between(pair.First.To, pair.Second.From).Ticks));
}

/// <summary>One worker with the results of its legs, of which there may be none.</summary>
/// <param name="Legs">Ordered by the number of the leg.</param>
internal sealed record WorkerLegs(int Index, NumberRange Slice, ClientSettings Settings, IReadOnlyList<LegResult> Legs)
{
    /// <summary>
    /// When the worker was at work, in order of time. A leg that was repeated comes after later ones. A leg that ended before its first
    /// document is left out.
    /// </summary>
    public IReadOnlyList<TimeRange> Spans { get; } =
    [
        .. Legs.Where(leg => leg.EndedAt > leg.StartedAt).Select(leg => new TimeRange(leg.StartedAt, leg.EndedAt))
            .OrderBy(span => span.From),
    ];

    public long Inserted { get; } = Legs.Sum(leg => leg.Counts.Inserted);

    /// <summary>When it was first at work; null when it never was.</summary>
    public DateTimeOffset? Start => Spans.Count > 0 ? Spans[0].From : null;

    /// <summary>When it was last at work; null when it never was.</summary>
    public DateTimeOffset? End => Spans.Count > 0 ? Spans.Max(span => span.To) : null;

    public static IReadOnlyList<WorkerLegs> From(RunSpec spec, IEnumerable<LegResult> results)
    {
        var byWorker = results.ToLookup(result => result.Output.Worker);
        return [.. Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation)
            .Select((slice, worker) =>
                new WorkerLegs(worker, slice, spec.SettingsOf(worker), [.. byWorker[worker].OrderBy(leg => leg.Output.Leg)]))];
    }
}
