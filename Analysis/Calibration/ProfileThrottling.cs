namespace ScaleOut.Analysis.Calibration;

/// <summary>How an account throttles load beyond its budget, and how many physical partitions it creates.</summary>
internal static class ProfileThrottling
{
    public static ThrottlingFigures From(IReadOnlyList<ProfileRun> runs)
    {
        List<ThrottledReport> throttled = [.. runs.Select(run => run.Report.ThrottledResponses).OfType<ThrottledReport>()];
        List<RunReport> stepped =
            [.. runs.Select(run => run.Report).Where(report => report is { Partitions.Count: 1, Steps.Count: > 1 })];
        // Only a step after a throttled one shows the steady rate: before that, burst credit may be left.
        List<StepReport> settled = [.. stepped.Select(report => After(report, IsOver)).OfType<StepReport>()];
        var perSecond = Blocks.Mean(settled.Select(step => step.Counts.RequestUnits.Value / step.Seconds));
        List<StepReport> rested = [.. stepped.Select(report => After(report, IsIdle)).OfType<StepReport>()];
        return new ThrottlingFigures
        {
            RetryAfterMinMs = Blocks.LowEnd(throttled.Select(one => one.RetryAfterMinMs)),
            RetryAfterMaxMs = Blocks.HighEnd(throttled.Select(one => one.RetryAfterMaxMs)),
            AdmittedPerSecond = perSecond,
            // A step does not begin with a second of the account, so it may get up to one second's budget more or less.
            BurstRequestUnits = perSecond is null
                ? null
                : Blocks.Mean(rested.Select(step => step.Counts.RequestUnits.Value - (perSecond.Value * step.Seconds)), perSecond.High),
            IdleSeconds = rested.Count > 0 ? stepped.SelectMany(report => report.Steps).Where(IsIdle).Average(step => step.Seconds) : 0,
        };
    }

    /// <summary>Numbers of partitions of the containers that runs created. Containers with splits are left out.</summary>
    public static IReadOnlyList<LayoutFigure> LayoutOf(IReadOnlyList<ProfileRun> runs) =>
    [
        .. from run in runs
           where run.Spec.Container is { Name: null, Autoscale: false } && run.Report.Partitions.Count > 0
           group run.Report by run.Spec.Container.Throughput into alike
           orderby alike.Key
           let counts = alike.Select(report => report.Partitions.Count).Distinct().ToList()
           where counts.Count == 1 && alike.All(IsWithoutSplits)
           select new LayoutFigure(alike.Key, counts[0]),
    ];

    /// <summary>Without splits, each range begins where the one before it ends. A split partition's range overlaps the new ones.</summary>
    private static bool IsWithoutSplits(RunReport report)
    {
        List<string[]> ranges = [.. report.Partitions.Select(partition => partition.Range.Split('-'))];
        return ranges.Zip(ranges.Skip(1)).All(pair => pair.First[1] == pair.Second[0]);
    }

    private static StepReport? After(RunReport report, Func<StepReport, bool> before) =>
        report.Steps.Zip(report.Steps.Skip(1)).Where(pair => before(pair.First) && IsOver(pair.Second))
            .Select(pair => pair.Second).FirstOrDefault();

    private static bool IsOver(StepReport step) => step is { Counts.Throttled: > 0, Seconds: > 0 } && !IsIdle(step);

    private static bool IsIdle(StepReport step) => (step.Users ?? step.Concurrency) == 0;
}
