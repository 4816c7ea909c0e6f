namespace ScaleOut.Analysis.Experiments.Planning;

/// <summary>
/// What an experiment will take, by its spec alone. The estimate assumes that neither a client's nor the account's CPU is the limit.
/// </summary>
/// <param name="Variants">Estimates of one run of each variant, in the spec's order.</param>
/// <param name="Runs">All runs, repeats included.</param>
/// <param name="RequestUnits">RU of all runs.</param>
/// <param name="RunSeconds">Minimum working time of all runs together. Runs of unknown length count 0.</param>
/// <param name="Seconds"><paramref name="RunSeconds"/>, the pauses, and the time to start and end each run on one machine.</param>
public sealed record ExperimentEstimate(
    IReadOnlyList<RunEstimate> Variants, int Runs, double RequestUnits, double RunSeconds, double Seconds)
{
    /// <summary>
    /// Time to start the processes of a run, prepare and count its container, and write its report. Measured: 5 to 8 s with 4 workers on
    /// 2 cores.
    /// </summary>
    public const double AroundRunSeconds = 7;

    /// <summary>Estimates a valid spec of variants. The runs of a search for a limit are not known ahead.</summary>
    public static ExperimentEstimate From(ExperimentSpec spec, RunTarget target)
    {
        var estimates = spec.Variants.Select((_, variant) => RunEstimate.From(GridPlanner.PlanOf(spec, variant), target)).ToList();
        var runs = spec.Variants.Count * spec.Repeats;
        var atWork = spec.Repeats * estimates.Sum(estimate => estimate.Seconds ?? 0);
        return new ExperimentEstimate(
            estimates, runs, spec.Repeats * estimates.Sum(estimate => estimate.RequestUnits), atWork,
            atWork + (runs * AroundRunSeconds) + (Math.Max(0, runs - 1) * spec.Pause.TotalSeconds));
    }
}
