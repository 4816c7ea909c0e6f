namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>The properties of a body that <see cref="DocumentInspector"/> extracts.</summary>
internal struct DocumentFacts
{
    /// <summary>The JSON object, without a byte order mark and white space around it.</summary>
    public ReadOnlyMemory<byte> Body;

    public ulong IdHash;

    public PartitionKeyIdentity PartitionKey;

    public int Entries;

    /// <summary>
    /// Whether the client sent what is not kept: white space, system properties such as <c>_etag</c>, numbers in another form than the
    /// service's, or halves of surrogate pairs.
    /// </summary>
    public bool IsToBeRewritten;

    public readonly DocumentKey Key => new(PartitionKey.Hash, IdHash);
}

/// <summary>Reads a document's body once: its id, its partition key, and how many entries the index has for it.</summary>
internal sealed class DocumentInspector(PartitionKeyDefinition partitionKey, IndexingPolicy indexing)
{
    private const int MaxDepth = IndexEntries.MaxDepth;
    private const int MaxIdBytes = 1023;
    private const int MaxPartitionKeyBytes = 2048;
    public const string NoId = "The input content is invalid because the required properties - 'id; ' - are missing. "
        + "Learn more: https://aka.ms/CosmosDB/sql/errors/missing-id";

    private const string NoObject = "One of the specified inputs is invalid";
    private const string KeyIsNoScalar = "Partition key provided in the document is an object or an array; it must be a scalar.";

    /// <summary>The names of the key's only path; a hierarchical key is read separately.</summary>
    private readonly byte[][] _path = partitionKey.IsHierarchical ? [] : partitionKey.Paths[0].Names;
    private readonly PartitionKeyIdentity _noKey = PartitionKeyIdentity.From(partitionKey.Version, PartitionKeyValue.Undefined);

    private IndexPaths? Charged => indexing.Charged;

    private PartitionKeyVersion Version => partitionKey.Version;

    /// <summary>Fills <paramref name="facts"/>, or returns an error for a 400.</summary>
    public bool TryInspect(ReadOnlyMemory<byte> body, ref DocumentFacts facts, out string? error) =>
        TryInspectOnce(body, ref facts, out error)
        || (EscapeControls(body.Span) is { } escaped && TryInspectOnce(escaped, ref facts, out error));

    private bool TryInspectOnce(ReadOnlyMemory<byte> body, ref DocumentFacts facts, out string? error)
    {
        try
        {
            facts = new DocumentFacts { Body = TrimByteOrderMark(body), PartitionKey = _noKey };
            // JSON must be UTF-8, but the reader only checks what it decodes.
            if (!Utf8.IsValid(facts.Body.Span))
                throw new JsonException();
            var inspection = new Inspection(this, ref facts);
            error = inspection.Run();
            if (error is null)
                facts.Entries += indexing.CountComputed(facts.Body.Span);
            if (error is null && partitionKey.IsHierarchical)
                error = InspectHierarchy(ref facts);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // InvalidOperationException: text that is not UTF-8.
            error = "The request payload is invalid. Ensure to provide a valid request payload.";
        }

        return error is null;
    }

    /// <summary>Whether a comma stands before a token: before a name or an element, unless it is the first.</summary>
    /// <param name="before">The token before it.</param>
    public static bool HasComma(JsonTokenType before, JsonTokenType token) =>
        before is not (JsonTokenType.StartObject or JsonTokenType.StartArray or JsonTokenType.PropertyName)
        && token is not (JsonTokenType.EndObject or JsonTokenType.EndArray);

    private string? InspectHierarchy(ref DocumentFacts facts)
    {
        if (!HierarchicalKey.TryReadBody(partitionKey, facts.Body.Span, out var key))
            return KeyIsNoScalar;
        facts.PartitionKey = key.Identity;
        return null;
    }

    /// <summary>Escapes control characters in strings, which the service accepts unescaped; null if there are none.</summary>
    private static ReadOnlyMemory<byte>? EscapeControls(ReadOnlySpan<byte> text)
    {
        var output = new ArrayBufferWriter<byte>(text.Length + 64);
        var isInString = false;
        var isEscaped = false;
        foreach (ref readonly var one in text)
        {
            if (isInString && one < (byte)' ')
                output.Write(Encoding.ASCII.GetBytes($"\\u{one:x4}"));
            else
                output.Write(new ReadOnlySpan<byte>(in one));
            isInString ^= one == (byte)'"' && !isEscaped;
            isEscaped = one == (byte)'\\' && !isEscaped;
        }

        return output.WrittenCount > text.Length ? output.WrittenMemory : (ReadOnlyMemory<byte>?)null;
    }

    private static ReadOnlyMemory<byte> TrimByteOrderMark(ReadOnlyMemory<byte> body)
    {
        if (body.Span.StartsWith((ReadOnlySpan<byte>)[0xEF, 0xBB, 0xBF]))
            body = body[3..];
        var start = body.Span.IndexOf((byte)'{');
        return start > 0 && body.Span[..start].Trim(" \t\r\n"u8).IsEmpty ? body[start..] : body;
    }

