namespace ScaleOut.Experiments;

/// <summary>
/// Decides what an experiment runs next, from what was measured so far. A planner has no state, so a durable engine can replay it, and a
/// resumed experiment gets the same runs.
/// </summary>
public interface IRunPlanner
{
    /// <summary>All runs in their order; null if each run depends on the measurements before it.</summary>
    IReadOnlyList<PlannedRun>? All { get; }

    /// <summary>The next run; null at the experiment's end.</summary>
    /// <param name="measured">All runs so far, in the order of this planner.</param>
    PlannedRun? Next(IReadOnlyList<MeasuredRun> measured);

    /// <summary>The same runs in the order in which those that are run alternate, without the ones of some variants.</summary>
    /// <param name="variants">Indices of the variants that are not run.</param>
    IRunPlanner Without(IReadOnlyCollection<int> variants) => this;

    /// <summary>The rates between which a search has found the limit so far; null for other experiments.</summary>
    LimitBracket? BracketOf(IReadOnlyList<MeasuredRun> measured);

    /// <summary>Finds the variant and the repeat of a run of this experiment.</summary>
    /// <param name="run">The run's claimed spec.</param>
    PlannedRun PlaceOf(RunSpec run);
}

/// <summary>A run of an experiment before it is measured.</summary>
public sealed record PlannedRun
{
    /// <summary>Index of the variant, from 0; 0 in a search for a limit.</summary>
    public required int Variant { get; init; }

    /// <summary>Name of the variant. In a search for a limit, the rate as text.</summary>
    public required string VariantName { get; init; }

    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    /// <summary>Documents per second over all workers that a search asks for; null in other experiments.</summary>
    public double? Rate { get; init; }

    /// <summary>The run's spec, with its id.</summary>
    public required RunSpec Spec { get; init; }

    /// <param name="state">Null if it was not run.</param>
    public MeasuredRun End(RunState? state, string? reason) => new()
    {
        Variant = Variant, Repeat = Repeat, RunId = Spec.Id!, Rate = Rate, State = state,
        Reason = LegOutput.Shorten(reason, MeasuredRun.MaxReasonLength),
    };
}

/// <summary>How one run of an experiment ended. Its figures are in its report.</summary>
public sealed record MeasuredRun
{
    /// <summary>Maximum length of <see cref="Reason"/>, in characters. A thousand reasons must fit one payload.</summary>
    public const int MaxReasonLength = 300;

    /// <summary>Index of the variant, from 0; 0 in a search for a limit.</summary>
    public int Variant { get; init; }

    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    public required string RunId { get; init; }

    /// <summary>How it ended; null when it was not run.</summary>
    public RunState? State { get; init; }

    /// <summary>Whether the run's id belongs to another run, whose report is not part of this experiment.</summary>
    public bool IdInUse { get; init; }

    /// <summary>
    /// Why the run was not started or is not complete. In a search also the conditions that it did not meet, or why it does not show
    /// whether the rate holds. Null otherwise.
    /// </summary>
    public string? Reason { get; init; }

    /// <summary>Documents per second over all workers that a search asked for; null in other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? Rate { get; init; }

    /// <summary>Whether the rate held; null if the run does not show it, and in other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? Held { get; init; }

    /// <summary>
    /// The cause that the conditions that were not met refer to. Null if all were met, and if the run does not show whether the rate held.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitCause? NotMet { get; init; }

    /// <summary>
    /// Latencies, shares and numbers of errors that must stay below a bound for the rate to hold. Null if the run does not show whether the
    /// rate held, and if the condition compares other figures.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<BoundedFigure>? Figures { get; init; }

    /// <summary>Whether the run does not show if its rate holds, because the machine decided that.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool OnFullMachine { get; init; }
}
