using System.Collections.Concurrent;
using ScaleOut.Storage;

namespace ScaleOut.Experiments;

/// <summary>
/// Which runs of an experiment are measured, and so are not measured again by whoever resumes it: those that are complete. Others, stopped,
/// failed or incomplete, give no figure that a finding rests on.
/// </summary>
public static class UnmeasuredRuns
{
    private const int ReadsAtOnce = 16;

    /// <summary>Whether an outcome is that of a measurement.</summary>
    public static bool IsMeasured(RunState state) => state == RunState.Complete;

    /// <summary>The outcome of a run that is measured; null of any other, and of one whose report or note of its end is damaged.</summary>
    /// <param name="files">The run's.</param>
    public static async Task<RunOutcome?> OutcomeAsync(RunFiles files, CancellationToken cancellationToken)
    {
        return await files.FindEndedAsync(cancellationToken) is { Outcome: var outcome } && IsMeasured(outcome.State)
            && await files.FindReportDamageAsync(cancellationToken) is null
            ? outcome
            : null;
    }

    /// <summary>
    /// The runs of an experiment that are not measured, in their order. Of a search that has not come to its end it is the first run, in
    /// place of those that will be left, which only the search itself finds out.
    /// </summary>
    /// <param name="spec">Claimed.</param>
    /// <param name="asClaimed">A run as it is claimed where the experiment runs; null if it cannot be measured there.</param>
    public static async Task<IReadOnlyList<PlannedRun>> FindAsync(
        IRunStore store, ExperimentSpec spec, Func<PlannedRun, PlannedRun?> asClaimed, CancellationToken cancellationToken)
    {
        var planner = RunPlanner.From(spec);
        if (planner.All is { } all)
            return await FindAsync(store, all.Select(asClaimed).OfType<PlannedRun>(), cancellationToken);
        var status = await new ExperimentFiles(store, spec.Id!).ReadStatusAsync(cancellationToken);
        return status?.Outcome?.State == ExperimentState.Complete ? [] : planner.Known();
    }

    /// <summary>Those of an experiment's runs that are not measured, in their order.</summary>
    /// <param name="runs">Runs that can be measured, as they are claimed.</param>
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

    /// <summary>One damaged run is left to measure; it does not keep the others from being looked at.</summary>
    private static async Task<bool> IsMeasuredAsync(RunFiles files, PlannedRun run, CancellationToken cancellationToken)
    {
        try
        {
            return await OutcomeAsync(files, cancellationToken) is not null && await files.ReadSpecAsync(cancellationToken) is { } claimed
                && ClaimedRun.IsSame(claimed, run.Spec);
        }
        catch (EvidenceException e) when (e.Problem == EvidenceProblem.Damaged)
        {
            return false;
        }
    }
}
