namespace ScaleOut.PartitionKeys;

/// <summary>Version of a container's hash partitioning. A definition without a version, which the Cosmos SDK sends by default, means version 1.</summary>
public enum PartitionKeyVersion
{
    /// <summary>Murmur3-32 over the first 100 characters of a string.</summary>
    V1 = 1,

    /// <summary>Murmur3-128 over the whole value, which may have up to 2 KB.</summary>
    V2 = 2,
}
