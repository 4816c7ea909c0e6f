using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>One run of an experiment.</summary>
public sealed record ExperimentRun
{
    /// <summary>Index of the variant, from 0.</summary>
    public required int Variant { get; init; }

    public required string VariantName { get; init; }

    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    /// <summary>What is run, with its id.</summary>
    public required RunSpec Spec { get; init; }
}
