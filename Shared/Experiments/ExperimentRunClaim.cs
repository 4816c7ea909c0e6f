using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>What the claim of an experiment's run came to.</summary>
public sealed record ExperimentRunClaim
{
    /// <summary>The outcome of a run that was measured before; null when it is to be run.</summary>
    public RunOutcome? Measured { get; init; }

    /// <summary>Why it cannot be run; null when it can.</summary>
    public string? NotClaimed { get; init; }

    /// <summary>Whether its id belongs to another run, whose report is none of this experiment's.</summary>
    public bool IdInUse { get; init; }

    /// <summary>Instance id of the orchestration that is to run it; null for the run's id.</summary>
    public string? InstanceId { get; init; }

    /// <summary>The spec as it was claimed, where the host completed it; null for the experiment's own.</summary>
    public RunSpec? Spec { get; init; }

    /// <summary>The claim of an id that belongs to something else, which is left as it is.</summary>
    public static ExperimentRunClaim OfAnother(string runId) => new()
    {
        IdInUse = true,
        NotClaimed = $"The id '{runId}' is in use by another run, whose spec is not this one's; that run was left as it is. Choose another id for the experiment.",
    };
}
