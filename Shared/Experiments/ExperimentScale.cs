namespace ScaleOut.Experiments;

/// <summary>
/// Shrinks a run so that an experiment can be tried in minutes: its documents, and of a step load its steps and warm-up. Everything else
/// stays, so a scaled run says something of the same kind, only with wider intervals and, when less than some seconds are left after its
/// warm-up, with the start in it.
/// </summary>
public static class ExperimentScale
{
    /// <summary>The run at a share of its size; at 1 the run itself.</summary>
    /// <param name="scale">Above 0 to 1.</param>
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
                // What an earlier run left is as large as it is.
                Preload = run.Workload is { Preload: { } preload, OfRun: null } ? Scaled(preload, scale, documents) : run.Workload.Preload,
                Steps = run.Workload.Steps is { } steps
                    ? [.. steps.Select(step => step with { Duration = Longest(step.Duration * scale, StepSpec.MinDuration) })]
                    : null,
            },
        };
    }

    /// <summary>A count at its scale, at least so many, and never more than at full size.</summary>
    private static long Scaled(long count, double scale, long least) => Math.Max(Math.Min(count, least), (long)Math.Round(count * scale));

    private static TimeSpan Longest(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
