namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A condition that compares the value at a path with a scalar. It is decided on a body's bytes, without parsing all.</summary>
internal sealed record QueryFilter(IReadOnlyList<string> Path, BinaryOperator Comparison, QueryValue Value)
{
    private readonly byte[][] _names = [.. Path.Select(Encoding.UTF8.GetBytes)];
    private readonly bool _wantsText = Comparison == BinaryOperator.Equal && Value.Kind == PartitionKeyKind.Text;

    /// <summary>Whether a document's body meets it; a document without the property never does.</summary>
    public bool Matches(ReadOnlySpan<byte> body)
    {
        if (_wantsText && LacksText(body))
            return false;
        var reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = 256 });
        reader.Read();
        int level = 0;
        while (reader.TokenType == JsonTokenType.StartObject && JsonPath.TryEnter(ref reader, _names[level]))
        {
            if (++level == _names.Length)
                return Compare(ref reader);
        }

        return false;
    }

    /// <summary>
    /// Whether the text is nowhere in a body in which nothing is escaped, so that no property can be equal to it: looking for bytes takes a
    /// fraction of what reading the properties does, and a query looks at every document of its partition.
    /// </summary>
    private bool LacksText(ReadOnlySpan<byte> body) => body.IndexOf(Value.Text) < 0 && !body.Contains((byte)'\\');

    private bool Compare(ref Utf8JsonReader reader)
    {
        byte[] scratch = ArrayPool<byte>.Shared.Rent(reader.ValueIsEscaped ? reader.ValueSpan.Length : 0);
        try
        {
            // What is no scalar differs from every scalar.
            return PartitionKeyValue.TryRead(ref reader, scratch, out PartitionKeyValue actual)
                ? Value.Holds(Comparison, actual)
                : Comparison == BinaryOperator.NotEqual;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which JSON may have and UTF-8 may not.
            string text = SurrogateText.Unescape(Encoding.UTF8.GetString(reader.ValueSpan));
            return Value.Holds(Comparison, PartitionKeyValue.From(text));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(scratch);
        }
    }
}

/// <summary>
/// Where the SDK lets an ORDER BY begin on a partition: at the values that it returned last. An array or object is given by its hash.
/// </summary>
/// <param name="Values">One for each ORDER BY item.</param>
/// <param name="Document">The number of the document that it returned last of the partition; null where it has not.</param>
/// <param name="IsExcluded">Whether documents with just these values were returned already.</param>
internal sealed record ResumeFilter(IReadOnlyList<ResumeValue> Values, long? Document, bool IsExcluded)
{
    /// <exception cref="FormatException">Malformed.</exception>
    /// <exception cref="KeyNotFoundException">Something is missing.</exception>
    public static ResumeFilter Read(JsonElement filter)
    {
        long? document = null;
        if (filter.TryGetProperty("rid", out JsonElement rid) && rid.ValueKind == JsonValueKind.String)
        {
            byte[] bytes = Convert.FromBase64String(rid.GetString()!.Replace('-', '/'));
            document = bytes.Length == 16
                ? BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(8))
                : throw new FormatException("The resume filter's rid is none of a document.");
        }

        return new ResumeFilter(
            [.. filter.GetProperty("value").EnumerateArray().Select(ResumeValue.Read)],
            document,
            filter.TryGetProperty("exclude", out JsonElement exclude) && exclude.GetBoolean());
    }
}

/// <summary>A value that ORDER BY begins at: a scalar, undefined, or the hash of an array or object.</summary>
internal readonly record struct ResumeValue(Datum Scalar, DatumType Type, UInt128 Hash)
{
    public static ResumeValue Read(JsonElement value)
    {
        if (value.ValueKind == JsonValueKind.Array)
            return new ResumeValue(Datum.Undefined, DatumType.Undefined, 0);
        if (value.ValueKind != JsonValueKind.Object)
            return From(Datum.From(value).Detached());
        bool isArray = value.GetProperty("type").GetString() == "array";
        var hash = new UInt128((ulong)value.GetProperty("high").GetInt64(), (ulong)value.GetProperty("low").GetInt64());
        return new ResumeValue(Datum.Undefined, isArray ? DatumType.Array : DatumType.Object, hash);
    }

    public static ResumeValue From(Datum scalar) => new(scalar, scalar.Type, 0);

    /// <summary>How it is ordered against another value.</summary>
    public int CompareTo(Datum other)
    {
        if (Type is not (DatumType.Array or DatumType.Object))
            return DatumComparison.CompareAll(Scalar, other);
        return Type != other.Type ? Type.CompareTo(other.Type) : DatumHash.Compare(Hash, DatumHash.From(other));
    }
}
