namespace ScaleOut.Workers.Documents;

/// <summary>
/// Documents of a container with a hierarchical partition key. Key values that the source cannot compute alone are read from the written
/// document, so that they match it.
/// </summary>
/// <param name="documents">The documents, with the first level as their key.</param>
/// <param name="paths">The levels, all of them texts at the top of a document.</param>
internal sealed class HierarchicalDocuments(IDocumentSource documents, IReadOnlyList<string> paths) : IDocumentSource
{
    private readonly string[] _properties = [.. paths.Select(path => path[1..])];

    public int MaxBytes => documents.MaxBytes;

    public bool HasKeyLevels => true;

    public bool MixesKeysInBatch => documents.MixesKeysInBatch;

    public long? RepeatsAfter => documents.RepeatsAfter;

    public IReadOnlyList<string> Warnings => documents.Warnings;

    public string IdOf(long number) => documents.IdOf(number);

    public string KeyOf(long number) => documents.KeyOf(number);

    public string KeyOfBatch(long batch) => documents.KeyOfBatch(batch);

    public int Write(long number, string key, Span<byte> buffer) => documents.Write(number, key, buffer);

    public IReadOnlyList<string> KeyValuesOf(long number, string key)
    {
        var values = new string[_properties.Length];
        for (var level = 0; level < values.Length; level++)
        {
            if (documents.TextOf(_properties[level], number, key) is not { } text)
                return ValuesInDocument(number, key);
            values[level] = text;
        }

        return values;
    }

    private string[] ValuesInDocument(long number, string key)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(MaxBytes);
        try
        {
            return ValuesIn(buffer.AsSpan(0, Write(number, key, buffer)));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private string[] ValuesIn(ReadOnlySpan<byte> document)
    {
        var values = new string[_properties.Length];
        var reader = new Utf8JsonReader(document);
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var level = LevelOf(ref reader);
            reader.Read();
            if (level >= 0)
                values[level] = reader.GetString()!;
            else
                reader.Skip();
        }

        var missing = Array.FindIndex(values, value => value is null);
        return missing < 0
            ? values
            : throw new InvalidOperationException($"A document has no {paths[missing]}, which is a level of its partition key.");
    }

    private int LevelOf(ref Utf8JsonReader reader)
    {
        for (var level = 0; level < _properties.Length; level++)
        {
            if (reader.ValueTextEquals(_properties[level]))
                return level;
        }

        return -1;
    }
}
