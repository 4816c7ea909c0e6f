using System.Buffers.Text;
using System.Globalization;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>ETags of documents: they look like GUIDs, as the service's do, and change with every write, but not with a split.</summary>
internal static class DocumentEtag
{
    /// <summary>Characters without the quotes.</summary>
    public const int Length = 36;

    /// <summary>With quotes, as it stands in headers.</summary>
    public static string Quoted(uint container, long version) =>
        string.Create(CultureInfo.InvariantCulture, $"\"{container:x8}-0000-0000-{version >> 48:x4}-{version & 0xFFFFFFFFFFFF:x12}\"");

    /// <summary>Without quotes, 36 ASCII bytes.</summary>
    public static void Write(Span<byte> destination, uint container, long version)
    {
        Hex(destination, container, 8);
        Hex(destination[9..], 0, 4);
        Hex(destination[14..], 0, 4);
        Hex(destination[19..], version >> 48, 4);
        Hex(destination[24..], version & 0xFFFFFFFFFFFF, 12);
        destination[8] = destination[13] = destination[18] = destination[23] = (byte)'-';
    }

    private static void Hex(Span<byte> destination, long value, byte digits) => Utf8Formatter.TryFormat(value, destination, out _, new('x', digits));
}
