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
    /// <param name="value">
    /// A value of a type whose contract has properties, which serializes to a JSON object with at least one field. It must not change
    /// during the call.
    /// </param>
    /// <param name="options">Null for JSON on one line.</param>
    /// <exception cref="ArgumentException">The JSON of the value is no object with fields.</exception>
    public static byte[] Write<T>(string item, T value, JsonSerializerOptions? options = null)
    {
        var type = Stored<T>.TypeOf(options ?? ScaleOutJson.Compact);
        // The value is written twice, because the checksum comes first. Its JSON may have many megabytes, so there is no copy of it.
        using var hashing = new HashingStream();
        JsonSerializer.Serialize(hashing, new Stored<T>(item, Digits: "", value), type);
        var content = new byte[hashing.Length + Digits];
        using var stream = new MemoryStream(content);
        JsonSerializer.Serialize(stream, new Stored<T>(item, hashing.TakeDigits(), value), type);
        if (stream.Position != content.Length)
            throw new InvalidOperationException($"{item} changed while it was written.");
        if (!TryReadHead(content, out _))
            throw new ArgumentException("Only a JSON object with fields can be stored.", nameof(value));
        return content;
    }

    /// <param name="item">The run's id and the item's name; null if the content may be a copy.</param>
    /// <param name="options">The options that the value was written with; null for JSON on one line.</param>
    /// <exception cref="EvidenceException">The item is damaged, was written in another format, or does not hold a value of the type.
    /// </exception>
    public static T Read<T>(string? item, ReadOnlyMemory<byte> content, JsonSerializerOptions? options = null)
        where T : class
    {
        var start = ValueStart(item, content.Span);
        try
        {
            // The result of a leg may have many megabytes, so there is no copy of it.
            var json = new Utf8JsonReader(Joined.From("{"u8.ToArray(), content[start..]));
            var value = JsonSerializer.Deserialize<T>(ref json, options ?? ScaleOutJson.Compact) ?? throw new JsonException("null");
            // Throws if more than white space follows the value.
            json.Read();
            return value;
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
    public static byte[] Open(string? item, ReadOnlySpan<byte> content) => [(byte)'{', .. content[ValueStart(item, content)..]];

    /// <exception cref="EvidenceException">The item is damaged, or was written in another format.</exception>
    public static void Check(string? item, ReadOnlySpan<byte> content) => ValueStart(item, content);

    /// <summary>Checks an item, and returns where the fields of its value begin.</summary>
    private static int ValueStart(string? item, ReadOnlySpan<byte> content)
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
        return head.ValueStart;
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
            return reader.Read() && reader.TrySkip() && !reader.Read();
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

    /// <summary>A value that is written as one JSON object: the three fields, then the fields of the value.</summary>
    private sealed record Stored<T>(string Item, string Digits, T Value)
    {
        private static readonly ConcurrentDictionary<JsonSerializerOptions, JsonTypeInfo<Stored<T>>> Types = new();

        public static JsonTypeInfo<Stored<T>> TypeOf(JsonSerializerOptions key) => Types.GetOrAdd(key, static options =>
        {
            var type = JsonTypeInfo.CreateJsonTypeInfo<Stored<T>>(options);
            Add(VersionField, typeof(int), _ => FormatVersion);
            Add(ItemField, typeof(string), stored => stored.Item);
            Add(ChecksumField, typeof(string), stored => Algorithm + stored.Digits);
            foreach (var field in options.GetTypeInfo(typeof(T)).Properties.Where(field => field.Get is not null))
            {
                var added = Add(field.Name, field.PropertyType, stored => field.Get!(stored.Value!));
                added.CustomConverter = field.CustomConverter;
                added.NumberHandling = field.NumberHandling;
                if (field.ShouldSerialize is { } isWritten)
                    added.ShouldSerialize = (stored, current) => isWritten(((Stored<T>)stored).Value!, current);
            }

            return type;

            JsonPropertyInfo Add(string name, Type of, Func<Stored<T>, object?> get)
            {
                var added = type.CreateJsonPropertyInfo(of, name);
                added.Get = stored => get((Stored<T>)stored);
                type.Properties.Add(added);
                return added;
            }
        });
    }

    /// <summary>Hashes and counts what is written to it, and keeps none of it.</summary>
    private sealed class HashingStream : MemoryStream
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private long _length;

        public override long Length => _length;

        /// <summary>The hash in hexadecimal digits.</summary>
        public string TakeDigits() => Convert.ToHexStringLower(_hash.GetHashAndReset());

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            _hash.AppendData(buffer);
            _length += buffer.Length;
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        protected override void Dispose(bool disposing)
        {
            _hash.Dispose();
            base.Dispose(disposing);
        }
    }

    /// <summary>A part of a sequence of two parts.</summary>
    private sealed class Joined : ReadOnlySequenceSegment<byte>
    {
        public static ReadOnlySequence<byte> From(ReadOnlyMemory<byte> first, ReadOnlyMemory<byte> second)
        {
            var end = new Joined { Memory = second, RunningIndex = first.Length };
            return new ReadOnlySequence<byte>(new Joined { Memory = first, Next = end }, 0, end, second.Length);
        }
    }
}
