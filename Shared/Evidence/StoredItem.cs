namespace ScaleOut.Evidence;

/// <summary>
/// Writes and reads items of the run store that must not be misread. Each is a JSON object that begins with <c>formatVersion</c>,
/// <c>item</c> (the run's id and the item's name, so that a copy under another name is noticed) and <c>checksum</c>, the SHA-256 of all
/// bytes except its own digits. The fields of the value follow.
/// </summary>
public static class StoredItem
{
    /// <summary>Version of the stored format. Increase it when a stored field changes its meaning.</summary>
    public const int FormatVersion = 4;

    private const string VersionField = "formatVersion";
    private const string ItemField = "item";
    private const string ChecksumField = "checksum";
    private const string Algorithm = "sha256:";
    private const string UnnamedItem = "The file";
    private const string ChangedReason = "its content does not have the checksum that was written with it, so it was changed";
    private const int Digits = 2 * SHA256.HashSizeInBytes;

    private static readonly string[] Fields = [VersionField, ItemField, ChecksumField];

    /// <param name="item">The run's id and the item's name.</param>
    /// <param name="value">A value that serializes to a JSON object with at least one field.</param>
    /// <param name="options">Null for JSON on one line.</param>
    public static byte[] Write<T>(string item, T value, JsonSerializerOptions? options = null)
    {
        options ??= ScaleOutJson.Compact;
        var json = JsonSerializer.SerializeToUtf8Bytes(value, options);
        if (FieldsOf(json) is not { Count: > 0 } fields)
            throw new ArgumentException("Only a JSON object with fields can be stored.", nameof(value));
        using var hashing = SHA256.Create();
        long length;
        using (var hashed = new CryptoStream(Stream.Null, hashing, CryptoStreamMode.Write))
            length = Write(hashed, item, digits: "", json, fields, options);
        // A report may have hundreds of megabytes, so there is no further copy of it.
        var content = new byte[length + Digits];
        Write(new MemoryStream(content), item, Convert.ToHexStringLower(hashing.Hash!), json, fields, options);
        return content;
    }

    /// <param name="item">The run's id and the item's name; null if the content may be a copy.</param>
    /// <param name="options">The options that the value was written with; null for JSON on one line.</param>
    /// <exception cref="EvidenceException">The item is damaged, was written in another format, or does not hold a value of the type.
    /// </exception>
    public static T Read<T>(string? item, ReadOnlySpan<byte> content, JsonSerializerOptions? options = null)
        where T : class
    {
        var json = Open(item, content);
        try
        {
            return JsonSerializer.Deserialize<T>(json, options ?? ScaleOutJson.Compact) ?? throw new JsonException("null");
        }
        catch (Exception e) when (
            e is JsonException or ArgumentException or InvalidOperationException or NotSupportedException or OverflowException)
        {
            throw EvidenceException.Contradicts(
                item ?? UnnamedItem,
                $"its checksum is right, but it is no valid {typeof(T).Name} ({OneLine.FirstOf(e.Message)})",
                "It was not written by this version of the program.");
        }
    }

    /// <summary>Checks an item and returns the JSON of its value, without the three fields of this class.</summary>
    /// <param name="item">The run's id and the item's name; null if the content may be a copy.</param>
    /// <exception cref="EvidenceException">The item is damaged, or was written in another format.</exception>
    public static byte[] Open(string? item, ReadOnlySpan<byte> content)
    {
        var name = item ?? UnnamedItem;
        if (!TryReadHead(content, out var head))
            throw HasNoHead(content)
                ? EvidenceException.OtherFormat(name, format: null)
                : EvidenceException.Damaged(name, ReasonOf(content));
        if (!content.Slice(head.ChecksumStart, Digits).SequenceEqual(Encoding.ASCII.GetBytes(ChecksumOf(content, head.ChecksumStart))))
            throw EvidenceException.Damaged(name, IsJson(content) ? ChangedReason : ReasonOf(content));
        if (head.Version != FormatVersion)
            throw EvidenceException.OtherFormat(name, head.Version);
        if (item is not null && head.Item != item)
            throw EvidenceException.Damaged(name, $"it is a copy of {head.Item}");
        return [(byte)'{', .. content[head.ValueStart..]];
    }

