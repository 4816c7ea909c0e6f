using System.Buffers.Text;

namespace ScaleOut.Workers.Documents;

/// <summary>Writes JSON piece by piece into a buffer that is known to be long enough.</summary>
internal ref struct JsonText(Span<byte> buffer)
{
    private static readonly SearchValues<char> Plain = SearchValues.Create(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;/@+#()");

    private readonly Span<byte> _buffer = buffer;

    /// <summary>Bytes written.</summary>
    public int Length { get; private set; }

    public readonly ReadOnlySpan<byte> Written => _buffer[..Length];

    public void Raw(scoped ReadOnlySpan<byte> json)
    {
        json.CopyTo(_buffer[Length..]);
        Length += json.Length;
    }

    public void Number(long value)
    {
        Utf8Formatter.TryFormat(value, _buffer[Length..], out var written);
        Length += written;
    }

    public void Number(double value, byte decimals)
    {
        Utf8Formatter.TryFormat(value, _buffer[Length..], out var written, new('F', decimals));
        Length += written;
    }

    /// <summary>Writes a guid without quotes. It needs no escapes.</summary>
    public void Guid(Guid value)
    {
        Utf8Formatter.TryFormat(value, _buffer[Length..], out var written);
        Length += written;
    }

    /// <summary>Writes the inside of a string, with escapes where they are needed.</summary>
    public void Text(scoped ReadOnlySpan<char> value)
    {
        // Most texts need no escapes.
        if (!value.ContainsAnyExcept(Plain))
            Length += Encoding.UTF8.GetBytes(value, _buffer[Length..]);
        else
            Length += Encoding.UTF8.GetBytes(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(value.ToString()), _buffer[Length..]);
    }
}
