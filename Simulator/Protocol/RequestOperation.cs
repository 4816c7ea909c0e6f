namespace ScaleOut.Simulator.Protocol;

/// <summary>What a request is about; numbers are those of the Direct protocol, where it has the resource.</summary>
internal enum ResourceType : ushort
{
    Connection = 0x0,
    Database = 0x1,
    Container = 0x2,
    Document = 0x3,
    Offer = 0xF,
    Account = 0x14,
    PartitionKeyRange = 0x16,

    /// <summary>All documents of a partition key, only over HTTP.</summary>
    PartitionKey = 0xFFFE,

    /// <summary>The addresses of replicas, only over HTTP.</summary>
    Address = 0xFFFF,
}

/// <summary>What is to be done with it; numbers are those of the Direct protocol.</summary>
internal enum OperationType : ushort
{
    /// <summary>None that is known; over Direct the handshake.</summary>
    None = 0x0,
    Create = 0x1,
    Patch = 0x2,
    Read = 0x3,
    ReadFeed = 0x4,
    Delete = 0x5,
    Replace = 0x6,

    /// <summary>A query in SQL; the same as <see cref="Query"/>.</summary>
    SqlQuery = 0x9,
    Query = 0xF,

    /// <summary>The barrier of a quorum read: only the partition's position is asked for. Of a document: a read without its body.</summary>
    Head = 0x11,

    /// <summary>The same barrier on the partition that holds databases.</summary>
    HeadFeed = 0x12,
    Upsert = 0x13,
    Batch = 0x25,

    /// <summary>How to rewrite a query and where to send it, only over HTTP.</summary>
    QueryPlan = 0xFFFF,
}
