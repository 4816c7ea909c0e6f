namespace ScaleOut.Simulator.Engine.Queries.Values;

/// <summary>The types of values, in the order of ORDER BY.</summary>
internal enum DatumType : byte
{
    /// <summary>A missing property, or the result of an operator or function for arguments of the wrong type.</summary>
    Undefined,
    Null,
    False,
    True,
    Number,
    Text,
    Array,
    Object,
}

/// <summary>
/// A value of a query: JSON, or undefined. Arrays and objects of a document live as long as its <see cref="JsonDocument"/>, unless they are
/// <see cref="Detached"/>.
/// </summary>
internal readonly struct Datum
{
    private readonly object? _content;

    private Datum(DatumType type, double number = 0, object? content = null)
    {
        Type = type;
        Number = number;
        _content = content;
    }

    public static Datum Undefined => default;

    public static Datum Null => new(DatumType.Null);

    public static Datum EmptyArray { get; } = From(Array.Empty<Datum>());

    public DatumType Type { get; }

    /// <summary>The value of a number; 0 for other types.</summary>
    public double Number { get; }

    /// <summary>The value of a text. Must not be read for other types.</summary>
    public string Text => (string)_content!;

    public bool IsDefined => Type != DatumType.Undefined;

    public bool IsTrue => Type == DatumType.True;

    public bool IsBoolean => Type is DatumType.True or DatumType.False;

    public bool IsPrimitive => Type is >= DatumType.Null and <= DatumType.Text;

    /// <summary>Number of elements of an array.</summary>
    public int Length => _content is JsonElement element ? element.GetArrayLength() : ((Datum[])_content!).Length;

    public static Datum From(bool value) => new(value ? DatumType.True : DatumType.False);

    /// <summary>Whether it is an integer that only 64 bits hold.</summary>
    public bool IsLong => Type == DatumType.Number && _content is not null;

    /// <summary>A number; undefined for infinity and NaN. Negative zero becomes zero.</summary>
    public static Datum From(double value) => double.IsFinite(value) ? new Datum(DatumType.Number, value + 0.0) : Undefined;

    /// <summary>The result of a calculation, which may be infinity or NaN. Only a result cannot be one.</summary>
    public static Datum FromCalculation(double value) => new(DatumType.Number, value + 0.0);

    /// <summary>An exact integer.</summary>
    public static Datum From(long value) =>
        new(DatumType.Number, value, Math.Abs((double)value) < JsonNumber.ExactLimit ? null : value);

    public static Datum From(string value) => new(DatumType.Text, 0, value);

    public static Datum From(Datum[] items) => new(DatumType.Array, 0, items);

    public static Datum From(KeyValuePair<string, Datum>[] properties) => new(DatumType.Object, 0, properties);

    public static Datum From(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Null => Null,
        JsonValueKind.True => From(true),
        JsonValueKind.False => From(false),
        JsonValueKind.Number => FromNumber(element),
        JsonValueKind.String => From(SurrogateText.Read(element)),
        JsonValueKind.Array => new Datum(DatumType.Array, 0, element),
        JsonValueKind.Object => new Datum(DatumType.Object, 0, element),
        _ => Undefined,
    };

    /// <summary>The integer that the number is, if it is one that it holds exactly.</summary>
    public bool TryLong(out long value)
    {
        value = _content is long exact ? exact : 0;
        if (IsLong)
            return true;
        if (Type != DatumType.Number || Math.Abs(Number) > JsonNumber.ExactLimit || Number != Math.Floor(Number))
            return false;
        value = (long)Number;
        return true;
    }

    /// <summary>The number with the other sign.</summary>
    public Datum Negated() => TryLong(out var integer) && integer != long.MinValue ? From(-integer) : FromCalculation(-Number);

    /// <summary>Whether both have the same type. True and false count as one type.</summary>
    public bool IsOfSameType(Datum other) => Type == other.Type || (IsBoolean && other.IsBoolean);

    public IEnumerable<Datum> Items() => _content is JsonElement element ? element.EnumerateArray().Select(From) : (Datum[])_content!;

    public IEnumerable<KeyValuePair<string, Datum>> Properties() => _content is JsonElement element
        ? element.EnumerateObject().Select(property =>
            new KeyValuePair<string, Datum>(SurrogateText.ReadName(property), From(property.Value)))
        : (KeyValuePair<string, Datum>[])_content!;

    /// <summary>The element of an array; undefined beyond its ends.</summary>
    public Datum Item(int index) => index < 0 || index >= Length ? Undefined
        : _content is JsonElement element ? From(element[index])
        : ((Datum[])_content!)[index];

    /// <summary>The property of an object; undefined without it, and for anything but an object.</summary>
    public Datum Property(string name)
    {
        if (Type != DatumType.Object)
            return Undefined;
        if (_content is JsonElement element)
            return SurrogateText.TryGetProperty(element, name, out var found) ? From(found) : Undefined;
        foreach ((var key, var value) in (KeyValuePair<string, Datum>[])_content!)
        {
            if (key == name)
                return value;
        }

        return Undefined;
    }

    /// <summary>Characters of texts and names, bytes of a document's arrays and objects, and one for every other value.</summary>
    public long Size() => _content switch
    {
        JsonElement element => JsonMarshal.GetRawUtf8Value(element).Length,
        string text => text.Length,
        Datum[] items => items.Sum(item => item.Size()),
        KeyValuePair<string, Datum>[] properties => properties.Sum(one => one.Key.Length + one.Value.Size()),
        _ => 1,
    };

    /// <summary>The same value, independent of the document it was read from.</summary>
    public Datum Detached() => _content is JsonElement element ? new Datum(Type, Number, element.Clone())
        : Type == DatumType.Array ? From([.. Items().Select(item => item.Detached())])
        : Type == DatumType.Object ? From([.. Properties().Select(one => KeyValuePair.Create(one.Key, one.Value.Detached()))])
        : this;

    public void WriteTo(Utf8JsonWriter writer)
    {
        switch (Type)
        {
            case DatumType.Number when _content is long exact:
                writer.WriteNumberValue(exact);
                break;
            case DatumType.Number:
                JsonNumber.Write(writer, double.IsFinite(Number) ? Number : throw RequestException.NotFinite());
                break;
            case DatumType.Text:
                writer.WriteStringValue(Text);
                break;
            case DatumType.True or DatumType.False:
                writer.WriteBooleanValue(IsTrue);
                break;
            case DatumType.Null or DatumType.Undefined:
                writer.WriteNullValue();
                break;
            case var _ when _content is JsonElement element:
                // Written as it stands in the document, because a writer may reject its text.
                writer.WriteRawValue(JsonMarshal.GetRawUtf8Value(element), skipInputValidation: true);
                break;
            case DatumType.Array:
                writer.WriteStartArray();
                foreach (var item in Items())
                    item.WriteTo(writer);
                writer.WriteEndArray();
                break;
            default:
                writer.WriteStartObject();
                foreach ((var name, var value) in Properties())
                {
                    writer.WritePropertyName(name);
                    value.WriteTo(writer);
                }

                writer.WriteEndObject();
                break;
        }
    }

    private static Datum FromNumber(JsonElement element)
    {
        var number = element.GetDouble();
        return Math.Abs(number) >= JsonNumber.ExactLimit && element.TryGetInt64(out var exact) ? From(exact) : FromCalculation(number);
    }
}

