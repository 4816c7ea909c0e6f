using ScaleOut.Specs;

namespace ScaleOut.Findings.Testing;

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
