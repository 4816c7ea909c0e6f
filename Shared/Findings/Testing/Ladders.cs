using ScaleOut.Specs;

namespace ScaleOut.Findings.Testing;

/// <summary>Variants that ascend in something.</summary>
internal static class Ladders
{
    /// <summary>Whether each variant has more of it than the one before.</summary>
    public static bool Ascend(IReadOnlyList<RunSpec> variants, Func<RunSpec, double> of) => variants.Zip(variants.Skip(1)).All(step => of(step.First) < of(step.Second));
}
