using System.Buffers.Binary;

namespace ScaleOut.PartitionKeys;

/// <summary>
/// Position of a partition key value among a container's ranges: the first 16 bytes of the effective partition key, by which the service
/// defines ranges. Positions sort like the service's hexadecimal strings.
/// </summary>
public readonly record struct EffectivePartitionKey(UInt128 Position)
{
    private const int Version1Characters = 100;
    private const byte NumberMark = (byte)PartitionKeyKind.Number;

    /// <summary>Start of the first range, written as an empty string.</summary>
    public static readonly EffectivePartitionKey Minimum = new(UInt128.Zero);

    /// <summary>End of the last range, written <c>FF</c>.</summary>
    public static readonly EffectivePartitionKey Maximum = new((UInt128)0xFF << 120);

    /// <summary>
    /// The position of a value. In version 1 it has only the hash. The service appends the value, but no edge of a range depends on it.
    /// </summary>
    public static EffectivePartitionKey From(PartitionKeyVersion version, PartitionKeyValue value)
    {
        if (value.Kind == PartitionKeyKind.Number)
        {
            Span<byte> number = stackalloc byte[9];
            number[0] = NumberMark;
            BinaryPrimitives.WriteDoubleLittleEndian(number[1..], value.Number);
            return OfHash(version, number);
        }

        if (value.Kind != PartitionKeyKind.Text)
            return OfHash(version, [(byte)value.Kind]);

        var text = value.Text;
        if (version == PartitionKeyVersion.V1 && text.Length > Version1Characters)
        {
            // Version 1 counts UTF-16 characters, and may cut a surrogate pair in half.
            var characters = Encoding.UTF8.GetString(text);
            text = Encoding.UTF8.GetBytes(characters[..Math.Min(characters.Length, Version1Characters)]);
        }

        // A type mark and a suffix take two bytes.
        var length = text.Length + 2;
        var rented = length > 512 ? ArrayPool<byte>.Shared.Rent(length) : null;
        var data = rented ?? stackalloc byte[512];
        data[0] = (byte)PartitionKeyKind.Text;
        text.CopyTo(data[1..]);
        data[length - 1] = version == PartitionKeyVersion.V1 ? (byte)0 : (byte)0xFF;
        var key = OfHash(version, data[..length]);
        if (rented is not null)
            ArrayPool<byte>.Shared.Return(rented);
        return key;
    }

    /// <summary>
    /// The effective partition key of a hierarchical key or of its first values, 32 hexadecimal digits for each. It sorts like the
    /// service's.
    /// </summary>
    public static string TextOf(IReadOnlyList<string> values) => string.Concat(values.Select(
        value => From(PartitionKeyVersion.V2, PartitionKeyValue.From(value)).Position.ToString("X32", CultureInfo.InvariantCulture)));

    /// <summary>The position of a version 1 hash.</summary>
    public static EffectivePartitionKey OfHash32(uint hash)
    {
        // The service writes the hash as an order-preserving double: the first byte has 8 bits, each further byte has 7, and its lowest
        // bit says whether more bytes follow.
        var bits = (ulong)BitConverter.DoubleToInt64Bits(hash) ^ 0x8000000000000000;
        Span<byte> encoded = stackalloc byte[16];
        encoded.Clear();
        encoded[0] = NumberMark;
        encoded[1] = (byte)(bits >> 56);
        bits <<= 8;
        var length = 2;
        while (bits != 0)
        {
            encoded[length++] = (byte)((bits >> 56) | 1);
            bits <<= 7;
        }

        encoded[length - 1] &= length > 2 ? (byte)0xFE : (byte)0xFF;
        if (length == 2)
            encoded[length] = 0;
        return new(BinaryPrimitives.ReadUInt128BigEndian(encoded));
    }

    /// <summary>The position of a version 2 hash.</summary>
    public static EffectivePartitionKey OfHash128(UInt128 hash) => new(hash & (UInt128.MaxValue >> 2));

    /// <summary>Reads the edge of a range as the service writes it: an empty string, <c>FF</c>, or hexadecimal digits.</summary>
    /// <exception cref="FormatException">The edge is not hexadecimal.</exception>
    public static EffectivePartitionKey Parse(string hex)
    {
        var prefix = hex.Length > 32 ? hex[..32] : hex;
        if (!UInt128.TryParse(
            "0" + prefix.PadRight(32, '0'), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var position))
            throw new FormatException($"'{hex}' is not an effective partition key.");
        return new(position);
    }

    /// <summary>Writes the edge of a range in hexadecimal. The outermost edges are an empty string and <c>FF</c>.</summary>
    public string ToEdge(PartitionKeyVersion version)
    {
        if (this == Minimum)
            return "";
        if (this == Maximum)
            return "FF";
        var hex = Position.ToString("X32", CultureInfo.InvariantCulture);
        if (version == PartitionKeyVersion.V2)
            return hex;
        var length = 4;
        while (length < hex.Length && ((hex[length] | hex[length + 1]) != '0'))
            length += 2;
        return hex[..length];
    }

    private static EffectivePartitionKey OfHash(PartitionKeyVersion version, ReadOnlySpan<byte> data) =>
        version == PartitionKeyVersion.V1 ? OfHash32(MurmurHash3.Hash32(data)) : OfHash128(MurmurHash3.Hash128(data));
}

