namespace ScaleOut.Workers.Documents;

/// <summary>
/// Where documents come from. A document, its id and its key are functions of (run, document number), so that a leg that is run again makes
/// the same ones. Safe to call from several threads.
/// </summary>
public interface IDocumentSource
{
    /// <summary>Bytes that a document has at most.</summary>
    int MaxBytes { get; }

    /// <summary>Whether documents keep their own keys in a batch, so that a batch of numbers may be several batches of documents.</summary>
    bool MixesKeysInBatch => false;

    /// <summary>What a reader of the run's report must know of the documents.</summary>
    IReadOnlyList<string> Warnings => [];

    /// <summary>The document's id.</summary>
    string IdOf(long number);

    /// <summary>Partition key value of a document that is written alone.</summary>
    string KeyOf(long number);

    /// <summary>Partition key value that all documents of a batch share, unless they keep their own.</summary>
    string KeyOfBatch(long batch);

    /// <summary>Writes a document as UTF-8 JSON and returns its length.</summary>
    /// <param name="number">Document number.</param>
    /// <param name="key">Its partition key value.</param>
    /// <param name="buffer">At least <see cref="MaxBytes"/> long.</param>
    int Write(long number, string key, Span<byte> buffer);
}

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

/// <summary>A run's documents cannot be made, because of an error in its spec or its CSV file.</summary>
public sealed class DocumentException : Exception
{
    public DocumentException()
        : this([])
    {
    }

    public DocumentException(string message)
        : this([message])
    {
    }

    public DocumentException(string message, Exception innerException)
        : this([message], innerException)
    {
    }

    /// <param name="errors">Each with the field's path.</param>
    /// <param name="innerException">What led to it.</param>
    public DocumentException(IReadOnlyList<string> errors, Exception? innerException = null)
        : base(string.Join("; ", errors), innerException) => Errors = errors;

    /// <summary>Everything that is wrong, each with the field's path.</summary>
    public IReadOnlyList<string> Errors { get; }
}