internal static class DatumJson
{
    /// <summary>Options without validation, because a page has several values in a row.</summary>
    public static JsonWriterOptions Options { get; } = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
        MaxDepth = 1_000,
    };

    public static string ToText(Datum value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, Options))
            value.WriteTo(writer);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <exception cref="JsonException">The text is not JSON.</exception>
    public static Datum Parse(string json)
    {
        using var document = JsonDocument.Parse(json, new JsonDocumentOptions { MaxDepth = 256 });
        return Datum.From(document.RootElement).Detached();
    }
}

/// <summary>Reads JSON text with escaped lone surrogates, such as <c>"\ud800"</c>, which <see cref="JsonElement"/> rejects.</summary>
internal static class SurrogateText
{
    /// <summary>Characters of an escape such as <c>\u00e9</c>.</summary>
    private const int EscapeLength = 6;

    public static string Read(JsonElement element)
    {
        try
        {
            return element.GetString()!;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which the service accepts.
            return Unescape(element.GetRawText().AsSpan()[1..^1]);
        }
    }

    /// <summary>Whether escaped text of a document has half of a surrogate pair.</summary>
    public static bool HasHalf(ReadOnlySpan<byte> escaped) => escaped.IndexOf("\\u"u8) >= 0 && WriteWhole(null, escaped);

