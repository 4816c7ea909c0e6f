using ScaleOut.PartitionKeys;

namespace ScaleOut.Charges;

/// <summary>
/// How many entries the index has for a document: <see cref="Fixed"/>, one for each distinct path, one for each distinct value at a path.
/// An object or array counts like a value, by its content. The elements of an array share one path, and null is a value without a path. The
/// document's <c>id</c> and system properties are in the fixed part.
/// </summary>
/// <param name="Fixed">0 if the index is off, otherwise <see cref="Always"/>.</param>
public readonly record struct IndexEntries(int Fixed, int Paths, int Values)
{
    /// <summary>Entries of each document in a consistent index, whatever its paths.</summary>
    public const int Always = 3;

    /// <summary>Entries of a value that changes, or that comes or goes with its property.</summary>
    public const int OfValue = 2;

    /// <summary>Deepest nesting of a document.</summary>
    public const int MaxDepth = 128;

    public int Total => Fixed + Paths + Values;

    /// <param name="paths">Paths of the index; null if it is off or lazy.</param>
    /// <param name="json">A JSON object.</param>
    /// <exception cref="JsonException">It is no JSON object.</exception>
    public static IndexEntries Count(IndexPaths? paths, ReadOnlySpan<byte> json) =>
        paths is null ? default : IndexEntryReader.Begin(paths, keepsAll: false).ReadDocument(json).Count();

    /// <summary>Entries that go or come when one document replaces another, without those of the changed <c>_ts</c>.</summary>
    /// <inheritdoc cref="Count"/>
    public static int Changed(IndexPaths? paths, ReadOnlySpan<byte> before, ReadOnlySpan<byte> after)
    {
        if (paths is null || before.SequenceEqual(after))
            return 0;
        var old = IndexEntryReader.Begin(paths, keepsAll: true).ReadDocument(before).Distinct().ToArray();
        var now = IndexEntryReader.Begin(paths, keepsAll: true).ReadDocument(after).Distinct();
        var same = 0;
        for (int i = 0, j = 0; i < old.Length && j < now.Length;)
        {
            var order = old[i].CompareTo(now[j]);
            same += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }

        return old.Length + now.Length - (2 * same);
    }

    /// <summary>Whether a property at the top of a document is the id or a system property, which have no entries of their own.</summary>
    public static bool IsOutside(ref Utf8JsonReader reader) => reader.ValueTextEquals("id"u8) || IsSystemProperty(ref reader);

    public static bool IsSystemProperty(ref Utf8JsonReader reader) => reader.ValueSpan is [(byte)'_' or (byte)'\\', ..]
        && (reader.ValueTextEquals("_rid"u8) || reader.ValueTextEquals("_self"u8) || reader.ValueTextEquals("_etag"u8)
            || reader.ValueTextEquals("_ts"u8) || reader.ValueTextEquals("_attachments"u8));
}

/// <summary>
/// Counts index entries while somebody reads a document token by token. Only what stands in arrays may occur twice, so only that is hashed,
/// unless all entries are kept for a comparison. Each thread has one, which it uses again for each document.
/// </summary>
public sealed class IndexEntryReader
{
    private const ulong Odd = 0x9E3779B97F4A7C15;

    /// <summary>Stands for the elements of an array in the hash of a path.</summary>
    private const ulong Element = 0xA5;

    /// <summary>Marks the hash of an entry for a value; that of a path has 0 in this bit.</summary>
    private const ulong ValueBit = 1;

    [ThreadStatic]
    private static IndexEntryReader? _ofThread;

    private readonly Container[] _open = new Container[IndexEntries.MaxDepth + 2];
    private ulong[] _found = new ulong[64];
    private byte[] _text = new byte[1_024];
    private bool _keepsAll;
    private int _depth;
    private int _openArrays;
    private int _count;
    private int _paths;
    private int _values;
    private ulong _arrays;
    private Place _next;

    private bool Hashes => _keepsAll || _openArrays > 0;

    /// <summary>Begins a document, whose start has been read.</summary>
    /// <param name="keepsAll">Whether <see cref="Distinct"/> is to have all entries, and not only those in arrays.</param>
    public static IndexEntryReader Begin(IndexPaths paths, bool keepsAll)
    {
        var reader = _ofThread ??= new IndexEntryReader();
        (reader._keepsAll, reader._depth, reader._openArrays, reader._count, reader._paths, reader._values) = (keepsAll, 0, 0, 0, 0, 0);
        reader._arrays = 0;
        // Without a node, children are not looked up.
        reader._open[0] = new Container
        {
            At = new Place { Node = paths.HoldsEverything ? null : paths.Root, IsIncluded = paths.Root.Below ?? false },
        };
        return reader;
    }

    /// <summary>Takes a property's name. Not for the properties that <see cref="IndexEntries.IsOutside"/> names.</summary>
    public void EnterProperty(ref Utf8JsonReader reader)
    {
        ref readonly var parent = ref _open[_depth].At;
        var child = parent.Node?.Child(TextOf(ref reader));
        _next = new Place { Node = child, IsIncluded = child?.Below ?? parent.IsIncluded };
        if (!Hashes)
            return;
        _next.Name = Hash(ref reader);
        _next.Path = Mix(parent.Path, _next.Name);
    }

