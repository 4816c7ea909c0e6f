namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>Variants that ascend in one setting.</summary>
internal static class AscendingVariants
{
    /// <summary>Whether each variant has a higher value than the one before.</summary>
    public static bool Ascend(IReadOnlyList<RunSpec> variants, Func<RunSpec, double> value) =>
        variants.Zip(variants.Skip(1)).All(step => value(step.First) < value(step.Second));

    /// <summary>Compares each variant with the next one.</summary>
    /// <param name="compare">Compares a variant, the first argument, with a higher one. Both have usable runs.</param>
    public static List<AscendingStep> StepsOf(
        IReadOnlyList<MeasuredVariant> variants, Func<MeasuredVariant, MeasuredVariant, Comparison> compare) =>
        [.. variants.Zip(variants.Skip(1), (from, to) => new AscendingStep(from, to, compare(from, to)))];
}

/// <summary>A step of a ladder, from one variant to the next.</summary>
/// <param name="Change">Figure of the higher variant / figure of the lower one.</param>
internal sealed record AscendingStep(MeasuredVariant From, MeasuredVariant To, Comparison Change);
