using ScaleOut.Findings;
using ScaleOut.Sizing;

namespace ScaleOut.Experiments.Reporting;

/// <summary>What an experiment measured and what that says of its findings. Its JSON names are a contract.</summary>
public sealed record ExperimentReport
{
    /// <summary>Experiment id.</summary>
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; init; }

    public required ExperimentState State { get; init; }

    /// <summary>Whether any of the numbers come from the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>Share of the documents and times that was run; 1 is the full size.</summary>
    public required double Scale { get; init; }

    /// <summary>Start of the first run; without one that of the orchestration.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    public required ExperimentSpec Spec { get; init; }

    /// <summary>In the order of the spec.</summary>
    public IReadOnlyList<VariantReport> Variants { get; init; } = [];

    /// <summary>In the order of the spec.</summary>
    public IReadOnlyList<FindingResult> Findings { get; init; } = [];

    /// <summary>Published figures beside measured ones; null when the plan has none.</summary>
    public PublishedComparison? Published { get; init; }

    /// <summary>What some rates of inserts need by these measurements; empty when they say nothing of writes.</summary>
    public IReadOnlyList<SizingAnswer> Sizing { get; init; } = [];

    /// <summary>What was not tested, and why.</summary>
    public IReadOnlyList<NotTestedItem> NotTested { get; init; } = [];

    /// <summary>What a reader must know before trusting the numbers, the weightiest first.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];
}
