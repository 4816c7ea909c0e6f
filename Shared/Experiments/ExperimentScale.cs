using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>
/// Shrinks a run so that an experiment can be tried in minutes: its documents, its warm-up and its legs. Rates, throughput, latency and settings stay,
/// so a scaled run says something of the same kind, only with wider intervals and, when it gets short, with the start in it.
/// </summary>
public static class ExperimentScale
{
    /// <summary>Shortest leg that a scaled run has.</summary>
    private static readonly TimeSpan ShortestLeg = TimeSpan.FromSeconds(1);

    /// <summary>The run at a share of its size; at 1 the run itself.</summary>
    /// <param name="run">A valid plan.</param>
    /// <param name="scale">Above 0 to 1.</param>
    public static RunSpec Apply(RunSpec run, double scale)
    {
        ArgumentNullException.ThrowIfNull(run);
        if (!(scale is > 0 and <= 1))
            throw new ArgumentOutOfRangeException(nameof(scale), scale, "a scale is above 0 to 1");
        if (scale == 1)
            return run;

        var least = Math.Min(run.Documents, (long)run.Workers * run.Workload.DocumentsPerOperation);
        return run with
        {
            Documents = Math.Max(least, (long)Math.Round(run.Documents * scale)),
            Warmup = run.Warmup * scale,
            LegDuration = Longest(run.LegDuration * scale, ShortestLeg),
        };
    }

    private static TimeSpan Longest(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
