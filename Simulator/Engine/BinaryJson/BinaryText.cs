namespace ScaleOut.Simulator.Engine.BinaryJson;

/// <summary>
/// The forms of text in binary JSON: well-known names, UTF-8 with its length, references to text elsewhere in the document, and text packed
/// by its alphabet (Base64, GUIDs, hexadecimal, times, characters of 4 to 7 bits).
/// </summary>
internal static class BinaryText
{
    private const byte FirstName = 0x20;
    private const byte FirstUserName = 0x40;
    private const byte LastUserName = 0x67;
    private const byte Base64Short = 0x71;
    private const byte Base64Long = 0x72;
    private const byte UrlBase64Short = 0x73;
    private const byte UrlBase64Long = 0x74;
    private const byte UpperGuid = 0x76;
    private const byte QuotedGuid = 0x77;
    private const byte LowerHex = 0x78;
    private const byte UpperHex = 0x79;
    private const byte Time = 0x7A;
    private const byte Packed4 = 0x7B;
    private const byte Packed6 = 0x7D;
    private const byte Packed7Short = 0x7E;
    private const byte Packed7Long = 0x7F;
    private const byte FirstLength = 0x80;
    private const byte LastLength = 0xBF;
    private const byte Length1 = 0xC0;
    private const byte Length4 = 0xC2;
    private const byte Reference1 = 0xC3;
    private const byte Reference4 = 0xC6;
    private const int GuidBytes = 16;

    private static readonly byte[][] Names =
    [
        .. new[]
        {
            "$s", "$t", "$v", "_attachments", "_etag", "_rid", "_self", "_ts", "attachments/", "coordinates", "geometry",
            "GeometryCollection", "id", "url", "Value", "label", "LineString", "link", "MultiLineString", "MultiPoint", "MultiPolygon",
            "name", "Name", "Type", "Point", "Polygon", "properties", "type", "value", "Feature", "FeatureCollection", "_id",
        }.Select(Encoding.UTF8.GetBytes),
    ];

    public static bool IsText(byte type) => type is (>= FirstName and <= LastUserName) or (>= Base64Short and <= Reference4);

    /// <summary>The text whose type byte stands at a position, in UTF-8.</summary>
    /// <param name="document">The whole document, because a reference is a position in it.</param>
    /// <param name="length">Number of bytes that the text takes at its position.</param>
    /// <exception cref="JsonException">The text is malformed.</exception>
    public static ReadOnlySpan<byte> Read(ReadOnlySpan<byte> document, int at, out int length)
    {
        var type = document[at];
        if (type is < Reference1 or > Reference4)
            return ReadHere(document[at..], out length);
        var width = type - Reference1 + 1;
        length = 1 + width;
        var target = ReadUnsigned(Slice(document, at + 1, width));
        // References to references are rejected, because they could form a cycle.
        if (target >= document.Length || !IsText(document[(int)target]) || document[(int)target] is >= Reference1 and <= Reference4)
            throw new JsonException("A reference is to no text.");
        return ReadHere(document[(int)target..], out _);
    }

    /// <summary>A number of 1 to 8 bytes.</summary>
    public static long ReadUnsigned(ReadOnlySpan<byte> bytes)
    {
        long value = 0;
        for (var i = bytes.Length - 1; i >= 0; i--)
            value = (value << 8) | bytes[i];
        return value;
    }

    private static ReadOnlySpan<byte> ReadHere(ReadOnlySpan<byte> token, out int length)
    {
        var type = token[0];
        switch (type)
        {
            case < FirstUserName:
                length = 1;
                return Names[type - FirstName];
            case <= LastUserName:
                throw new JsonException("The document uses a string dictionary that the account does not have.");
            case <= UrlBase64Long:
                return ReadBase64(token, type, out length);
            case <= QuotedGuid:
                length = 1 + GuidBytes;
                return ReadGuid(Slice(token, 1, GuidBytes), type);
            case <= Packed7Long:
                return ReadPacked(token, type, out length);
            case <= LastLength:
                length = 1 + (type - FirstLength);
                return Slice(token, 1, type - FirstLength);
            case <= Length4:
                var width = 1 << (type - Length1);
                var bytes = ReadUnsigned(Slice(token, 1, width));
                length = (int)Math.Min(1 + width + bytes, int.MaxValue);
                return Slice(token, 1 + width, bytes);
            default:
                throw new JsonException("A reference is to no text.");
        }
    }

