namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// The memory that an account's process takes at its peak. Documents are kept as records in large arrays with an index beside them, so
/// that what they take follows from
/// their number and size; what the process takes besides was measured: <c>bench memory</c> repeats it. The measured peaks were within a
/// factor of 1.5 of this.
/// </summary>
public static class AccountMemory
{
    /// <summary>The runtime, the code, the connections and requests of a few workers, and the ledger of two hours.</summary>
    private const long WithoutDocuments = 112L << 20;

    /// <summary>The half of an array that, on average, is not filled yet.</summary>
    private const long UnfilledOfPartition = DocumentArena.LargestChunk / 2;

    /// <summary>
    /// The index at its largest for a document: eight slots of 8 bytes for three documents just after it has grown, and the half as large
    /// one that it grew from.
    /// </summary>
    private const double IndexBytes = (8.0 + 4.0) / 3.0 * sizeof(long);

    /// <summary>
    /// What is not in use any more when the garbage collector comes by, as a share of what is: more with large documents in bulk, whose
    /// requests are large too.
    /// </summary>
    private const double NotYetCollected = 0.4;

    /// <summary>Bytes of a document in the store.</summary>
    /// <param name="bodyBytes">Its JSON in UTF-8, as it was sent: the system properties are made when it is read.</param>
    public static double BytesOf(double bodyBytes) =>
        DocumentArena.RecordSize + (Math.Ceiling(bodyBytes / sizeof(long)) * sizeof(long)) + IndexBytes;

    /// <summary>Bytes of an account's process at its peak.</summary>
    /// <param name="documents">Documents that it holds at once, 0 and more.</param>
    /// <param name="bodyBytes">See <see cref="BytesOf"/>; the mean of all.</param>
    /// <param name="moving">Partitions whose documents are there twice at once: of a split 1, of a merge 2.</param>
    public static long From(long documents, double bodyBytes, int partitions, int moving)
    {
        var stored = documents * BytesOf(bodyBytes) * (1 + ((double)moving / partitions));
        return WithoutDocuments + (UnfilledOfPartition * partitions) + (long)(stored * (1 + NotYetCollected));
    }

    /// <summary>Documents that an account can hold in so many bytes.</summary>
    /// <inheritdoc cref="From"/>
    public static long MostDocumentsIn(long bytes, double bodyBytes, int partitions, int moving)
    {
        var each = BytesOf(bodyBytes) * (1 + NotYetCollected) * (1 + ((double)moving / partitions));
        return Math.Max(0, (long)((bytes - WithoutDocuments - (UnfilledOfPartition * partitions)) / each));
    }
}
