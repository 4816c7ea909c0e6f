namespace ScaleOut.Workers.Documents;

/// <summary>Documents of several kinds in one container. The kind is a function of the document number, as the document is.</summary>
/// <param name="kinds">The kinds with their weights.</param>
/// <param name="sources">The documents of each kind.</param>
internal sealed class MixedDocuments(IReadOnlyList<DocumentPart> kinds, IReadOnlyList<IDocumentSource> sources) : IDocumentSource
{
    public int MaxBytes { get; } = sources.Max(source => source.MaxBytes);

    public string IdOf(long number) => SourceOf(number).IdOf(number);

    public string KeyOf(long number) => SourceOf(number).KeyOf(number);

    /// <summary>All kinds that can be in a batch have the same key for it, which is made of the run and the batch.</summary>
    public string KeyOfBatch(long batch) => sources[0].KeyOfBatch(batch);

    public IReadOnlyList<string> KeyValuesOf(long number, string key) => SourceOf(number).KeyValuesOf(number, key);

    public string? TextOf(string property, long number, string key) => SourceOf(number).TextOf(property, number, key);

    public int Write(long number, string key, Span<byte> buffer) => SourceOf(number).Write(number, key, buffer);

    private IDocumentSource SourceOf(long number) => sources[DocumentMix.IndexOf(kinds, number)];
}
