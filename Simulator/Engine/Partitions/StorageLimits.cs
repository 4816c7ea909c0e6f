namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>
/// Limits of a document, a batch, a partition key and a physical partition ("Azure Cosmos DB service quotas", "Partitioning and horizontal
/// scaling"). They count the documents' bytes as sent; the service also counts its index, by no documented formula.
/// </summary>
/// <param name="Factor">Bytes that each stored byte counts as, see <see cref="SimulationSpec.StorageFactor"/>.</param>
internal sealed record StorageLimits(int Factor)
{
    private const double BytesPerGigabyte = 1e9;
    private const int BytesPerMegabyte = 1024 * 1024;

    /// <summary>2 MB; the limit of a patch, too.</summary>
    public const int MaxBytesOfDocument = CosmosLimits.MaxMegabytesPerDocument * BytesPerMegabyte;

    /// <summary>2 MB of documents, and what the format adds to them.</summary>
    public const int MaxBytesOfBatch = (CosmosLimits.MaxMegabytesPerBatch * BytesPerMegabyte) + (64 * 1024);

    /// <summary>The service's own message.</summary>
    public const string IsTooLarge = "Request size is too large";

    public static readonly string PartitionSize = $"{CosmosLimits.MaxGigabytesPerPartition} GB";

    /// <summary>The service's own message.</summary>
    public static readonly string PartitionKeyIsFull = $"Partition key reached maximum size of {CosmosLimits.MaxGigabytesPerKey} GB";

    /// <summary>Stored bytes at which a physical partition splits.</summary>
    public long MaxBytesOfPartition { get; } = (long)(CosmosLimits.MaxGigabytesPerPartition * BytesPerGigabyte / Factor);

    public long MaxBytesOfKey { get; } = (long)(CosmosLimits.MaxGigabytesPerKey * BytesPerGigabyte / Factor);

    /// <summary>The limits of a physical partition as responses state them, in MB and KB.</summary>
    public static string Quota { get; } = UsageText(documents: -1, (long)CosmosLimits.MaxGigabytesPerPartition * BytesPerMegabyte);

    /// <summary>The stored documents and bytes as responses state them.</summary>
    public string Usage(long documents, long bytes) => UsageText(documents, bytes * Factor / 1024);

    private static string UsageText(long documents, long kilobytes) => string.Create(
        CultureInfo.InvariantCulture,
        $"documentSize={kilobytes / 1024};documentsSize={kilobytes};documentsCount={documents};collectionSize={kilobytes};");

    public double Gigabytes(long bytes) => bytes * Factor / BytesPerGigabyte;
}
