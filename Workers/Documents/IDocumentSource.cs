namespace ScaleOut.Workers.Documents;

/// <summary>
/// Where documents come from. A document, its id and its key are functions of (run, document number), so that a leg that is run again makes the same ones.
/// Safe to call from several threads.
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
