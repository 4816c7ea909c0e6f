namespace ScaleOut.Simulator.Engine.BinaryJson;

/// <summary>
/// Converts Cosmos DB's binary JSON, which the .NET SDK sends if <c>AZURE_COSMOS_BINARY_ENCODING_ENABLED</c> is set, to text. A response
/// may be text whatever the request was.
/// </summary>
/// <remarks>
/// The format is that of the SDK's public source (Microsoft.Azure.Cosmos/src/Json/JsonBinaryEncoding): the mark 0x80, then one value. A
/// value is a type byte and its content. Numbers are little-endian; containers state their length in bytes.
/// </remarks>
internal ref struct BinaryDocument
{
    private const byte Mark = 0x80;
    private const int MaxDepth = 128;

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly Utf8JsonWriter _writer;
    private readonly int _maxBytes;
    private int _at;

    private BinaryDocument(ReadOnlySpan<byte> bytes, Utf8JsonWriter writer, int maxBytes)
    {
        _bytes = bytes;
        _writer = writer;
        _maxBytes = maxBytes;
        _at = 1;
    }

    /// <summary>Whether a body is in the binary form: no JSON text in UTF-8 begins with its mark.</summary>
    public static bool Is(ReadOnlySpan<byte> body) => body is [Mark, ..];

    /// <summary>The value's JSON text.</summary>
    /// <param name="maxBytes">
    /// Stops soon after so many bytes of text, because references to strings can make it much larger than the binary form.
    /// </param>
    /// <exception cref="JsonException">The body is malformed, or has a value that JSON does not have.</exception>
    public static ReadOnlyMemory<byte> ToText(ReadOnlySpan<byte> body, int maxBytes)
    {
        var output = new ArrayBufferWriter<byte>(2 * body.Length);
        var options = new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, MaxDepth = MaxDepth + 1 };
        using (var writer = new Utf8JsonWriter(output, options))
        {
            var document = new BinaryDocument(body, writer, maxBytes);
            try
            {
                document.WriteValue(depth: 0);
            }
            catch (Exception e) when (e is ArgumentException or InvalidOperationException)
            {
                // A number that is not finite.
                throw new JsonException(e.Message, e);
            }

            if (document._at != body.Length && !document.IsFull)
                throw new JsonException("There is more than one value.");
        }

        return output.WrittenMemory;
    }

    private readonly bool IsFull => _writer.BytesCommitted + _writer.BytesPending > _maxBytes;

    private void WriteValue(int depth)
    {
        if (depth > MaxDepth)
            throw new JsonException("The document is nested too deeply.");
        if (IsFull)
            return;
        var type = Peek();
        if (BinaryText.IsText(type))
        {
            _writer.WriteStringValue(ReadText());
            return;
        }

        _at++;
        switch (type)
        {
            case <= BinaryType.LastLiteral:
                _writer.WriteNumberValue(type);
                break;
            case BinaryType.UnsignedInt64:
                _writer.WriteNumberValue(BinaryPrimitives.ReadUInt64LittleEndian(Take(8)));
                break;
            case > BinaryType.UnsignedInt64 and <= BinaryType.Double:
                WriteNumber(type);
                break;
            case BinaryType.Null:
                _writer.WriteNullValue();
                break;
            case BinaryType.False or BinaryType.True:
                _writer.WriteBooleanValue(type == BinaryType.True);
                break;
            case >= BinaryType.EmptyArray and <= BinaryType.LastArray:
                WriteArray(EndOf(type - BinaryType.EmptyArray), depth);
                break;
            case >= BinaryType.EmptyObject and <= BinaryType.LastObject:
                WriteObject(EndOf(type - BinaryType.EmptyObject), depth);
                break;
            case BinaryType.Numbers or BinaryType.ManyNumbers:
                WriteNumbers(ReadByte(), ReadCount(type == BinaryType.ManyNumbers));
                break;
            case BinaryType.NumberArrays or BinaryType.ManyNumberArrays:
                WriteNumberArrays(type == BinaryType.ManyNumberArrays);
                break;
            default:
                throw new JsonException($"JSON has no value of the binary type 0x{type:X2}.");
        }
    }

    /// <summary>The forms of arrays and objects: empty, one item, length in 1, 2 or 4 bytes, length and count in 1, 2 or 4 bytes.</summary>
    /// <returns>Where the array or object ends; -1 for one item of a length that is not stated.</returns>
    private int EndOf(int form)
    {
        if (form < 2)
            return form == 0 ? _at : -1;
        var width = 1 << ((form - 2) % 3);
        var length = ReadUnsigned(width);
        if (form > 4)
            ReadUnsigned(width);
        var end = _at + length;
        return end <= _bytes.Length ? (int)end : throw new JsonException("An array or object extends past the end of the document.");
    }

    private void WriteArray(int end, int depth)
    {
        _writer.WriteStartArray();
        for (var more = end < 0 || _at < end; more && !IsFull; more = end >= 0 && _at < end)
            WriteValue(depth + 1);
        _writer.WriteEndArray();
        CheckEnd(end);
    }

    private void WriteObject(int end, int depth)
    {
        _writer.WriteStartObject();
        for (var more = end < 0 || _at < end; more && !IsFull; more = end >= 0 && _at < end)
        {
            if (!BinaryText.IsText(Peek()))
                throw new JsonException("The name of a property is no text.");
            _writer.WritePropertyName(ReadText());
            if (IsFull)
                _writer.WriteNullValue();
            else
                WriteValue(depth + 1);
        }

        _writer.WriteEndObject();
        CheckEnd(end);
    }

    private readonly void CheckEnd(int end)
    {
        if (end >= 0 && _at != end && !IsFull)
            throw new JsonException("The items of an array or object do not match its stated length.");
    }

    private void WriteNumberArrays(bool many)
    {
        if (ReadByte() != (many ? BinaryType.ManyNumbers : BinaryType.Numbers))
            throw new JsonException("An array of arrays of numbers has other items.");
        var item = ReadByte();
        var length = ReadCount(many);
        var count = ReadCount(many);
        _writer.WriteStartArray();
        for (var i = 0; i < count && !IsFull; i++)
            WriteNumbers(item, length);
        _writer.WriteEndArray();
    }

    private void WriteNumbers(byte item, int count)
    {
        _writer.WriteStartArray();
        for (var i = 0; i < count && !IsFull; i++)
            WriteNumber(item);
        _writer.WriteEndArray();
    }

    private void WriteNumber(byte type)
    {
        switch (type)
        {
            case BinaryType.UnsignedInt8 or BinaryType.ItemUnsignedInt8:
                _writer.WriteNumberValue(ReadByte());
                break;
            case (>= BinaryType.Int16 and <= BinaryType.Int64) or (>= BinaryType.ItemInt8 and <= BinaryType.ItemInt64):
                // The last two bits are the logarithm of the bytes.
                var width = 1 << (type & 3);
                var unused = 64 - (8 * width);
                _writer.WriteNumberValue(ReadUnsigned(width) << unused >> unused);
                break;
            case BinaryType.ItemFloat32:
                _writer.WriteNumberValue(BinaryPrimitives.ReadSingleLittleEndian(Take(4)));
                break;
            case BinaryType.Double or BinaryType.ItemFloat64:
                _writer.WriteNumberValue(BinaryPrimitives.ReadDoubleLittleEndian(Take(8)));
                break;
            default:
                throw new JsonException($"JSON has no number of the binary type 0x{type:X2}.");
        }
    }

    private ReadOnlySpan<byte> ReadText()
    {
        var text = BinaryText.Read(_bytes, _at, out var length);
        _at += length;
        return Utf8.IsValid(text) ? text : throw new JsonException("A text is not UTF-8.");
    }

    private readonly byte Peek() => _at < _bytes.Length ? _bytes[_at] : throw new JsonException("The document is truncated.");

    private byte ReadByte() => Take(1)[0];

    private int ReadCount(bool isWide) => (int)ReadUnsigned(isWide ? 2 : 1);

    private long ReadUnsigned(int width) => BinaryText.ReadUnsigned(Take(width));

    private ReadOnlySpan<byte> Take(int count)
    {
        if (count > _bytes.Length - _at)
            throw new JsonException("The document is truncated.");
        var taken = _bytes.Slice(_at, count);
        _at += count;
        return taken;
    }
}

