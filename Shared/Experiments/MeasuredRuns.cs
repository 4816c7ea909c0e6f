using System.Collections.Concurrent;
using ScaleOut.Storage;

namespace ScaleOut.Experiments;

/// <summary>
/// Which runs of an experiment are measured, and so are not measured again by whoever resumes it: those that are complete. Others, stopped,
/// failed or incomplete, give no figure that a finding rests on.
/// </summary>
public static class MeasuredRuns
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

    /// <summary>What an experiment has still to measure: its runs that are not measured, or the search for a limit.</summary>
    /// <param name="store">The run store.</param>
    /// <param name="spec">Claimed.</param>
    /// <param name="runs">Of an experiment with variants: those that can be measured, as they are claimed.</param>
    public static Task<IReadOnlyList<ExperimentRun>> LeftOfAsync(
        IRunStore store, ExperimentSpec spec, IEnumerable<ExperimentRun> runs, CancellationToken cancellationToken)
    {
        return spec.Limit is null ? LeftOfAsync(store, runs, cancellationToken) : LeftOfLimitAsync(store, spec, cancellationToken);
    }

    /// <summary>
    /// The first run of a search for a limit that has not come to its end, in place of those that will be left: which they are, the search
    /// itself finds out. None of one that has ended.
    /// </summary>
    /// <param name="store">The run store.</param>
    /// <param name="spec">Claimed.</param>
    private static async Task<IReadOnlyList<ExperimentRun>> LeftOfLimitAsync(
        IRunStore store, ExperimentSpec spec, CancellationToken cancellationToken)
    {
        var status = await new ExperimentFiles(store, spec.Id!).ReadStatusAsync(cancellationToken);
        return status?.Outcome?.State == ExperimentState.Complete ? [] : [LimitRuns.First(spec)];
    }

    /// <summary>Those of an experiment's runs that are not measured, in their order.</summary>
    /// <param name="store">The run store.</param>
    /// <param name="runs">Runs that can be measured, as they are claimed.</param>
    public static async Task<IReadOnlyList<ExperimentRun>> LeftOfAsync(
        IRunStore store, IEnumerable<ExperimentRun> runs, CancellationToken cancellationToken)
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
    private static async Task<bool> IsMeasuredAsync(RunFiles files, ExperimentRun run, CancellationToken cancellationToken)
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
