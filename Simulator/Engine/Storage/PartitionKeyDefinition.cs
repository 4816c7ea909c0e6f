namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>A container's partition key: one path, or up to three of a hierarchical key (kind <c>MultiHash</c>, version 2).</summary>
internal sealed record PartitionKeyDefinition(PartitionKeyVersion Version, IReadOnlyList<JsonPath> Paths, bool IsHierarchical)
{
    private const int MaxPaths = 3;

    /// <summary>Whether the definition names its version. Without, it is version 1.</summary>
    public bool NamesVersion { get; private init; }

    public string PathText => string.Join(", ", Paths.Select(path => path.Text));

    /// <exception cref="RequestException">400: malformed.</exception>
    public static PartitionKeyDefinition Read(JsonElement root)
    {
        if (!root.TryGetProperty("partitionKey", out var key)
            || !key.TryGetProperty("paths", out var paths) || paths.GetArrayLength() == 0)
            throw RequestException.BadRequest("A container needs a partition key definition with a path.");
        var kind = key.TryGetProperty("kind", out var givenKind) ? givenKind.GetString() ?? "" : "Hash";
        var isHierarchical = kind == "MultiHash";
        if (!isHierarchical && kind != "Hash")
            throw RequestException.BadRequest($"Partition keys of kind '{kind}' are not simulated, only Hash and MultiHash.");
        if (paths.GetArrayLength() > (isHierarchical ? MaxPaths : 1))
        {
            throw RequestException.BadRequest(isHierarchical
                ? $"A partition key of kind MultiHash has at most {MaxPaths} paths."
                : "A partition key of kind Hash has one path; more need the kind MultiHash.");
        }

        var version = ReadVersion(key);
        if (isHierarchical && version != PartitionKeyVersion.V2)
            throw RequestException.BadRequest("A partition key of kind MultiHash needs version 2.");
        JsonPath[] all = [.. paths.EnumerateArray().Select(path => ReadPath(path.GetString() ?? ""))];
        return new PartitionKeyDefinition(version, all, isHierarchical)
        {
            NamesVersion = key.TryGetProperty("version", out var given) && given.ValueKind == JsonValueKind.Number,
        };
    }

    public bool IsSameAs(PartitionKeyDefinition other) =>
        Version == other.Version && IsHierarchical == other.IsHierarchical
        && Paths.Select(path => path.Text).SequenceEqual(other.Paths.Select(path => path.Text));

    private static PartitionKeyVersion ReadVersion(JsonElement key)
    {
        var version = key.TryGetProperty("version", out var given) && given.ValueKind != JsonValueKind.Null
            ? given.TryGetInt32(out var number) ? number : 0
            : 1;
        return version is 1 or 2
            ? (PartitionKeyVersion)version
            : throw RequestException.BadRequest("The partition key definition's version must be 1 or 2.");
    }

    private static JsonPath ReadPath(string path) => JsonPath.Parse(path) ?? throw RequestException.BadRequest(
        $"The partition key component definition path '{path}' could not be accepted, failed near position '0'. "
        + "Partition key paths must contain only valid characters and not contain a trailing slash or wildcard character.");
}

/// <summary>
/// The values of a hierarchical partition key, or the first of them. Each is hashed on its own; the effective partition key is the hashes
/// in a row. Ranges are cut by the first hash.
/// </summary>
internal readonly struct HierarchicalKey
{
    private readonly UInt128[] _hashes;

    private HierarchicalKey(UInt128[] hashes) => _hashes = hashes;

    public int Count => _hashes.Length;

    public EffectivePartitionKey Position => new(_hashes[0]);

    public PartitionKeyIdentity Identity
    {
        get
        {
            Span<byte> bytes = stackalloc byte[_hashes.Length * 16];
            for (var i = 0; i < _hashes.Length; i++)
                BinaryPrimitives.WriteUInt128BigEndian(bytes[(i * 16)..], _hashes[i]);
            return new PartitionKeyIdentity(Position, (ulong)MurmurHash3.Hash128(bytes));
        }
    }

    /// <summary>The effective partition key, 32 hexadecimal digits a value, which sorts like the service's.</summary>
    public string Text => string.Concat(_hashes.Select(hash => hash.ToString("X32", CultureInfo.InvariantCulture)));

    /// <summary>Reads a document's key. False if there is an object or an array at one of the paths.</summary>
    public static bool TryReadBody(PartitionKeyDefinition definition, ReadOnlySpan<byte> body, out HierarchicalKey key)
    {
        var hashes = new UInt128[definition.Paths.Count];
        key = new HierarchicalKey(hashes);
        for (var i = 0; i < hashes.Length; i++)
        {
            if (!definition.Paths[i].TryFind(body, out var reader))
                hashes[i] = HashOf(PartitionKeyValue.Undefined);
            else if (!TryHash(ref reader, out hashes[i]))
                return false;
        }

        return true;
    }

    /// <summary>Reads a JSON array of some or all values, in which <c>{}</c> stands for a missing value.</summary>
    public static bool TryReadJson(PartitionKeyDefinition definition, ReadOnlySpan<byte> json, out HierarchicalKey key)
    {
        var hashes = new List<UInt128>();
        key = default;
        try
        {
            var reader = new Utf8JsonReader(json);
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartArray)
                return false;
            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            {
                UInt128 hash;
                if (reader.TokenType == JsonTokenType.StartObject)
                {
                    if (!reader.Read() || reader.TokenType != JsonTokenType.EndObject)
                        return false;
                    hash = HashOf(PartitionKeyValue.Undefined);
                }
                else if (!TryHash(ref reader, out hash))
                {
                    return false;
                }

                hashes.Add(hash);
            }

            key = new HierarchicalKey([.. hashes]);
            return hashes.Count >= 1 && hashes.Count <= definition.Paths.Count && !reader.Read();
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // The caller rejects the request.
            return false;
        }
    }

    /// <summary>Hashes the value at the reader's position. False for an object or an array.</summary>
    public static bool TryHash(ref Utf8JsonReader reader, out UInt128 hash)
    {
        var scratch = ArrayPool<byte>.Shared.Rent(reader.ValueIsEscaped ? reader.ValueSpan.Length : 0);
        var isScalar = PartitionKeyValue.TryRead(ref reader, scratch, out var value);
        hash = isScalar ? HashOf(value) : default;
        ArrayPool<byte>.Shared.Return(scratch);
        return isScalar;
    }

    private static UInt128 HashOf(PartitionKeyValue value) => EffectivePartitionKey.From(PartitionKeyVersion.V2, value).Position;
}

/// <summary>Documents with hierarchical keys between two effective partition keys, in hexadecimal; the end is exclusive.</summary>
internal sealed record HierarchicalRange(string Start, string End)
{
    /// <summary>All keys that begin with the values of a shorter one.</summary>
    public static HierarchicalRange From(HierarchicalKey prefix) => new(prefix.Text, prefix.Text + "FF");

    public bool Holds(PartitionKeyDefinition definition, ReadOnlySpan<byte> body) =>
        HierarchicalKey.TryReadBody(definition, body, out var key)
        && string.CompareOrdinal(key.Text, Start) >= 0 && string.CompareOrdinal(key.Text, End) < 0;
}
