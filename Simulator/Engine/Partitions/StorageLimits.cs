using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>
/// What a physical partition and a partition key can hold ("Azure Cosmos DB service quotas", "Partitioning and horizontal scaling").
/// Counted are the documents' bytes as they were sent; the service counts its index too, by no documented formula.
/// </summary>
/// <param name="Factor">Bytes that each of these counts as, 1 and more: see <see cref="SimulationSpec.StorageFactor"/>.</param>
internal sealed record StorageLimits(int Factor)
{
    private const double BytesPerGigabyte = 1e9;

    /// <summary>What a message calls the size of a partition.</summary>
    public static readonly string PartitionSize = $"{SimulationSpec.MostGigabytesPerPartition} GB";

    /// <summary>What a 403 for a full partition key says, in the service's words.</summary>
    public static readonly string PartitionKeyIsFull =
        $"Partition key reached maximum size of {SimulationSpec.MostGigabytesPerPartitionKey} GB";

    /// <summary>Stored bytes from which a physical partition splits.</summary>
    public long MostBytesOfPartition { get; } = (long)(SimulationSpec.MostGigabytesPerPartition * BytesPerGigabyte / Factor);

    /// <summary>Stored bytes that the documents of a partition key may have.</summary>
    public long MostBytesOfKey { get; } = (long)(SimulationSpec.MostGigabytesPerPartitionKey * BytesPerGigabyte / Factor);

    /// <summary>What stored bytes count as.</summary>
    public double Gigabytes(long bytes) => bytes * Factor / BytesPerGigabyte;
}
