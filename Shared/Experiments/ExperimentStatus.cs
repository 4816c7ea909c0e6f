namespace ScaleOut.Experiments;

/// <summary>The progress of an experiment. Less than 2 KB as JSON.</summary>
public sealed record ExperimentStatus
{
    public required ExperimentPhase Phase { get; init; }

    /// <summary>Runs that the spec asks for. In a search for a limit, the runs so far.</summary>
    public required int Runs { get; init; }

    /// <summary>Runs that have ended in any way, including those that cannot be measured here.</summary>
    public required int Ended { get; init; }

    /// <summary>Ended runs that are not complete.</summary>
    public required int NotComplete { get; init; }

    /// <summary>
    /// The last run that is not complete, and why, such as <c>direct, repeat 2 (failed): ...</c>. Null while there is none, and in a search
    /// for a limit, whose <see cref="Measured"/> says it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? LastNotComplete { get; init; }

    /// <summary>Id of the run in progress, whose own status says more; null between runs.</summary>
    public string? RunId { get; init; }

    /// <summary>Name of the variant of the run in progress.</summary>
    public string? Variant { get; init; }

    /// <summary>Repeat of the run in progress, from 1.</summary>
    public int? Repeat { get; init; }

    /// <summary>The rates between which a search has found the limit so far. Null in other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitBracket? Bracket { get; init; }

    /// <summary>The last measurement of a search.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public MeasuredRun? Measured { get; init; }

    /// <summary>Null until the experiment has ended.</summary>
    public ExperimentOutcome? Outcome { get; init; }

    /// <summary>
    /// Why the experiment ended without a report, at most <see cref="MeasuredRun.MaxReasonLength"/> characters. An experiment with a
    /// reason and without an outcome has failed.
    /// </summary>
    public string? Reason { get; init; }

    /// <summary>The status of an experiment that could not start.</summary>
    public static ExperimentStatus NotStarted(ExperimentSpec spec, string reason) => new()
    {
        Phase = ExperimentPhase.Ended, Runs = spec.Variants.Count * spec.Repeats, Ended = 0, NotComplete = 0, Reason = reason,
    };

    /// <summary>The status of an experiment that is resumed and has not begun yet.</summary>
    /// <param name="left">Number of runs that are still to be measured.</param>
    public static ExperimentStatus Resumption(ExperimentSpec spec, int left)
    {
        // A search does not know its runs ahead.
        var runs = Math.Max(spec.Variants.Count * spec.Repeats, left);
        return new() { Phase = ExperimentPhase.Running, Runs = runs, Ended = runs - left, NotComplete = 0 };
    }

    /// <summary>The status of an experiment that was stopped before its first run.</summary>
    /// <param name="spec">A claimed spec, with its id.</param>
    public static ExperimentStatus GivenUp(ExperimentSpec spec, string reason)
    {
        var status = NotStarted(spec, reason);
        var outcome = new ExperimentOutcome
        {
            ExperimentId = spec.Id!, State = ExperimentState.Stopped, Runs = status.Runs, Complete = 0, NotComplete = 0, NotTestable = 0,
        };
        return status with { Outcome = outcome };
    }
}
