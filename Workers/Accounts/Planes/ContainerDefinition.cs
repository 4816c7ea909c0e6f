using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Accounts.Planes;

/// <summary>A container to make.</summary>
internal sealed record ContainerDefinition
{
    /// <summary>What a container indexes where its policy does not say otherwise, and the one property that it then leaves out.</summary>
    private const string EverythingPath = "/*";

    private const string EtagPath = "/\"_etag\"/?";

    public required ContainerTarget Target { get; init; }

    /// <summary>RU/s; with <see cref="Autoscale"/> the maximum.</summary>
    public required int Throughput { get; init; }

    public required bool Autoscale { get; init; }

    public required IndexingMode Indexing { get; init; }

    /// <summary>As the spec has them.</summary>
    public required IReadOnlyList<string> ExcludedPaths { get; init; }

    /// <summary>Whether the service's own default policy is wanted, so that none is sent.</summary>
    public bool HasDefaultIndexing => Indexing == IndexingMode.Consistent && ExcludedPaths.Count == 0;

    /// <summary>Paths of the policy to send; a policy without an index has none.</summary>
    public IReadOnlyList<string> PolicyIncludedPaths =>
        Indexing == IndexingMode.None || ExcludedPaths.Contains(EverythingPath) ? [] : [EverythingPath];

    /// <summary>Paths of the policy to send: the spec's and <c>_etag</c>, which the default policy leaves out too.</summary>
    public IReadOnlyList<string> PolicyExcludedPaths =>
        Indexing == IndexingMode.None ? [] : [.. ExcludedPaths.Append(EtagPath).Distinct(StringComparer.Ordinal)];
}
