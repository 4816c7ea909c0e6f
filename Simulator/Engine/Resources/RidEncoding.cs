using System.Buffers.Binary;
using System.Buffers.Text;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>The service's internal ids: base64 (with '-' for '/') of the parents' bytes and a number.</summary>
internal static class RidEncoding
{
    /// <summary>Characters of a document's or range's id: 16 bytes in base64.</summary>
    public const int ChildCharacters = 24;

    private const byte CollectionMark = 0x80;
    private const byte RangeMark = 0x50;
    private const uint DatabaseOfferMark = 0x800000;

    public static byte[] Database(uint number)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, number);
        return bytes;
    }

    public static byte[] Container(byte[] database, uint number)
    {
        byte[] bytes = [.. database, 0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(4), number);
        bytes[4] |= CollectionMark;
        return bytes;
    }

    public static string Offer(uint number)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, number);
        return Text(bytes[..3]);
    }

    /// <summary>Databases have numbers of their own, so a mark distinguishes their offers from those of containers.</summary>
    public static string DatabaseOffer(uint number) => Offer(number | DatabaseOfferMark);

    /// <summary>Whether the text may be an offer's id: three bytes.</summary>
    public static bool IsOffer(string rid) =>
        rid.Length == 4 && Convert.TryFromBase64String(rid.Replace('-', '/'), stackalloc byte[3], out int bytes) && bytes == 3;

    public static string Range(byte[] container, int ordinal)
    {
        Span<byte> bytes = stackalloc byte[16];
        container.CopyTo(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[8..], ordinal + 1L);
        bytes[15] |= RangeMark;
        return Text(bytes);
    }

    /// <summary>Writes a document's id as 24 ASCII bytes.</summary>
    public static void WriteDocument(byte[] container, long number, Span<byte> destination)
    {
        Span<byte> bytes = stackalloc byte[16];
        container.CopyTo(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[8..], number);
        Base64.EncodeToUtf8(bytes, destination, out _, out int written);
        destination[..written].Replace((byte)'/', (byte)'-');
    }

    public static string Text(ReadOnlySpan<byte> bytes) => Convert.ToBase64String(bytes).Replace('/', '-');
}
