namespace ScaleOut.Charges;

/// <summary>
/// What an operation costs in request units, as a model fitted to published points: a 1 KB write 5 RU without indexing, a 100 KB one 50 RU,
/// a small document with four indexed leaves 5.71 RU, a 1 KB read 1 RU, a query that finds one small document (0.2 RU) over nine partitions 29 RU, over one 3.4 RU.
/// All charges are rounded to two decimals, as the service reports them.
/// </summary>
public static class RequestCharge
{
    private const double WriteOfOneKilobyte = 4.95;
    private const double WriteOfOneLeaf = 0.19;
    private const double ReadOfOneKilobyte = 1;
    private const double QueryOfOnePartition = 3.2;

    /// <summary>Charge of a create, upsert, replace or delete.</summary>
    /// <param name="bytes">The document's JSON in UTF-8; up to 1 KB costs the same.</param>
    /// <param name="indexedLeaves">Scalar values of the document that go into the index, <c>id</c> and system properties not counted; 0 with indexing off or lazy.</param>
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