    /// <summary>Reads a count of groups of four characters, and the padding of the last group, inverted if it is left out.</summary>
    private static byte[] ReadBase64(ReadOnlySpan<byte> token, byte type, out int length)
    {
        var width = type is Base64Long or UrlBase64Long ? 2 : 1;
        var characters = 4 * (int)ReadUnsigned(Slice(token, 1, width));
        var padding = Slice(token, 1 + width, 1)[0];
        var isOmitted = padding > 2;
        int missing = isOmitted ? (byte)~padding : padding;
        if (missing > 2 || characters < 4)
            throw new JsonException("A Base64 text has an invalid padding.");
        var bytes = (characters - missing) * 3 / 4;
        length = 2 + width + bytes;
        var text = new byte[characters];
        Base64.EncodeToUtf8(Slice(token, 2 + width, bytes), text, out _, out _);
        if (type is UrlBase64Short or UrlBase64Long)
        {
            text.AsSpan().Replace((byte)'+', (byte)'-');
            text.AsSpan().Replace((byte)'/', (byte)'_');
        }

        return isOmitted ? text[..^missing] : text;
    }

    private static byte[] ReadGuid(ReadOnlySpan<byte> bytes, byte type)
    {
        ReadOnlySpan<byte> digits = Digits(bytes, 2 * GuidBytes, Alphabet(type == UpperGuid ? UpperHex : LowerHex));
        const byte Dash = (byte)'-';
        byte[] text = [.. digits[..8], Dash, .. digits[8..12], Dash, .. digits[12..16], Dash, .. digits[16..20], Dash, .. digits[20..]];
        return type == QuotedGuid ? [(byte)'"', .. text, (byte)'"'] : text;
    }

    private static byte[] ReadPacked(ReadOnlySpan<byte> token, byte type, out int length)
    {
        var width = type == Packed7Long ? 2 : 1;
        var characters = (int)ReadUnsigned(Slice(token, 1, width));
        var hasBase = type is >= Packed4 and <= Packed6;
        var bits = type is >= Packed4 and <= Packed7Short ? 4 + (type - Packed4) : type == Packed7Long ? 7 : 4;
        var start = 1 + width + (hasBase ? 1 : 0);
        var bytes = ((characters * bits) + 7) / 8;
        length = start + bytes;
        var packed = Slice(token, start, bytes);
        return type <= Time ? Digits(packed, characters, Alphabet(type)) : Unpack(packed, characters, bits, hasBase ? token[1 + width] : 0);
    }

    private static ReadOnlySpan<byte> Alphabet(byte type) => type switch
    {
        LowerHex => "0123456789abcdef"u8,
        UpperHex => "0123456789ABCDEF"u8,
        _ => " 0123456789:-.TZ"u8,
    };

    /// <summary>Reads two characters per byte, the first one in the low four bits.</summary>
    private static byte[] Digits(ReadOnlySpan<byte> packed, int characters, ReadOnlySpan<byte> alphabet)
    {
        var text = Unpack(packed, characters, bits: 4, first: 0);
        for (var i = 0; i < text.Length; i++)
            text[i] = alphabet[text[i]];
        return text;
    }

    /// <summary>
    /// Unpacks characters of a fixed number of bits, lowest bits first. Each value is an offset from <paramref name="first"/>.
    /// </summary>
    private static byte[] Unpack(ReadOnlySpan<byte> packed, int characters, int bits, int first)
    {
        var text = new byte[characters];
        int pending = 0, held = 0, next = 0;
        for (var i = 0; i < characters; i++)
        {
            if (held < bits)
            {
                pending |= packed[next++] << held;
                held += 8;
            }

            text[i] = (byte)(first + (pending & ((1 << bits) - 1)));
            pending >>= bits;
            held -= bits;
        }

        return text;
    }

    private static ReadOnlySpan<byte> Slice(ReadOnlySpan<byte> bytes, int start, long count) =>
        start + count <= bytes.Length ? bytes.Slice(start, (int)count) : throw new JsonException("The document is truncated.");
}
