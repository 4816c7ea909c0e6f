namespace ScaleOut.Texts;

/// <summary>Finds bytes that are no UTF-8. A decoder would put U+FFFD in their place, so that different texts become the same.</summary>
public static class Utf8Lines
{
    /// <summary>Refuses what is no UTF-8 with a <see cref="DecoderFallbackException"/>.</summary>
    public static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>
    /// Opens a text file. Skips a byte order mark of UTF-8, and takes that of another encoding as what is no UTF-8. A reader that detects
    /// marks would read on leniently.
    /// </summary>
    public static StreamReader Open(string path)
    {
        var reader = new StreamReader(path, Strict, detectEncodingFromByteOrderMarks: false);
        if (reader.Peek() == '\uFEFF')
            reader.Read();
        return reader;
    }

    /// <summary>The first line, from 1, with bytes that are no UTF-8; null if there is none.</summary>
    public static long? FirstInvalid(Stream stream)
    {
        var buffer = new byte[64 * 1024];
        var (line, kept) = (1L, 0);
        while (true)
        {
            var read = stream.Read(buffer, kept, buffer.Length - kept);
            ReadOnlySpan<byte> rest = buffer.AsSpan(0, kept + read);
            while (!rest.IsEmpty)
            {
                var status = Rune.DecodeFromUtf8(rest, out var rune, out var length);
                if (status == OperationStatus.NeedMoreData && read > 0)
                    break;
                if (status != OperationStatus.Done)
                    return line;
                line += rune.Value == '\n' ? 1 : 0;
                rest = rest[length..];
            }

            if (read == 0)
                return null;
            kept = rest.Length;
            rest.CopyTo(buffer);
        }
    }

    /// <summary>Why a text file cannot be read: the line with bytes that are no UTF-8, as the end of a sentence.</summary>
    public static string WhyInvalid(string path)
    {
        using var stream = File.OpenRead(path);
        return FirstInvalid(stream) is { } line
            ? string.Create(CultureInfo.InvariantCulture, $"line {line} is not in UTF-8; save the file in that encoding")
            : "is not in UTF-8";
    }
}