/// <summary>Murmur3 by Austin Appleby (public domain): the x86 32-bit variant with seed 0, and the x64 128-bit variant.</summary>
public static class MurmurHash3
{
    public static uint Hash32(ReadOnlySpan<byte> data)
    {
        const uint c1 = 0xcc9e2d51;
        const uint c2 = 0x1b873593;
        uint hash = 0;
        var rest = data;
        while (rest.Length >= 4)
        {
            var block = BinaryPrimitives.ReadUInt32LittleEndian(rest);
            hash ^= BitOperations.RotateLeft(block * c1, 15) * c2;
            hash = (BitOperations.RotateLeft(hash, 13) * 5) + 0xe6546b64;
            rest = rest[4..];
        }

        uint tail = 0;
        for (var i = rest.Length - 1; i >= 0; i--)
            tail = (tail << 8) | rest[i];
        if (tail != 0)
            hash ^= BitOperations.RotateLeft(tail * c1, 15) * c2;

        hash ^= (uint)data.Length;
        hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
        return hash ^ (hash >> 16);
    }

    /// <param name="seed">Initial value of both halves. Partition keys are hashed with 0.</param>
    public static UInt128 Hash128(ReadOnlySpan<byte> data, UInt128 seed = default)
    {
        const ulong c1 = 0x87c37b91114253d5;
        const ulong c2 = 0x4cf5ad432745937f;
        var low = (ulong)seed;
        var high = (ulong)(seed >> 64);
        var rest = data;
        while (rest.Length >= 16)
        {
            var k1 = BinaryPrimitives.ReadUInt64LittleEndian(rest);
            var k2 = BinaryPrimitives.ReadUInt64LittleEndian(rest[8..]);
            low ^= BitOperations.RotateLeft(k1 * c1, 31) * c2;
            low = ((BitOperations.RotateLeft(low, 27) + high) * 5) + 0x52dce729;
            high ^= BitOperations.RotateLeft(k2 * c2, 33) * c1;
            high = ((BitOperations.RotateLeft(high, 31) + low) * 5) + 0x38495ab5;
            rest = rest[16..];
        }

        ulong tail1 = 0;
        ulong tail2 = 0;
        for (var i = rest.Length - 1; i >= 8; i--)
            tail2 = (tail2 << 8) | rest[i];
        for (var i = Math.Min(rest.Length, 8) - 1; i >= 0; i--)
            tail1 = (tail1 << 8) | rest[i];
        high ^= BitOperations.RotateLeft(tail2 * c2, 33) * c1;
        low ^= BitOperations.RotateLeft(tail1 * c1, 31) * c2;

        low ^= (ulong)data.Length;
        high ^= (ulong)data.Length;
        low += high;
        high += low;
        low = Mix(low);
        high = Mix(high);
        low += high;
        high += low;
        return new UInt128(high, low);
    }

    private static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 33)) * 0xff51afd7ed558ccd;
        value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53;
        return value ^ (value >> 33);
    }
}