    /// <summary>Writes escaped text of a document, with a replacement character for each half of a surrogate pair.</summary>
    /// <returns>Whether there was one.</returns>
    public static bool WriteWhole(IBufferWriter<byte>? output, ReadOnlySpan<byte> escaped)
    {
        var hasHalf = false;
        while (escaped.IndexOf((byte)'\\') is >= 0 and var at)
        {
            output?.Write(escaped[..at]);
            escaped = escaped[at..];
            var half = HalfAt(escaped);
            var isPair = half is >= 0xD800 and < 0xDC00 && HalfAt(escaped[EscapeLength..]) is >= 0xDC00 and < 0xE000;
            var length = half < 0 ? 2 : isPair ? 2 * EscapeLength : EscapeLength;
            hasHalf |= half >= 0 && !isPair;
            output?.Write(half < 0 || isPair ? escaped[..length] : "\uFFFD"u8);
            escaped = escaped[length..];
        }

        output?.Write(escaped);
        return hasHalf;
    }

    /// <summary>The half of a surrogate pair that an escape begins with; -1 for none.</summary>
    private static int HalfAt(ReadOnlySpan<byte> escaped) =>
        escaped.Length >= EscapeLength && escaped.StartsWith("\\u"u8)
        && Utf8Parser.TryParse(escaped[2..EscapeLength], out ushort code, out var read, 'x') && read == 4 && char.IsSurrogate((char)code)
            ? code : -1;

    public static string ReadName(JsonProperty property)
    {
        try
        {
            return property.Name;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which the service accepts.
            var text = property.ToString();
            return Unescape(text.AsSpan()[1..text.IndexOf("\":", StringComparison.Ordinal)]);
        }
    }

    public static bool TryGetProperty(JsonElement element, string name, out JsonElement value)
    {
        try
        {
            return element.TryGetProperty(name, out value);
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException)
        {
            // A name with half of a surrogate pair, which the reader does not compare.
            foreach (var property in element.EnumerateObject())
            {
                if (ReadName(property) == name)
                {
                    value = property.Value;
                    return true;
                }
            }

            value = default;
            return false;
        }
    }

    /// <summary>Unescapes text between quotes. An incomplete or unknown escape stands for its characters.</summary>
    public static string Unescape(ReadOnlySpan<char> raw)
    {
        var text = new StringBuilder(raw.Length);
        for (var at = 0; at < raw.Length; at++)
        {
            if (raw[at] != '\\' || at + 1 == raw.Length)
            {
                text.Append(raw[at]);
                continue;
            }

            var escape = raw[++at];
            if (escape == 'u' && at + 4 < raw.Length
                && ushort.TryParse(raw.Slice(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var code))
            {
                text.Append((char)code);
                at += 4;
                continue;
            }

            text.Append(escape switch { 'n' => '\n', 't' => '\t', 'r' => '\r', 'b' => '\b', 'f' => '\f', _ => escape });
        }

        return text.ToString();
    }
}
