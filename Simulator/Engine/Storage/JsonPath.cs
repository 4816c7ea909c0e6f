namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>Finds the value at a path of property names in a document's body, and reads nothing else of it.</summary>
internal sealed class JsonPath(string path, IReadOnlyList<string> segments)
{
    private const int MaxDepth = 128;

    public byte[][] Names { get; } = [.. segments.Select(Encoding.UTF8.GetBytes)];

    /// <summary>As in the definition, such as <c>/a/b</c>.</summary>
    public string Text => path;

    /// <summary>The property names without quotes.</summary>
    public IReadOnlyList<string> Segments => segments;

    /// <summary>A path of a container's definition; null if it is malformed or has a wildcard.</summary>
    public static JsonPath? Parse(string path) =>
        PropertyPath.Parse(path) is { } segments && !segments.Exists(segment => segment is "[]" or "*" or "?")
        ? new JsonPath(path, segments)
        : null;

    /// <summary>Finds the value. False, with the reader anywhere, if there is none.</summary>
    public bool TryFind(ReadOnlySpan<byte> body, out Utf8JsonReader reader)
    {
        reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = MaxDepth });
        reader.Read();
        var level = 0;
        while (reader.TokenType == JsonTokenType.StartObject && TryEnter(ref reader, Names[level]))
        {
            if (++level == Names.Length)
                return true;
        }

        return false;
    }

    /// <summary>Moves from an object's start to a property's value.</summary>
    private static bool TryEnter(ref Utf8JsonReader reader, ReadOnlySpan<byte> name)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var found = reader.ValueTextEquals(name);
            reader.Read();
            if (found)
                return true;
            reader.Skip();
        }

        return false;
    }
}
