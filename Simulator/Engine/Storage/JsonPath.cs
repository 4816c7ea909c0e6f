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

    /// <summary>
    /// Appends the value so that equal values have equal bytes: a mark of the type and the value. A missing value is null.
    /// </summary>
    public void AppendValue(ReadOnlySpan<byte> body, IBufferWriter<byte> output)
    {
        if (!TryFind(body, out var reader))
        {
            output.Write("n"u8);
            return;
        }

        switch (reader.TokenType)
        {
            case JsonTokenType.Null:
                output.Write("n"u8);
                break;
            case JsonTokenType.True:
                output.Write("t"u8);
                break;
            case JsonTokenType.False:
                output.Write("f"u8);
                break;
            case JsonTokenType.Number when reader.TryGetDouble(out var number):
                Span<byte> bytes = stackalloc byte[sizeof(double)];
                BitConverter.TryWriteBytes(bytes, number == 0 ? 0 : number);
                output.Write("d"u8);
                output.Write(bytes);
                break;
            case JsonTokenType.String:
                output.Write("s"u8);
                AppendText(output, ref reader);
                break;
            default:
                output.Write("j"u8);
                AppendJson(output, ref reader);
                break;
        }
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

    /// <summary>Text with its length in front, so that it does not run into what follows.</summary>
    private static void AppendText(IBufferWriter<byte> output, ref Utf8JsonReader reader)
    {
        var text = output.GetSpan(sizeof(int) + reader.ValueSpan.Length);
        var length = reader.CopyString(text[sizeof(int)..]);
        BitConverter.TryWriteBytes(text, length);
        output.Advance(sizeof(int) + length);
    }

    /// <summary>An object or array without white space.</summary>
    private static void AppendJson(IBufferWriter<byte> output, ref Utf8JsonReader reader)
    {
        using var value = JsonDocument.ParseValue(ref reader);
        using var writer = new Utf8JsonWriter(output);
        value.RootElement.WriteTo(writer);
    }
}
