namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>
/// What a document, a batch, a partition key and a physical partition can hold ("Azure Cosmos DB service quotas", "Partitioning and
/// horizontal scaling"). Counted are the documents' bytes as they were sent; the service counts its index too, by no documented formula.
/// </summary>
/// <param name="Factor">Bytes that each stored byte counts as, 1 and more: see <see cref="SimulationSpec.StorageFactor"/>.</param>
internal sealed record StorageLimits(int Factor)
{
    private const double BytesPerGigabyte = 1e9;
    private const int BytesPerMegabyte = 1024 * 1024;
    private const int MegabytesPerBatch = 2;

    /// <summary>Of the documents of one partition key; writes beyond get a 403.</summary>
    private const int GigabytesPerPartitionKey = 20;

    /// <summary>Most bytes of a document's JSON, and of a patch: 2 MB.</summary>
    public const int MostBytesOfDocument = DocumentSpec.MaxMegabytes * BytesPerMegabyte;

    /// <summary>Most bytes of a batch's request: 2 MB of documents, and what the format adds to them.</summary>
    public const int MostBytesOfBatch = (MegabytesPerBatch * BytesPerMegabyte) + (64 * 1024);

    /// <summary>What a 413 for a document says.</summary>
    public static readonly string DocumentIsTooLarge = $"Request size is too large: a document may have {DocumentSpec.MaxMegabytes} MB.";

    /// <summary>What a 413 for a patch says.</summary>
    public static readonly string PatchIsTooLarge = $"Request size is too large: a patch may have {DocumentSpec.MaxMegabytes} MB.";

    /// <summary>What a 413 for a batch says.</summary>
    public static readonly string BatchIsTooLarge = $"Request size is too large: a batch may have {MegabytesPerBatch} MB.";

    /// <summary>What a message calls the size of a partition.</summary>
    public static readonly string PartitionSize = $"{SimulationSpec.MaxGigabytesPerPartition} GB";

    /// <summary>What a 403 for a full partition key says, in the service's words.</summary>
    public static readonly string PartitionKeyIsFull =
        $"Partition key reached maximum size of {GigabytesPerPartitionKey} GB";

    /// <summary>Stored bytes from which a physical partition splits.</summary>
    public long MostBytesOfPartition { get; } = (long)(SimulationSpec.MaxGigabytesPerPartition * BytesPerGigabyte / Factor);

    /// <summary>Stored bytes that the documents of a partition key may have.</summary>
    public long MostBytesOfKey { get; } = (long)(GigabytesPerPartitionKey * BytesPerGigabyte / Factor);

    /// <summary>What a physical partition may hold, as responses say it: MB and KB.</summary>
    public static string Quota { get; } = UsageText(documents: -1, (long)SimulationSpec.MaxGigabytesPerPartition * BytesPerMegabyte);

    /// <summary>What is held, as responses say it.</summary>
    public string Usage(long documents, long bytes) => UsageText(documents, bytes * Factor / 1024);

    private static string UsageText(long documents, long kilobytes) => string.Create(
        CultureInfo.InvariantCulture,
        $"documentSize={kilobytes / 1024};documentsSize={kilobytes};documentsCount={documents};collectionSize={kilobytes};");

    /// <summary>What stored bytes count as.</summary>
    public double Gigabytes(long bytes) => bytes * Factor / BytesPerGigabyte;
}