    /// <summary>One reading. Each method returns an error, or null.</summary>
    private ref struct Inspection(DocumentInspector inspector, ref DocumentFacts facts)
    {
        private readonly byte[][] _path = inspector._path;
        private readonly IndexEntryReader? _entries =
            inspector.Charged is { } paths ? IndexEntryReader.Begin(paths, keepsAll: false) : null;
        private readonly ref DocumentFacts _facts = ref facts;
        private Utf8JsonReader _reader = new(facts.Body.Span, new JsonReaderOptions { MaxDepth = MaxDepth });
        private int _pathDepth;

        /// <summary>Length of the tokens so far without white space.</summary>
        private int _minified = 1;
        private JsonTokenType _before = JsonTokenType.StartObject;
        private bool _hasId;
        private bool _isKeyNext;

        public string? Run()
        {
            if (!_reader.Read())
                throw new JsonException();
            if (_reader.TokenType != JsonTokenType.StartObject)
            {
                while (_reader.Read())
                    continue;
                return NoObject;
            }

            var isOpen = true;
            while (isOpen && _reader.Read())
            {
                Measure();
                var error = _reader.TokenType == JsonTokenType.PropertyName ? ReadName() : ReadValue();
                if (error is not null)
                    return error;
                isOpen = _reader.TokenType != JsonTokenType.EndObject || _reader.CurrentDepth > 0;
            }

            _facts.Body = _facts.Body[..(int)_reader.BytesConsumed];
            _facts.IsToBeRewritten |= _minified != _facts.Body.Length;
            _facts.Entries = _entries?.Count().Total ?? 0;
            // The reader throws if anything but white space follows.
            _reader.Read();
            return _hasId ? null : NoId;
        }

        private string? ReadName()
        {
            var depth = _reader.CurrentDepth;
            if (depth == 1 && _reader.ValueTextEquals("id"u8))
            {
                _hasId = true;
                return ReadId() ?? (_path is [var only] && "id"u8.SequenceEqual(only) ? ReadKey() : null);
            }

            if (depth == 1 && IndexEntries.IsSystemProperty(ref _reader))
            {
                _facts.IsToBeRewritten = true;
                _reader.Skip();
                return null;
            }

            // The next segment of the path only counts in the object of the segments before it.
            _pathDepth = Math.Min(_pathDepth, depth - 1);
            var isOnPath = depth == _pathDepth + 1 && depth <= _path.Length && _reader.ValueTextEquals(_path[depth - 1]);
            _isKeyNext = isOnPath && depth == _path.Length;
            if (isOnPath && !_isKeyNext)
                _pathDepth = depth;
            _entries?.EnterProperty(ref _reader);
            return null;
        }

        private string? ReadValue()
        {
            CheckForm();
            var error = _isKeyNext ? ReadKey() : null;
            _isKeyNext = false;
            // The end of the document itself is none of a value.
            if (_reader.CurrentDepth > 0)
                _entries?.Step(ref _reader);
            return error;
        }

        /// <summary>Sees to it that a number or text that the service does not keep as it is sent is rewritten.</summary>
        private void CheckForm()
        {
            if (_reader.TokenType == JsonTokenType.Number)
            {
                if (!JsonNumber.TryCheckStored(_reader.ValueSpan, out var isKept))
                    throw new JsonException();
                _facts.IsToBeRewritten |= !isKept;
            }
            else if (_reader.TokenType == JsonTokenType.String && _reader.ValueIsEscaped)
            {
                _facts.IsToBeRewritten |= SurrogateText.HasHalf(_reader.ValueSpan);
            }
        }

        /// <summary>Adds a token to the length of the document without white space.</summary>
        private void Measure()
        {
            var type = _reader.TokenType;
            _minified += HasComma(_before, type) ? 1 : 0;
            _minified += _reader.ValueSpan.Length
                + (type switch { JsonTokenType.PropertyName => 3, JsonTokenType.String => 2, _ => 0 });
            _before = type;
        }

        private string? ReadId()
        {
            const string invalid = "The input content is invalid because the id is not a string of 1 to 1023 bytes.";
            _reader.Read();
            Measure();
            if (_reader.TokenType != JsonTokenType.String || _reader.ValueSpan.Length is 0 or > MaxIdBytes * 6)
                return invalid;
            scoped ReadOnlySpan<byte> id = _reader.ValueSpan;
            Span<byte> unescaped = stackalloc byte[_reader.ValueIsEscaped ? id.Length : 0];
            if (_reader.ValueIsEscaped)
                id = unescaped[.._reader.CopyString(unescaped)];
            if (id.Length > MaxIdBytes)
                return invalid;
            _facts.IdHash = DocumentKey.HashId(id);
            return null;
        }

        private string? ReadKey()
        {
            var rented = ArrayPool<byte>.Shared.Rent(_reader.ValueIsEscaped ? _reader.ValueSpan.Length : 0);
            try
            {
                if (!PartitionKeyValue.TryRead(ref _reader, rented, out var value))
                    return KeyIsNoScalar;
                if (value.Text.Length > MaxPartitionKeyBytes)
                    return "Partition key value exceeds the 2048 bytes it may have.";
                _facts.PartitionKey = PartitionKeyIdentity.From(inspector.Version, value);
                return null;
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(rented);
            }
        }
    }
}
