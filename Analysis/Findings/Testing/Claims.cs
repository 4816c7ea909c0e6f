using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>Claims as sentences, with their thresholds.</summary>
internal static class Claims
{
    /// <summary>A claim of a gain; with a threshold above 1 it says by how much.</summary>
    public static string Gain(string claim, double threshold) =>
        threshold > 1 ? $"{claim}: more than {Say.Ratio(threshold)} times." : $"{claim}.";

    /// <summary>A claim that something makes no difference but for a factor.</summary>
    public static string Sameness(string claim, double factor) =>
        $"{claim} (the rate stays within {Say.Ratio(1 / factor)} to {Say.Ratio(factor)} times).";
}

/// <summary>Variants that ascend in something.</summary>
internal static class Ladders
{
    /// <summary>Whether each variant has more of it than the one before.</summary>
    public static bool Ascend(IReadOnlyList<RunSpec> variants, Func<RunSpec, double> of) =>
        variants.Zip(variants.Skip(1)).All(step => of(step.First) < of(step.Second));
}

/// <summary>Claims about indexing say something only where the account kept the mode that was asked for.</summary>
internal static class KeptIndexing
{
    /// <summary>Why the variants cannot be compared; null when each kept its mode.</summary>
    public static string? Obstacle(FindingCase given)
    {
        foreach (var variant in given.Variants)
        {
            var mode = variant.Spec.Container.Indexing;
            if (variant.Usable.Any(figures => figures.KeptIndexing == false))
                return $"the account did not keep {mode} indexing";
            if (mode == IndexingMode.Lazy && variant.Usable.Any(figures => figures is { KeptIndexing: null, Simulated: false }))
                return $"it is not known whether the account kept {mode} indexing";
        }

        return null;
    }
}

/// <summary>What claims ask of the machines that the workers ran on.</summary>
internal static class ScaleOutRuns
{
    /// <summary>
    /// Why runs that share a machine at its limit say nothing of the account or its clients; null when none of the variants was bound so.
    /// </summary>
    public static string? BoundByMachine(IEnumerable<MeasuredVariant> variants)
    {
        var bound = variants.Where(variant => variant.IsBoundByMachine).Select(variant => variant.Name).ToList();
        return bound.Count == 0 ? null : $"the shared machine bound the runs of {string.Join(", ", bound)}";
    }
}
