namespace ScaleOut.Experiments;

/// <summary>What the claim of an experiment's run came to.</summary>
public sealed record ExperimentRunClaim
{
    /// <summary>The outcome of a run that was measured before; null when it is to be run.</summary>
    public RunOutcome? Measured { get; init; }

    /// <summary>Why it cannot be run; null when it can.</summary>
    public string? NotClaimed { get; init; }

    /// <summary>Whether its id belongs to another run, whose report does not belong to this experiment.</summary>
    public bool IdInUse { get; init; }

    /// <summary>Instance id of the orchestration that is to run it; null for the run's id.</summary>
    public string? InstanceId { get; init; }

    /// <summary>The spec as it was claimed, where the host completed it; null for the experiment's own.</summary>
    public RunSpec? Spec { get; init; }

    /// <summary>The claim of an id that belongs to something else, which is left as it is.</summary>
    public static ExperimentRunClaim OfAnother(string runId) => new()
    {
        IdInUse = true,
        NotClaimed = $"The id '{runId}' is in use by another run, whose spec is not this one's; that run was left as it is. Choose another "
            + "id for the experiment.",
    };
}

/// <summary>A run that an experiment is about to measure.</summary>
/// <param name="Spec">The run's, with its id.</param>
/// <param name="ExperimentId">The experiment's id.</param>
/// <param name="Attempt">The experiment's attempt, from 1; from 2 on it is one that was resumed.</param>
public sealed record ExperimentRunRequest(RunSpec Spec, string ExperimentId, int Attempt);

/// <summary>
/// Whether a claimed run is the one that an experiment means: the id alone does not show it, as anybody may have given the same id to
/// another run.
/// </summary>
public static class ClaimedRun
{
    /// <summary>
    /// Whether a run was claimed with a spec; what an earlier version of the program did not write counts as its default.
    /// </summary>
    /// <param name="claimed">The claimed spec as JSON.</param>
    public static bool IsSame(byte[] claimed, RunSpec spec)
    {
        return Reread(claimed) is { } found && found.AsSpan().SequenceEqual(Reread(Serialize(spec)));
    }

    /// <summary>What the program makes of it, as JSON; null when it is no spec.</summary>
    private static byte[]? Reread(byte[] json) =>
        RunSpecReader.Read(Encoding.UTF8.GetString(json)).Value is { } spec ? Serialize(spec) : null;

    private static byte[] Serialize(RunSpec spec) => JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact);
}
