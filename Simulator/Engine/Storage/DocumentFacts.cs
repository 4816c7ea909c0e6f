namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>What one reading of a body tells.</summary>
internal struct DocumentFacts
{
    /// <summary>The object without anything around it.</summary>
    public ReadOnlyMemory<byte> Body;

    public ulong IdHash;

    public PartitionKeyIdentity PartitionKey;

    /// <summary>Scalar values the index takes up: neither the id nor system properties.</summary>
    public int Leaves;

    /// <summary>Whether the client sent system properties, such as <c>_etag</c>, which are the store's and not kept.</summary>
    public bool HasSystemProperties;

    public readonly DocumentKey Key => new(PartitionKey.Hash, IdHash);
}
