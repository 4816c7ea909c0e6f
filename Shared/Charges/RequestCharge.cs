namespace ScaleOut.Charges;

/// <summary>
/// What an operation costs in request units, as a model fitted to published points: a 1 KB write 5 RU without indexing, a 100 KB one 50 RU,
/// a small document with four indexed leaves 5.71 RU, a 1 KB read 1 RU, a query that finds one small document (0.2 RU) over nine partitions
/// 29 RU, over one 3.4 RU. All charges are rounded to two decimals, as the service reports them.
/// </summary>
public static class RequestCharge
{
    private const double WriteOfOneKilobyte = 4.95;
    private const double WriteOfOneLeaf = 0.19;
    private const double ReadOfOneKilobyte = 1;
    private const double QueryOfOnePartition = 3.2;

    /// <summary>Charge of a create, upsert, replace or delete.</summary>
    /// <param name="bytes">The document's JSON in UTF-8; up to 1 KB costs the same.</param>
    /// <param name="indexedLeaves">Scalar values of the document that go into the index, <c>id</c> and system properties not counted; 0
    /// with indexing off or lazy.</param>
    public static double Write(long bytes, int indexedLeaves)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        ArgumentOutOfRangeException.ThrowIfNegative(indexedLeaves);
        return Round(WriteOfOneKilobyte * SizeFactor(bytes) + WriteOfOneLeaf * indexedLeaves);
    }

    /// <summary>Charge of a point read.</summary>
    /// <param name="bytes">The document's JSON in UTF-8; up to 1 KB costs the same.</param>
    public static double Read(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        return Round(ReadOfOneKilobyte * SizeFactor(bytes));
    }

    /// <summary>Charge of one query, all its pages together.</summary>
    /// <param name="partitions">Physical partitions that it touches.</param>
    /// <param name="readCharge">RU of what it reads there.</param>
    public static double Query(int partitions, double readCharge)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(partitions);
        ArgumentOutOfRangeException.ThrowIfNegative(readCharge);
        return Round(QueryOfOnePartition * partitions + readCharge);
    }

    private static double SizeFactor(long bytes) => Math.Sqrt(Math.Max(1, bytes / 1024.0));

    private static double Round(double charge) => Math.Round(charge * 100, MidpointRounding.AwayFromZero) / 100;
}

/// <summary>
/// Paths of an indexing policy: <c>/a/?</c> is the scalar at <c>/a</c>, <c>/a/*</c> everything at and below it, <c>/a/[]/?</c> the scalars
/// of an array, <c>/*</c> everything.
/// </summary>
public static class IndexPath
{
    /// <summary>Whether an index path covers a leaf.</summary>
    /// <param name="indexPath">Such as <c>/SomeText/?</c>. One that ends in neither <c>?</c> nor <c>*</c> covers nothing.</param>
    /// <param name="leafPath">Path of a scalar, such as <c>/SomeText</c> or, in an array, <c>/tags/[]</c>.</param>
    public static bool Covers(string indexPath, string leafPath)
    {
        ArgumentNullException.ThrowIfNull(indexPath);
        ArgumentNullException.ThrowIfNull(leafPath);

        // Quotes only protect what is between them: /"a"/? is /a/?.
        indexPath = indexPath.Replace("\"", "", StringComparison.Ordinal);
        if (indexPath.EndsWith("/?", StringComparison.Ordinal))
            return Same(indexPath.AsSpan()[..^2], leafPath);
        if (!indexPath.EndsWith("/*", StringComparison.Ordinal))
            return false;

        var root = indexPath.AsSpan()[..^2];
        return Same(root, leafPath) || (leafPath.AsSpan().StartsWith(root, StringComparison.Ordinal) && leafPath[root.Length] == '/');
    }

    private static bool Same(ReadOnlySpan<char> left, ReadOnlySpan<char> right) => left.SequenceEqual(right);
}
