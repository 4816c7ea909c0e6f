namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// Estimates the peak memory of an account's process. Documents are stored as records in large arrays, so their number and size determine
/// most of the peak. The other terms were measured with <c>bench memory</c>. The measured peaks were within a factor of 1.5 of the
/// estimate.
/// </summary>
internal static class PeakMemoryEstimate
{
    /// <summary>The runtime, the code, the connections and requests of a few workers, and the ledger of two hours.</summary>
    private const long WithoutDocuments = 112L << 20;

    /// <summary>Unfilled bytes of a partition's last array: on average half of it.</summary>
    private const long UnfilledOfPartition = DocumentArena.MaxChunk / 2;

    /// <summary>
    /// A document's share of the index while that grows: eight slots for three documents, and the old array of half that size.
    /// </summary>
    private const double IndexBytes = (8.0 + 4.0) / 3.0 * sizeof(long);

    /// <summary>Garbage as a share of the memory in use. It is highest for large documents in bulk, whose requests are large too.</summary>
    private const double NotYetCollected = 0.4;

    /// <summary>Bytes of a document in the store.</summary>
    /// <param name="bodyBytes">Its JSON in UTF-8 as it was sent, without system properties.</param>
    public static double BytesOf(double bodyBytes) =>
        DocumentArena.RecordSize + (Math.Ceiling(bodyBytes / sizeof(long)) * sizeof(long)) + IndexBytes;

    /// <summary>Bytes of an account's process at its peak.</summary>
    /// <param name="moving">Partitions whose documents are in memory twice at once: 1 for a split, 2 for a merge.</param>
    public static long From(long documents, double bodyBytes, int partitions, int moving)
    {
        var stored = documents * BytesOf(bodyBytes) * (1 + ((double)moving / partitions));
        return WithoutDocuments + (UnfilledOfPartition * partitions) + (long)(stored * (1 + NotYetCollected));
    }

    /// <summary>Largest number of documents that an account can hold in a given number of bytes.</summary>
    /// <inheritdoc cref="From"/>
    public static long MaxDocumentsIn(long bytes, double bodyBytes, int partitions, int moving)
    {
        var each = BytesOf(bodyBytes) * (1 + NotYetCollected) * (1 + ((double)moving / partitions));
        return Math.Max(0, (long)((bytes - WithoutDocuments - (UnfilledOfPartition * partitions)) / each));
    }
}
