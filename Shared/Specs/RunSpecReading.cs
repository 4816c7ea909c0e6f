namespace ScaleOut.Specs;

/// <summary>What came of reading a plan: the spec, or everything that is wrong with it.</summary>
public sealed record RunSpecReading
{
    /// <summary>Null exactly when there are faults.</summary>
    public RunSpec? Spec { get; init; }

    /// <summary>All of them, those of the text first, then field by field, then rules across fields.</summary>
    public IReadOnlyList<SpecFault> Faults { get; init; } = [];
}
