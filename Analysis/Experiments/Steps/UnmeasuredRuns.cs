namespace ScaleOut.Analysis.Experiments.Steps;

/// <summary>
/// Finds the runs that a resumed experiment still has to measure: all that are not complete. Runs that were stopped, failed or are
/// incomplete give no figures for findings.
/// </summary>
public static class UnmeasuredRuns
{
    private const int ReadsAtOnce = 16;

    public static bool IsMeasured(RunState state) => state == RunState.Complete;

    /// <summary>The outcome of a measured run; null for any other run, and if its report or the record of its end is damaged.</summary>
    public static async Task<RunOutcome?> OutcomeAsync(RunFiles files, CancellationToken cancellationToken)
    {
        return await files.FindEndedAsync(cancellationToken) is { Outcome: var outcome } && IsMeasured(outcome.State)
            && await files.FindReportDamageAsync(cancellationToken) is null
            ? outcome
            : null;
    }

    /// <summary>
    /// The runs of an experiment that are not measured, in their order. For a search that can go on, it returns only the first run, because
    /// the search itself decides on the others. A search that came to its end can go on with the runs that did not count.
    /// </summary>
    /// <param name="asClaimed">Returns a run as this host claims it; null if the run cannot be measured here.</param>
    public static async Task<IReadOnlyList<PlannedRun>> FindAsync(
        IRunStore store, ExperimentSpec spec, Func<PlannedRun, PlannedRun?> asClaimed, CancellationToken cancellationToken)
    {
        var planner = RunPlanner.From(spec);
        if (planner.All is { } all)
            return await FindAsync(store, all.Select(asClaimed).OfType<PlannedRun>(), cancellationToken);
        var status = await new ExperimentFiles(store, spec.Id!).ReadStatusAsync(cancellationToken);
        return status?.Outcome is { State: ExperimentState.Complete } or { State: ExperimentState.Incomplete, NotComplete: 0 }
            ? []
            : planner.Known();
    }

    /// <summary>Returns the given runs that are not measured, in their order.</summary>
    /// <param name="runs">Runs that can be measured here, as this host claims them.</param>
    public static async Task<IReadOnlyList<PlannedRun>> FindAsync(
        IRunStore store, IEnumerable<PlannedRun> runs, CancellationToken cancellationToken)
    {
        var all = runs.ToList();
        var measured = new ConcurrentDictionary<string, bool>();
        var limit = new ParallelOptions { MaxDegreeOfParallelism = ReadsAtOnce, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(all, limit, async (run, token) =>
        {
            measured[run.Spec.Id!] = await IsMeasuredAsync(new RunFiles(store, run.Spec.Id!), run, token);
        });
        return [.. all.Where(run => !measured[run.Spec.Id!])];
    }

    /// <summary>A damaged run counts as not measured.</summary>
    private static async Task<bool> IsMeasuredAsync(RunFiles files, PlannedRun run, CancellationToken cancellationToken)
    {
        try
        {
            return await OutcomeAsync(files, cancellationToken) is not null && await files.ReadSpecAsync(cancellationToken) is { } claimed
                && ClaimedRun.IsSame(claimed, run.Spec);
        }
        catch (EvidenceException e) when (e.Problem == EvidenceProblem.Damaged)
        {
            // The other runs are still checked, and the run itself reports the damage.
            return false;
        }
    }
}
