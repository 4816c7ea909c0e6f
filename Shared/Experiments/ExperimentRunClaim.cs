namespace ScaleOut.Experiments;

/// <summary>The result of claiming an experiment's run.</summary>
public sealed record ExperimentRunClaim
{
    /// <summary>The outcome of a run that was measured before; null if the run is still to be measured.</summary>
    public RunOutcome? Measured { get; init; }

    /// <summary>Why the run cannot be measured; null if it can.</summary>
    public string? NotClaimed { get; init; }

    /// <summary>Whether the run's id belongs to another run, whose report is not part of this experiment.</summary>
    public bool IdInUse { get; init; }

    /// <summary>Instance id for the orchestration of the run; null for the run's id.</summary>
    public string? InstanceId { get; init; }

    /// <summary>The claimed spec, if the host completed it; null if it equals the experiment's own.</summary>
    public RunSpec? Spec { get; init; }

    /// <summary>The result for an id that belongs to another run. That run is not changed.</summary>
    public static ExperimentRunClaim OfAnother(string runId) => new()
    {
        IdInUse = true,
        NotClaimed = $"The id '{runId}' is in use by another run, whose spec is not this one's; that run was left as it is. Choose another "
            + "id for the experiment.",
    };
}

/// <summary>A run that an experiment is about to measure.</summary>
/// <param name="Spec">The run's spec, with its id.</param>
/// <param name="Attempt">The experiment's attempt, from 1. An attempt from 2 on is a resumed one.</param>
public sealed record ExperimentRunRequest(RunSpec Spec, string ExperimentId, int Attempt)
{
    /// <summary>What a search asks of the run; null in other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RateQuestion? Question { get; init; }
}

/// <summary>
/// Decides whether a claimed run is the one that an experiment means. The id alone does not show it, because anybody may have given the
/// same id to another run.
/// </summary>
public static class ClaimedRun
{
    /// <summary>
    /// Whether a run was claimed with this spec. A field that an earlier version of the program did not write counts as its default.
    /// </summary>
    /// <param name="claimed">The claimed spec as JSON.</param>
    public static bool IsSame(byte[] claimed, RunSpec spec) =>
        Reread(claimed) is { } found && found.AsSpan().SequenceEqual(Reread(Serialize(spec)));

    /// <summary>Reads a spec and writes it again in full; null if the JSON is no valid spec.</summary>
    private static byte[]? Reread(byte[] json) =>
        RunSpecReader.Read(Encoding.UTF8.GetString(json)).Value is { } spec ? Serialize(spec) : null;

    private static byte[] Serialize(RunSpec spec) => JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact);
}
