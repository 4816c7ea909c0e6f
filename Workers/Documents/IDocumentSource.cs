namespace ScaleOut.Workers.Documents;

/// <summary>
/// Where documents come from. A document, its id and its key are functions of (run, document number), so that a leg that is run again makes the same ones.
/// Safe to call from several threads.
/// </summary>
public interface IDocumentSource
{
    /// <summary>Bytes that a document has at most.</summary>
    int MaxBytes { get; }

    /// <summary>Partition key value of a document that is written alone.</summary>
    string KeyOf(long number);

    /// <summary>Partition key value that all documents of a batch share.</summary>
    string KeyOfBatch(long batch);

    /// <summary>Writes a document as UTF-8 JSON and returns its length.</summary>
    /// <param name="number">Document number.</param>
    /// <param name="key">Its partition key value.</param>
    /// <param name="buffer">At least <see cref="MaxBytes"/> long.</param>
    int Write(long number, string key, Span<byte> buffer);
}
