using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>What came of reading an experiment's plan: the spec, or everything that is wrong with it.</summary>
public sealed record ExperimentReading
{
    /// <summary>Null exactly when there are faults.</summary>
    public ExperimentSpec? Spec { get; init; }

    /// <summary>All of them; paths such as <c>variants[2].change.workers</c>.</summary>
    public IReadOnlyList<SpecFault> Faults { get; init; } = [];
}