/// <summary>Type bytes of values other than text.</summary>
internal static class BinaryType
{
    /// <summary>Type bytes from 0 to this one are the numbers themselves.</summary>
    public const byte LastLiteral = 0x1F;

    public const byte UnsignedInt64 = 0xC7;
    public const byte UnsignedInt8 = 0xC8;
    public const byte Int16 = 0xC9;
    public const byte Int64 = 0xCB;
    public const byte Double = 0xCC;
    public const byte Null = 0xD0;
    public const byte False = 0xD1;
    public const byte True = 0xD2;
    public const byte EmptyArray = 0xE0;
    public const byte LastArray = 0xE7;
    public const byte EmptyObject = 0xE8;
    public const byte LastObject = 0xEF;

    /// <summary>Arrays of numbers of one type, with their count in 1 or 2 bytes; and arrays of such arrays.</summary>
    public const byte Numbers = 0xF0;
    public const byte ManyNumbers = 0xF1;
    public const byte NumberArrays = 0xF2;
    public const byte ManyNumberArrays = 0xF3;

    /// <summary>Numbers in such an array.</summary>
    public const byte ItemFloat32 = 0xCD;
    public const byte ItemFloat64 = 0xCE;
    public const byte ItemUnsignedInt8 = 0xD7;
    public const byte ItemInt8 = 0xD8;
    public const byte ItemInt64 = 0xDB;
}
