namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>
/// What an operation costs. The figures meet the published points: writing 1 KB without indexing about 5 RU, 100 KB about 50; a small document with
/// four indexed leaves 5.71; reading 1 KB 1 RU; a query over nine partitions that finds one small document 29, over one partition 3.4.
/// </summary>
public static class RequestCharges
{
    private const double WritePerSqrtKilobyte = 4.95;
    private const double WritePerIndexedLeaf = 0.19;
    private const double ReadPerSqrtKilobyte = 1;
    private const double QueryPerPartition = 3.2;
    private const double QueryPerKilobyteRead = 0.2;

    /// <summary>A create, upsert, replace or delete. A delete costs what writing the document did.</summary>
    /// <param name="bodyBytes">The stored body, without system properties.</param>
    /// <param name="indexedLeaves">Scalar values the index takes up; 0 when the container has no consistent index.</param>
    public static RequestUnits Write(int bodyBytes, int indexedLeaves) =>
        RequestUnits.From((WritePerSqrtKilobyte * SqrtKilobytes(bodyBytes)) + (WritePerIndexedLeaf * indexedLeaves));

    /// <summary>A read by id and partition key.</summary>
    public static RequestUnits Read(int bodyBytes) => RequestUnits.From(ReadPerSqrtKilobyte * SqrtKilobytes(bodyBytes));

    /// <summary>An operation that looked the id up and stopped there (404, 409, 412, 304): the look-up is all it did, so it costs a smallest read.</summary>
    public static RequestUnits LookUp => RequestUnits.From(ReadPerSqrtKilobyte);

    /// <summary>One page of a query or a read feed from one physical partition.</summary>
    /// <param name="bytesRead">Bodies of the page's documents; a page that finds anything reads 1 KB at least.</param>
    public static RequestUnits QueryPage(long bytesRead) =>
        RequestUnits.From(QueryPerPartition + (bytesRead == 0 ? 0 : QueryPerKilobyteRead * Math.Max(1, bytesRead / 1024.0)));

    /// <summary>Reading or listing databases, containers, ranges and offers. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataRead => RequestUnits.From(2);

    /// <summary>Creating, changing or deleting a database, container or offer. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataWrite => RequestUnits.From(4.95);

    private static double SqrtKilobytes(int bytes) => bytes <= 1024 ? 1 : Math.Sqrt(bytes / 1024.0);
}
