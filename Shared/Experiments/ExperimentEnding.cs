namespace ScaleOut.Experiments;

/// <summary>What the orchestration knows when all runs have ended; with the runs' reports in the run store it makes the experiment's report.</summary>
public sealed record ExperimentEnding
{
    /// <summary>The experiment's spec, with its id.</summary>
    public required ExperimentSpec Spec { get; init; }

    /// <summary>On the engine's clock; of an experiment that was taken up again, when that was.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>In the order of <see cref="ExperimentRuns.Of"/>; of a stopped experiment only those that it got to.</summary>
    public IReadOnlyList<ExperimentRunEnd> Runs { get; init; } = [];

    /// <summary>Whether it was stopped before its last run.</summary>
    public bool Stopped { get; init; }
}
