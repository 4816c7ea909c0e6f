namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Adds up the steps of all legs.</summary>
internal static class StepReports
{
    public static IReadOnlyList<StepReport> From(MergedRun run)
    {
        if (run.Spec.Workload.Steps is not { } steps)
            return [];
        var byStep = run.Legs.SelectMany(leg => leg.Steps).ToLookup(sample => sample.Part);
        var lasted = LastedSeconds(run);
        var reports = new List<StepReport>();
        double start = 0;
        for (var index = 0; index < steps.Count; index++)
        {
            var samples = byStep[index].ToList();
            // What was in flight at the end drains after the last step.
            var seconds = Math.Clamp(lasted - start, 0, steps[index].Duration.TotalSeconds);
            start += steps[index].Duration.TotalSeconds;
            var operations = samples.Sum(sample => sample.Operations);
            var counts = Counts.Sum(samples.Select(sample => sample.Counts));
            reports.Add(new StepReport
            {
                Index = index,
                Users = steps[index].Users,
                Concurrency = steps[index].Concurrency,
                Rate = steps[index].Rate,
                Seconds = Math.Round(seconds, 3),
                Operations = operations,
                PerSecond = Rounding.Ratio(operations, seconds),
                Counts = counts.Rounded(),
                LatencyMs = LatencySummary.From(LatencyMerge.Merge(samples.Select(sample => sample.OperationLatency))),
                RequestUnitsPerOperation = Rounding.Ratio(counts.RequestUnits, operations),
                RequestUnitsPerSecond = Rounding.Ratio(counts.RequestUnits, seconds),
                CallsPerOperation = run.Spec.Workload.UsesBulk ? null : Rounding.Ratio(samples.Sum(sample => sample.Calls), operations),
            });
        }

        return reports;
    }

    /// <summary>How long the load's schedule ran, by the worker that was at it longest. An interruption stops it.</summary>
    private static double LastedSeconds(MergedRun run) =>
        run.TimeErrors.Count > 0 ? 0 : run.Legs.Max(leg => leg.ScheduleSeconds) ?? run.Times.Makespan?.TotalSeconds ?? 0;
}
