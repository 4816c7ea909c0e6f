namespace ScaleOut.Specs;

/// <summary>Sizes that Cosmos DB permits ("Azure Cosmos DB service quotas", "Partitioning and horizontal scaling").</summary>
public static class CosmosLimits
{
    /// <summary>Maximum size of a document's JSON, in MB.</summary>
    public const int MaxMegabytesPerDocument = 2;

    /// <summary>Maximum size of the request of a batch, in MB.</summary>
    public const int MaxMegabytesPerBatch = 2;

    /// <summary>Maximum size of all documents with one partition key, in GB.</summary>
    public const int MaxGigabytesPerKey = 20;

    /// <summary>Maximum size of a physical partition, in GB.</summary>
    public const int MaxGigabytesPerPartition = 50;
}
