namespace ScaleOut.Findings.Testing;

/// <summary>A claim with what was measured for it.</summary>
/// <param name="Spec">The claim.</param>
/// <param name="Variants">In the claim's order.</param>
internal sealed record FindingCase(FindingSpec Spec, IReadOnlyList<MeasuredVariant> Variants)
{
    public MeasuredVariant Baseline => Variants[0];

    public MeasuredVariant Changed => Variants[^1];
}
