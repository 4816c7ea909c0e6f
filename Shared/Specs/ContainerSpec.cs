namespace ScaleOut.Specs;

/// <summary>The container that a run writes to: its own (<c>run-{id}</c>), or an existing one, whose settings it does not change.</summary>
public sealed record ContainerSpec : IOmitsProperties
{
    /// <summary>Minimum RU/s of a container.</summary>
    public const int MinThroughput = 400;

    /// <summary>Maximum RU/s of a container.</summary>
    public const int MaxThroughput = 10_000_000;

    public const string DefaultDatabase = "scaleout";

    /// <summary>The <see cref="TimeToLive"/> of containers in which only documents with a time of their own expire.</summary>
    public const int ExpiresByOwnTime = -1;

    private static readonly ContainerSpec Defaults = new();

    [SpecField("The container's database, made when it does not exist.", Form = FormName.ResourceName)]
    public string Database { get; init; } = DefaultDatabase;

    [SpecField("An existing container, used as it is. Without it the run makes run-{id} and deletes it at the end.",
        Form = FormName.ResourceName)]
    public string? Name { get; init; }

    [SpecField("RU/s of the run's own container, the maximum with autoscale (then 1000 and more in steps of 1000).",
        Min = MinThroughput, Max = MaxThroughput, Step = 100)]
    public int Throughput { get; init; } = 60_000;

    [SpecField("Changes of the throughput while the run goes on, such as a raise for a load that was created with fewer RU/s.",
        MaxItems = ThroughputStep.MaxSteps)]
    public IReadOnlyList<ThroughputStep> ThroughputSteps { get; init; } = [];

    [SpecField("Whether the throughput scales by itself.")]
    public bool Autoscale { get; init; }

    /// <summary>
    /// The service creates such a database with at least 400 RU/s. A run deletes no database, so on a real account it makes none either,
    /// whose RU/s would be billed after it.
    /// </summary>
    [SpecField("Whether the throughput is that of the database, and the run's own container shares it with the others. The simulated "
        + "account makes the database with it; on another account it must be there, with RU/s of its own.")]
    public bool SharedThroughput { get; init; }

    [SpecField("The property that is the partition key; the document kind's own when left out.", Form = FormName.PropertyPath)]
    public string? PartitionKeyPath { get; init; }

    /// <summary>The 20 GB of <see cref="CosmosLimits.MaxGigabytesPerKey"/> then hold for all values together.</summary>
    [SpecField("The two or three properties of a hierarchical partition key, the top level first, instead of partitionKeyPath.",
        Form = FormName.PropertyPath, MinItems = 2, MaxItems = 3, Unique = true)]
    public IReadOnlyList<string>? PartitionKeyPaths { get; init; }

    [SpecField("Indexing mode of the run's own container.")]
    public IndexingMode Indexing { get; init; } = IndexingMode.Consistent;

    [SpecField("Index paths to leave out, such as /SomeText/? or /*.", Form = FormName.IndexPath, MaxItems = 1_000, Unique = true)]
    public IReadOnlyList<string> ExcludedPaths { get; init; } = [];

    [SpecField("Index paths within excludedPaths that are indexed nevertheless. Beside \"/*\" in excludedPaths nothing else is indexed.",
        Form = FormName.IndexPath, MaxItems = 1_000, Unique = true)]
    public IReadOnlyList<string> IncludedPaths { get; init; } = [];

    [SpecField("Composite indexes, each as an ORDER BY of 2 to 8 paths, such as \"/status, /lastSeen DESC\".",
        Form = FormName.CompositeIndex, MaxItems = 100, Unique = true)]
    public IReadOnlyList<string> CompositeIndexes { get; init; } = [];

    /// <summary>The container's <c>defaultTtl</c>. Null turns expiry off, also for documents with a <c>ttl</c> of their own.</summary>
    [SpecField("Seconds after which documents of the run's own container expire; -1 if only those with a ttl of their own do; none expires "
        + "when left out.", Min = ExpiresByOwnTime, Max = int.MaxValue)]
    public int? TimeToLive { get; init; }

    [SpecField("Whether the run's own container stays after the run.")]
    public bool Keep { get; init; }

    /// <summary>The most RU/s that the container has in the run.</summary>
    [JsonIgnore]
    public int HighestThroughput => (ThroughputSteps ?? []).Select(step => step.Throughput).Append(Throughput).Max();

    /// <summary>The included paths of the indexing policy: those of the spec, and everything unless the spec excludes it.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> PolicyIncludedPaths => ExcludedPaths.Contains("/*") ? IncludedPaths : [.. IncludedPaths, "/*"];

    /// <summary>
    /// Whether each physical partition is created for up to 10,000 RU/s instead of 6,000: with autoscale, and in a database that shares its
    /// throughput.
    /// </summary>
    [JsonIgnore]
    public bool IsDense => Autoscale || SharedThroughput;

    /// <summary>
    /// Settings that only the run's own container can have, by their names in camelCase, each with whether it has its default. Together
    /// with the name of an existing container they are errors.
    /// </summary>
    internal IEnumerable<(string Field, bool IsDefault)> OwnSettings =>
        from one in SpecField.From(typeof(ContainerSpec))
        where one.Name is not ("database" or "name" or "partitionKeyPath" or "partitionKeyPaths")
        let value = one.ValueIn(this)
        select (one.Name, value is null or System.Collections.ICollection { Count: 0 } || value.Equals(one.ValueIn(Defaults)));

    /// <summary>
    /// Leaves out <see cref="OwnSettings"/> if there is a name, so that a written spec can be read again. A setting that differs from its
    /// default is written nevertheless, so that validation finds it. The same holds for the throughput of a database that is shared.
    /// </summary>
    bool IOmitsProperties.Omits(string name) =>
        (Name is not null || (SharedThroughput && name == "throughput")) && OwnSettings.Contains((name, true));

    /// <summary>One path, or the two or three of a hierarchical key.</summary>
    public IReadOnlyList<string> KeyPathsFor(DocumentSpec document) =>
        PartitionKeyPaths ?? [PartitionKeyPath ?? DocumentShape.From(document).DefaultPartitionKeyPath];

    /// <summary>The paths of the key for people, such as <c>/tenantId, /userId</c>.</summary>
    public string KeyTextFor(DocumentSpec document) => string.Join(", ", KeyPathsFor(document));

    public string NameFor(string runId) => Name ?? $"run-{runId}";
}

/// <summary>A change of the throughput of the run's own container.</summary>
public sealed record ThroughputStep
{
    /// <summary>Maximum number of steps of a run.</summary>
    public const int MaxSteps = 20;

    private const int SecondsPerDay = 86_400;

    [SpecField("When, since the common start of the workers.", Required = true, Min = 0, Max = SecondsPerDay)]
    public double AfterSeconds { get; init; }

    [SpecField("RU/s from then on, the maximum with autoscale.",
        Required = true, Min = ContainerSpec.MinThroughput, Max = ContainerSpec.MaxThroughput, Step = 100)]
    public int Throughput { get; init; }
}

public enum IndexingMode
{
    /// <summary>Every write updates the index and is charged for each indexed leaf value.</summary>
    Consistent,

    /// <summary>The index follows later. Most accounts no longer accept it.</summary>
    Lazy,

    /// <summary>No index; reads by id and partition key only.</summary>
    None,
}
