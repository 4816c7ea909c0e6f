namespace ScaleOut.Analysis.Limits;

/// <summary>
/// What kept a rate from being higher: by what bound the runs at the lowest rate that fails, else by which condition failed.
/// </summary>
internal static class LimitCauses
{
    /// <summary>Share of the operations in flight from which they are the limit.</summary>
    private const double InFlightShare = 0.9;

    /// <summary>Null when nothing failed.</summary>
    public static LimitCause? From(IReadOnlyList<LimitStep> steps, int mostInFlight) => Failing(steps)
        .GroupBy(run => From(run, mostInFlight))
        .OrderByDescending(group => group.Count())
        .ThenBy(group => group.Key)
        .Select(group => (LimitCause?)group.Key)
        .FirstOrDefault();

    /// <summary>The run that shows a cause; null when none does.</summary>
    public static LimitRunDigest? Example(IReadOnlyList<LimitStep> steps, LimitCause? cause, int mostInFlight) =>
        Failing(steps).FirstOrDefault(run => From(run, mostInFlight) == cause);

    /// <summary>Runs that failed at the lowest rate that is shown to fail; without one, at the lowest in which any failed.</summary>
    private static IEnumerable<LimitRunDigest> Failing(IReadOnlyList<LimitStep> steps)
    {
        var step = steps.FirstOrDefault(one => one.Verdict == LimitVerdict.Fails && one.Failed > 0)
            ?? steps.FirstOrDefault(one => one.Failed > 0);
        return step?.Runs.Where(run => run.Held == false) ?? [];
    }

    private static LimitCause From(LimitRunDigest run, int mostInFlight) => run switch
    {
        { BoundBy: BoundBy.RequestUnits } => LimitCause.RequestUnits,
        { BoundBy: BoundBy.Partition } => LimitCause.Partition,
        { BoundBy: BoundBy.Client } => LimitCause.Client,
        { BoundBy: BoundBy.Machine } => LimitCause.Machine,
        { NotMet: LimitCause.Throttling or LimitCause.Errors } => run.NotMet.Value,
        { InFlight: { } inFlight } when inFlight >= InFlightShare * mostInFlight => LimitCause.InFlight,
        _ => run.NotMet ?? LimitCause.Condition,
    };
}
