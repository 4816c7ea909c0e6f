using Microsoft.Azure.Cosmos;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Workers.Containers;

/// <summary>The container that a run makes.</summary>
internal sealed record ContainerDefinition(ContainerTarget Target, ContainerSpec Spec)
{
    private const string EtagPath = "/\"_etag\"/?";

    /// <summary>Whether the service's own default policy is wanted, so that none is sent.</summary>
    public bool HasDefaultIndexing =>
        Spec is { Indexing: IndexingMode.Consistent, ExcludedPaths.Count: 0, CompositeIndexes.Count: 0 };

    public IReadOnlyList<string> PolicyIncludedPaths => Spec.Indexing == IndexingMode.None ? [] : Spec.PolicyIncludedPaths;

    public IEnumerable<IReadOnlyList<(string Path, bool IsDescending)>> PolicyCompositeIndexes => Spec.CompositeIndexes.Select(
        index => index.Split(", ").Select(part => (part.Split(' ')[0], part.EndsWith(" DESC", StringComparison.Ordinal))).ToList());

    /// <summary>The spec's paths and <c>_etag</c>, which the default policy excludes too.</summary>
    public IReadOnlyList<string> PolicyExcludedPaths =>
        Spec.Indexing == IndexingMode.None ? [] : [.. Spec.ExcludedPaths.Append(EtagPath).Distinct(StringComparer.Ordinal)];
}
