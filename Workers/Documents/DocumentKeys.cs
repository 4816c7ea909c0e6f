namespace ScaleOut.Workers.Documents;

/// <summary>Keys of documents however they were written.</summary>
public static class DocumentKeys
{
    /// <summary>Partition key value of a document that was written in batches of so many, or alone.</summary>
    /// <param name="source">The documents.</param>
    /// <param name="number">Document number.</param>
    /// <param name="batchSize">Null for documents that were written alone.</param>
    public static string KeyOf(this IDocumentSource source, long number, int? batchSize)
    {
        ArgumentNullException.ThrowIfNull(source);
        return batchSize is { } size && !source.MixesKeysInBatch ? source.KeyOfBatch(number / size) : source.KeyOf(number);
    }
}
