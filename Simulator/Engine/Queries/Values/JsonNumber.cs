namespace ScaleOut.Simulator.Engine.Queries.Values;

/// <summary>Numbers as the service writes them: with 15 digits if these are exact, else with 17.</summary>
internal static class JsonNumber
{
    /// <summary>Below it, a double holds every integer.</summary>
    public const double ExactLimit = 1L << 53;

    /// <summary>Digits that every double keeps.</summary>
    private const int SafeDigits = 15;

    /// <summary>Exponents of stored numbers have three digits.</summary>
    private const int StoredExponent = 3;

    private const string Safe = "G15";
    private const string Exact = "G17";

    public static void Write(Utf8JsonWriter writer, double value)
    {
        if (Math.Abs(value) < ExactLimit && value == Math.Floor(value))
        {
            writer.WriteNumberValue((long)value);
            return;
        }

        Span<byte> text = stackalloc byte[32];
        writer.WriteRawValue(text[..Format(value, text)], skipInputValidation: true);
    }

    /// <summary>Whether a number of a document is kept as it was sent. False if no double holds it.</summary>
    public static bool TryCheckStored(ReadOnlySpan<byte> sent, out bool isKept)
    {
        isKept = IsShort(sent) || IsWhole(sent);
        if (isKept)
            return true;
        if (!TryParse(sent, out var value))
            return false;
        Span<byte> text = stackalloc byte[32];
        isKept = sent.SequenceEqual(text[..FormatStored(value, text)]);
        return true;
    }

    /// <summary>Writes a number of a document as it is kept.</summary>
    public static void WriteStored(IBufferWriter<byte> output, ReadOnlySpan<byte> sent)
    {
        if (IsShort(sent) || IsWhole(sent) || !TryParse(sent, out var value))
        {
            output.Write(sent);
            return;
        }

        Span<byte> text = stackalloc byte[32];
        output.Write(text[..FormatStored(value, text)]);
    }

    private static bool TryParse(ReadOnlySpan<byte> text, out double value) =>
        Utf8Parser.TryParse(text, out value, out var consumed) && consumed == text.Length && double.IsFinite(value);

    /// <summary>Whether it has so few digits that its text is already the shortest: most numbers.</summary>
    private static bool IsShort(ReadOnlySpan<byte> text)
    {
        var digits = text[0] == (byte)'-' ? text[1..] : text;
        if (digits.Length > SafeDigits || digits.ContainsAny((byte)'e', (byte)'E'))
            return false;
        var point = digits.IndexOf((byte)'.');
        // Zeros at the end go, very small numbers get an exponent, and zero has no sign.
        return point < 0
            ? digits.Length == text.Length || digits[0] != (byte)'0'
            : digits[^1] != (byte)'0' && (digits[0] != (byte)'0' || digits[point + 1] != (byte)'0');
    }

    /// <summary>Whether it is an integer of 64 bits, with a sign or without.</summary>
    private static bool IsWhole(ReadOnlySpan<byte> text) =>
        (Utf8Parser.TryParse(text, out long _, out var consumed) && consumed == text.Length && !text.SequenceEqual("-0"u8))
        || (Utf8Parser.TryParse(text, out ulong _, out consumed) && consumed == text.Length);

    private static int FormatStored(double value, Span<byte> text)
    {
        var length = Format(value, text);
        var mark = text[..length].IndexOf((byte)'e');
        if (mark < 0)
            return length;
        // After the mark there is a sign.
        var first = mark + 2;
        var missing = StoredExponent - (length - first);
        if (missing > 0)
        {
            text[first..length].CopyTo(text[(first + missing)..]);
            text.Slice(first, missing).Fill((byte)'0');
            length += missing;
        }

        return length;
    }

    private static int Format(double value, Span<byte> text)
    {
        // Without the sign of a negative zero.
        value += 0.0;
        value.TryFormat(text, out var length, Safe, CultureInfo.InvariantCulture);
        if (!Utf8Parser.TryParse(text[..length], out double same, out _) || same != value)
            value.TryFormat(text, out length, Exact, CultureInfo.InvariantCulture);
        text[..length].Replace((byte)'E', (byte)'e');
        return length;
    }
}
