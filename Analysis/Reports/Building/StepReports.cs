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
            var all = PartSample.Merge(index, [.. byStep[index]]);
            // Operations in flight at the end are finished after the last step. That time does not count.
            var seconds = Math.Clamp(lasted - start, 0, steps[index].Duration.TotalSeconds);
            start += steps[index].Duration.TotalSeconds;
            reports.Add(new StepReport
            {
                Index = index,
                Users = steps[index].Users,
                Concurrency = steps[index].Concurrency,
                Rate = steps[index].Rate,
                Seconds = Math.Round(seconds, 3),
                Operations = all.Operations,
                PerSecond = Rounding.Ratio(Math.Min(all.Operations, MaxDue(run, steps[index], seconds)), seconds),
                Counts = all.Counts.Rounded(),
                LatencyMs = LatencySummary.From(all.OperationLatency),
                RequestUnitsPerOperation = Rounding.Ratio(all.Counts.RequestUnits.Value, all.Operations),
                RequestUnitsPerSecond = Rounding.Ratio(all.Counts.RequestUnits.Value, seconds),
                CallsPerOperation = run.Spec.Workload.UsesBulk ? null : Rounding.Ratio(all.Calls, all.Operations),
            });
        }

        return reports;
    }

    /// <summary>
    /// Number of operations that the schedule has in the given time. Operations beyond that number were due in the step before. Infinite in
    /// a closed loop.
    /// </summary>
    private static double MaxDue(MergedRun run, StepSpec step, double seconds) => step.Rate is { } rate
        ? run.Spec.Workers * rate * seconds / run.Spec.Workload.DocumentsPerOperation
        : double.PositiveInfinity;

    /// <summary>How long the load's schedule ran, by the worker that followed it longest. An interruption stops it.</summary>
    private static double LastedSeconds(MergedRun run) =>
        run.TimeErrors.Count > 0 ? 0 : run.Legs.Max(leg => leg.ScheduleSeconds) ?? run.Makespan?.TotalSeconds ?? 0;
}
