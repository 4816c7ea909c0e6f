namespace ScaleOut.Experiments;

/// <summary>
/// Says what an experiment runs next, from what was measured so far. A planner has no state, so a durable engine may replay it, and whoever
/// resumes an experiment comes to the same runs.
/// </summary>
public interface IRunPlanner
{
    /// <summary>All runs in their order; null if each run follows from the measurements before it.</summary>
    IReadOnlyList<PlannedRun>? All { get; }

    /// <summary>The run that follows; null at the experiment's end.</summary>
    /// <param name="measured">All runs so far, in the order of this planner.</param>
    PlannedRun? Next(IReadOnlyList<MeasuredRun> measured);

    /// <summary>Where the limit lies that a search looks for, as far as that is measured; null for other experiments.</summary>
    LimitBracket? BracketOf(IReadOnlyList<MeasuredRun> measured);

    /// <summary>What a run of this experiment is to it.</summary>
    /// <param name="run">As it was claimed.</param>
    PlannedRun PlaceOf(RunSpec run);
}

public static class RunPlanner
{
    /// <param name="spec">A valid spec with its id.</param>
    /// <exception cref="ArgumentException">The spec is not valid, or has no id.</exception>
    public static IRunPlanner From(ExperimentSpec spec) => spec.Limit is null ? new GridPlanner(spec) : new LimitPlanner(spec);

    /// <summary>The runs that are known before anything is measured: all of them, or the first of a search.</summary>
    public static IReadOnlyList<PlannedRun> Known(this IRunPlanner planner) => planner.All ?? [planner.Next([])!];

    /// <summary>
    /// The specs of all runs that differ, without ids, each with its path in the experiment's spec: one for each variant, or the first of a
    /// search, whose runs differ in the rate alone.
    /// </summary>
    /// <exception cref="ArgumentException">The spec is not valid.</exception>
    public static IReadOnlyList<(string Path, RunSpec Run)> DistinctPlansOf(ExperimentSpec spec) => spec.Limit is { } limit
        ? [("base", LimitPlanner.PlanOf(spec, limit.FirstRate))]
        : [.. spec.Variants.Select((_, variant) => ($"{SpecPath.Item("variants", variant)}.change", GridPlanner.PlanOf(spec, variant)))];
}

/// <summary>A run of an experiment before it is measured.</summary>
public sealed record PlannedRun
{
    /// <summary>Index of the variant, from 0; 0 in a search for a limit.</summary>
    public required int Variant { get; init; }

    /// <summary>Of a search, the rate as text.</summary>
    public required string VariantName { get; init; }

    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    /// <summary>Documents per second over all workers that a search asks for; null in other experiments.</summary>
    public double? Rate { get; init; }

    /// <summary>What is run, with its id.</summary>
    public required RunSpec Spec { get; init; }

    /// <summary>This run, measured or given up.</summary>
    /// <param name="state">How it ended; null when it was not run.</param>
    public MeasuredRun End(RunState? state, string? reason) => new()
    {
        Variant = Variant, Repeat = Repeat, RunId = Spec.Id!, Rate = Rate, State = state, Reason = MeasuredRun.Shorten(reason),
    };
}

/// <summary>What became of one run of an experiment; what it measured is in its report.</summary>
public sealed record MeasuredRun
{
    /// <summary>Longest <see cref="Reason"/>, in characters: a thousand of these must fit one payload.</summary>
    public const int MaxReasonLength = 300;

    /// <summary>Index of the variant, from 0; 0 in a search for a limit.</summary>
    public int Variant { get; init; }

    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    public required string RunId { get; init; }

    /// <summary>How it ended; null when it was not run.</summary>
    public RunState? State { get; init; }

    /// <summary>Whether its id belongs to another run, whose report does not belong to this experiment.</summary>
    public bool IdInUse { get; init; }

    /// <summary>
    /// Why it was not run or is not complete; of a search also which conditions it did not meet, or why it says nothing. Null otherwise.
    /// </summary>
    public string? Reason { get; init; }

    /// <summary>Documents per second over all workers that a search asked for; null in other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? Rate { get; init; }

    /// <summary>Whether the rate held; null when the run says nothing of it, and in other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? Held { get; init; }

    /// <summary>What the conditions that were not met are about; null when all were, and when the run says nothing.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitCause? NotMet { get; init; }

    /// <summary>
    /// Latencies and shares that must stay below a bound for the rate to hold; null when the run says nothing, and where the condition
    /// compares other figures.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<BoundedFigure>? Figures { get; init; }

    /// <summary>Whether the run says nothing of its rate because the machine was full.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool OnFullMachine { get; init; }

    /// <summary>A reason on one line, at most <see cref="MaxReasonLength"/> characters.</summary>
    internal static string? Shorten(string? reason)
    {
        var text = LegOutput.Shorten(reason);
        return text?.Length > MaxReasonLength ? text[..MaxReasonLength] : text;
    }
}
