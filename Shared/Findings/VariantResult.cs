using ScaleOut.Specs;

namespace ScaleOut.Findings;

/// <summary>One configuration of an experiment with what each of its repeats measured.</summary>
public sealed record VariantResult
{
    /// <summary>Its name in the plan.</summary>
    public required string Name { get; init; }

    /// <summary>The effective spec: the base with the variant's changes.</summary>
    public required RunSpec Spec { get; init; }

    /// <summary>In the order in which they ran.</summary>
    public IReadOnlyList<RunFigures> Repeats { get; init; } = [];
}