    /// <summary>
    /// Removes the three fields of this class from an object that has all of them, such as a claimed spec that is used as a spec file.
    /// </summary>
    public static void RemoveHead(JsonObject value)
    {
        if (!Fields.All(value.ContainsKey))
            return;
        foreach (var field in Fields)
            value.Remove(field);
    }

    /// <summary>The names of an object's fields, and where their values are.</summary>
    private static List<(string Name, Range Value)> FieldsOf(ReadOnlySpan<byte> json)
    {
        var fields = new List<(string, Range)>();
        var reader = new Utf8JsonReader(json);
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            return fields;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = reader.GetString()!;
            reader.Read();
            var start = (int)reader.TokenStartIndex;
            reader.Skip();
            fields.Add((name, start..(int)reader.BytesConsumed));
        }

        return fields;
    }

    /// <returns>Number of bytes that were written.</returns>
    private static long Write(
        Stream stream, string item, string digits, ReadOnlySpan<byte> json, List<(string Name, Range Value)> fields,
        JsonSerializerOptions options)
    {
        using var writer = new Utf8JsonWriter(stream, new() { Indented = options.WriteIndented, Encoder = options.Encoder });
        writer.WriteStartObject();
        writer.WriteNumber(VersionField, FormatVersion);
        writer.WriteString(ItemField, item);
        writer.WriteString(ChecksumField, Algorithm + digits);
        foreach (var (name, value) in fields)
        {
            writer.WritePropertyName(name);
            // With the white space and the escapes of the serializer, which a converter may have chosen.
            writer.WriteRawValue(json[value], skipInputValidation: true);
            writer.Flush();
        }

        writer.WriteEndObject();
        writer.Flush();
        return writer.BytesCommitted;
    }

    private static string ChecksumOf(ReadOnlySpan<byte> content, int start)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(content[..start]);
        hash.AppendData(content[(start + Digits)..]);
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    private static bool TryReadHead(ReadOnlySpan<byte> content, out Head head)
    {
        head = default;
        var reader = new Utf8JsonReader(content);
        try
        {
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject
                || !IsField(ref reader, VersionField) || !reader.TryGetInt32(out var version)
                || !IsField(ref reader, ItemField) || reader.GetString() is not { } item
                || !IsField(ref reader, ChecksumField) || reader.ValueSpan.Length != Algorithm.Length + Digits
                || !reader.ValueSpan.StartsWith(Encoding.ASCII.GetBytes(Algorithm)))
                return false;
            var start = (int)reader.TokenStartIndex + 1 + Algorithm.Length;
            var end = start + Digits + 1;
            if (end >= content.Length || content[end] != ',')
                return false;
            head = new Head(version, item, start, end + 1);
            return true;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or FormatException)
        {
            // The caller finds out what is there instead, and reports it.
            return false;
        }
    }

    private static bool IsField(ref Utf8JsonReader reader, string name) =>
        reader.Read() && reader.TokenType == JsonTokenType.PropertyName && reader.ValueTextEquals(name) && reader.Read();

    /// <summary>True for a JSON object with none of the three fields: it was written before formats had versions.</summary>
    private static bool HasNoHead(ReadOnlySpan<byte> content)
    {
        try
        {
            using var document = JsonDocument.Parse(content.ToArray());
            return document.RootElement.ValueKind == JsonValueKind.Object
                && !document.RootElement.EnumerateObject().Any(field => Fields.Contains(field.Name));
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // It is not an item at all, which the caller reports.
            return false;
        }
    }

    private static bool IsJson(ReadOnlySpan<byte> content)
    {
        var reader = new Utf8JsonReader(content);
        try
        {
            reader.Read();
            reader.Skip();
            return !reader.Read();
        }
        catch (JsonException)
        {
            // Then it is no JSON.
            return false;
        }
    }

    private static string ReasonOf(ReadOnlySpan<byte> content) =>
        content.IsEmpty ? "it is empty"
        : !content.ContainsAnyExcept((byte)0) ? "it holds nothing but zeros"
        : IsJson(content) ? "its first fields are not those of an item"
        : FormattableString.Invariant($"it is no valid JSON, as when a file was cut short (it has {content.Length} bytes)");

    private readonly record struct Head(int Version, string Item, int ChecksumStart, int ValueStart);
}
