namespace ScaleOut.Analysis.Experiments.Planning;

/// <summary>
/// Shrinks a run so that an experiment can be tried in minutes. It reduces the documents; in a step load also the steps and the warm-up.
/// Everything else stays, so a scaled run gives the same figures with wider intervals. If only a few seconds are left after the warm-up,
/// its figures include the start.
/// </summary>
internal static class ExperimentScale
{
    /// <summary>Returns the run at a share of its size.</summary>
    /// <param name="scale">Above 0, at most 1. 1 leaves the run as it is.</param>
    public static RunSpec Apply(RunSpec run, double scale)
    {
        if (!(scale is > 0 and <= 1))
            throw new ArgumentOutOfRangeException(nameof(scale), scale, "a scale is above 0 to 1");
        if (scale == 1)
            return run;

        var documents = Scaled(run.Documents, scale, (long)run.Workers * run.Workload.DocumentsPerOperation);
        return run with
        {
            Documents = documents,
            Warmup = run.Workload.Steps is null ? run.Warmup : run.Warmup * scale,
            Workload = run.Workload with
            {
                // The documents of an earlier run already exist, so their number is not scaled.
                Preload = run.Workload is { Preload: { } preload, OfRun: null } ? Scaled(preload, scale, documents) : run.Workload.Preload,
                Steps = run.Workload.Steps is { } steps
                    ? [.. steps.Select(step => step with { Duration = Longest(step.Duration * scale, StepSpec.MinDuration) })]
                    : null,
            },
        };
    }

    /// <summary>Scales a count, to no less than <paramref name="least"/> and to no more than its full size.</summary>
    private static long Scaled(long count, double scale, long least) => Math.Max(Math.Min(count, least), (long)Math.Round(count * scale));

    private static TimeSpan Longest(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
