namespace ScaleOut.PartitionKeys;

/// <summary>One partition key value. Text is not copied, so a value is valid only as long as the buffer that it was read from.</summary>
public readonly ref struct PartitionKeyValue
{
    private PartitionKeyValue(PartitionKeyKind kind, double number, ReadOnlySpan<byte> text)
    {
        Kind = kind;
        Number = number;
        Text = text;
    }

    public PartitionKeyKind Kind { get; }

    /// <summary>Set only for <see cref="PartitionKeyKind.Number"/>. All JSON numbers are IEEE doubles here.</summary>
    public double Number { get; }

    /// <summary>Unescaped UTF-8. Set only for <see cref="PartitionKeyKind.Text"/>.</summary>
    public ReadOnlySpan<byte> Text { get; }

    public static PartitionKeyValue Undefined => default;

    public static PartitionKeyValue Null => new(PartitionKeyKind.Null, 0, default);

    public static PartitionKeyValue From(bool value) => new(value ? PartitionKeyKind.True : PartitionKeyKind.False, 0, default);

    public static PartitionKeyValue From(double value) => new(PartitionKeyKind.Number, value, default);

    public static PartitionKeyValue From(ReadOnlySpan<byte> utf8) => new(PartitionKeyKind.Text, 0, utf8);

    /// <summary>Copies the text as UTF-8; lone surrogates become U+FFFD, as the SDK writes them.</summary>
    public static PartitionKeyValue From(string value) => From(Encoding.UTF8.GetBytes(value));

    /// <summary>
    /// Reads the value at the position of <paramref name="reader"/>. Returns false for an object or an array, which a partition key cannot
    /// be. Escaped text is unescaped into <paramref name="scratch"/>, which must be at least as long as the raw text.
    /// </summary>
    public static bool TryRead(scoped ref Utf8JsonReader reader, Span<byte> scratch, out PartitionKeyValue value)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.Null:
                value = Null;
                return true;
            case JsonTokenType.True:
            case JsonTokenType.False:
                value = From(reader.TokenType == JsonTokenType.True);
                return true;
            case JsonTokenType.Number when reader.TryGetDouble(out var number) && double.IsFinite(number):
                value = From(number);
                return true;
            case JsonTokenType.String when !reader.ValueIsEscaped:
                value = From(reader.ValueSpan);
                return true;
            case JsonTokenType.String:
                var length = reader.CopyString(scratch);
                value = From(scratch[..length]);
                return true;
            default:
                value = default;
                return false;
        }
    }
}

/// <summary>
/// JSON type of a partition key value. The numbers are the type marks that the service writes before a value when it hashes it.
/// </summary>
public enum PartitionKeyKind
{
    /// <summary>The document has no value at the partition key path.</summary>
    Undefined = 0,

    Null = 1,
    False = 2,
    True = 3,
    Number = 5,
    Text = 8,
}

/// <summary>
/// Version of a container's hash partitioning. A definition without a version, which the Cosmos SDK sends by default, means version 1.
/// </summary>
public enum PartitionKeyVersion
{
    /// <summary>Murmur3-32 over the first 100 characters of a string.</summary>
    V1 = 1,

    /// <summary>Murmur3-128 over the whole value, which may have up to 2 KB.</summary>
    V2 = 2,
}