    /// <summary>Takes any other token.</summary>
    public void Step(ref Utf8JsonReader reader)
    {
        if (reader.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray)
        {
            Close();
            return;
        }

        ref readonly var parent = ref _open[_depth];
        var place = parent.IsArray ? PlaceOfElement(in parent.At) : _next;
        if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
            Open(place, isArray: reader.TokenType == JsonTokenType.StartArray);
        else
            AddScalar(in place, ref reader);
    }

    public IndexEntryReader ReadDocument(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = IndexEntries.MaxDepth });
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException("A document is a JSON object.");
        while (reader.Read() && !(reader.TokenType == JsonTokenType.EndObject && reader.CurrentDepth == 0))
        {
            if (reader.TokenType != JsonTokenType.PropertyName)
                Step(ref reader);
            else if (reader.CurrentDepth == 1 && IndexEntries.IsOutside(ref reader))
                reader.Skip();
            else
                EnterProperty(ref reader);
        }

        return this;
    }

    public IndexEntries Count()
    {
        if (_count == 0)
            return new IndexEntries(IndexEntries.Always, _paths, _values);
        var found = Distinct();
        var values = 0;
        foreach (var entry in found)
            values += (int)(entry & ValueBit);
        return new IndexEntries(IndexEntries.Always, _paths + found.Length - values, _values + values);
    }

    /// <summary>Hashes of the entries, in ascending order, each once. Valid until the thread begins another document.</summary>
    public ReadOnlySpan<ulong> Distinct()
    {
        var found = _found.AsSpan(0, _count);
        found.Sort();
        var distinct = 0;
        foreach (var entry in found)
        {
            if (distinct == 0 || entry != found[distinct - 1])
                found[distinct++] = entry;
        }

        _count = distinct;
        return found[..distinct];
    }

    private void Open(Place place, bool isArray)
    {
        if (!Hashes && place.IsIncluded)
            (_paths, _values) = (_paths + 1, _values + 1);
        // Paths within an array outside of others need only differ from those within the next one.
        if (!Hashes)
            place.Path = ++_arrays;
        _openArrays += isArray ? 1 : 0;
        _open[++_depth] = new Container { At = place, IsArray = isArray, Content = isArray ? Element : 0 };
    }

    private void Close()
    {
        var closed = _open[_depth--];
        _openArrays -= closed.IsArray ? 1 : 0;
        if (Hashes)
            AddEntries(in closed.At, closed.At.IsIncluded, Mix(closed.Content, Element), hasPath: true);
    }

    private void AddScalar(in Place place, ref Utf8JsonReader reader)
    {
        var isIndexed = place.Node?.Scalar ?? place.IsIncluded;
        var isNull = reader.TokenType == JsonTokenType.Null;
        if (Hashes)
            AddEntries(in place, isIndexed, Mix(isNull ? 0 : Hash(ref reader), (ulong)reader.TokenType), hasPath: !isNull);
        else if (isIndexed)
            (_paths, _values) = (_paths + (isNull ? 0 : 1), _values + 1);
    }

    /// <summary>Adds a value to the content of its container, and its entries to those found.</summary>
    private void AddEntries(in Place place, bool isIndexed, ulong value, bool hasPath)
    {
        ref var parent = ref _open[_depth];
        // The order of properties does not matter, that of elements does.
        parent.Content = parent.IsArray ? Mix(parent.Content, value) : parent.Content + Mix(place.Name, value);
        if (!isIndexed)
            return;
        if (_count + 2 > _found.Length)
            Array.Resize(ref _found, _found.Length * 2);
        _found[_count++] = Mix(place.Path, value) | ValueBit;
        if (hasPath)
            _found[_count++] = Mix(place.Path, 0) & ~ValueBit;
    }

    private static Place PlaceOfElement(in Place array)
    {
        var elements = array.Node?.Elements;
        return new Place { Node = elements, IsIncluded = elements?.Below ?? array.IsIncluded, Path = Mix(array.Path, Element) };
    }

    private static ulong Mix(ulong owner, ulong part)
    {
        var mixed = (owner ^ (part + Odd)) * Odd;
        return (mixed ^ (mixed >> 29)) + (owner << 1);
    }

    /// <summary>Hashes a name or scalar: text by its meaning, however it is escaped, and a number by its value.</summary>
    private ulong Hash(ref Utf8JsonReader reader)
    {
        if (reader.TokenType == JsonTokenType.Number && reader.TryGetDouble(out var number))
            return BitConverter.DoubleToUInt64Bits(number == 0 ? 0 : number);
        return (ulong)MurmurHash3.Hash128(TextOf(ref reader));
    }

    /// <summary>A name or text without escapes, or a number or truth value as it stands.</summary>
    private ReadOnlySpan<byte> TextOf(ref Utf8JsonReader reader)
    {
        if (!reader.ValueIsEscaped)
            return reader.ValueSpan;
        if (_text.Length < reader.ValueSpan.Length)
            _text = new byte[reader.ValueSpan.Length];
        try
        {
            return _text.AsSpan(0, reader.CopyString(_text));
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which is valid JSON but not UTF-8.
            return reader.ValueSpan;
        }
    }

    /// <summary>The position of a value in the document, and what the policy says of it.</summary>
    private struct Place
    {
        /// <summary>The policy's node; null if no path of the policy leads here.</summary>
        public IndexPathNode? Node;

        /// <summary>Whether a path that ends in <c>/*</c> includes it.</summary>
        public bool IsIncluded;

        public ulong Path;
        public ulong Name;
    }

    private struct Container
    {
        public Place At;
        public bool IsArray;
        public ulong Content;
    }
}
