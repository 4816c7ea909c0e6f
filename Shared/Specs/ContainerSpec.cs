namespace ScaleOut.Specs;

/// <summary>The container that a run writes to: its own (<c>run-{id}</c>), or an existing one that is used as it is.</summary>
public sealed record ContainerSpec : IOmitsProperties
{
    /// <summary>Least RU/s of a container.</summary>
    public const int LeastThroughput = 400;

    /// <summary>Most RU/s of a container.</summary>
    public const int MostThroughput = 10_000_000;

    /// <summary>Most <see cref="ExcludedPaths"/>.</summary>
    public const int MostExcludedPaths = 1_000;

    private static readonly ContainerSpec Defaults = new();

    /// <summary>Default <c>scaleout</c>.</summary>
    public string Database { get; init; } = "scaleout";

    /// <summary>An existing container. Null means that the run creates <c>run-{id}</c> and deletes it at the end.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// Provisioned RU/s of the container that the run creates (the maximum with <see cref="Autoscale"/>), 400 to 10,000,000 in steps of 100
    /// (autoscale: 1,000 and more in steps of 1,000). Default 60,000. An error beside <see cref="Name"/>.
    /// </summary>
    public int Throughput { get; init; } = 60_000;

    public bool Autoscale { get; init; }

    /// <summary>Such as <c>/PartitionKey</c>. Null means the document kind's own.</summary>
    public string? PartitionKeyPath { get; init; }

    /// <summary>Default <see cref="IndexingMode.Consistent"/>. An error beside <see cref="Name"/>.</summary>
    public IndexingMode Indexing { get; init; } = IndexingMode.Consistent;

    /// <summary>Index paths to leave out, such as <c>/SomeText/?</c> or <c>/*</c>. An error beside <see cref="Name"/>.</summary>
    public IReadOnlyList<string> ExcludedPaths { get; init; } = [];

    /// <summary>Whether the run's own container stays after the run. Default false.</summary>
    public bool Keep { get; init; }

    /// <summary>
    /// Settings of a run's own container beside the name of an existing one: they are errors there, so a spec that was written could not be
    /// read again. One that is not at its default is written all the same, for validation to see.
    /// </summary>
    bool IOmitsProperties.Omits(string name) => Name is not null && name switch
    {
        "throughput" => Throughput == Defaults.Throughput,
        "autoscale" => Autoscale == Defaults.Autoscale,
        "indexing" => Indexing == Defaults.Indexing,
        "excludedPaths" => ExcludedPaths is not { Count: > 0 },
        "keep" => Keep == Defaults.Keep,
        _ => false,
    };

    /// <summary>The path of the partition key for some documents.</summary>
    public string PartitionKeyPathFor(DocumentSpec document) => PartitionKeyPath ?? DocumentShape.From(document).DefaultPartitionKeyPath;

    /// <summary>The container's name for a run.</summary>
    public string NameFor(string runId) => Name ?? $"run-{runId}";
}

/// <summary>Indexing mode of a container that a run creates.</summary>
public enum IndexingMode
{
    /// <summary>Every write updates the index and is charged for each indexed leaf value.</summary>
    Consistent,

    /// <summary>The index follows later. Most accounts no longer accept it.</summary>
    Lazy,

    /// <summary>No index; reads by id and partition key only.</summary>
    None,
}
