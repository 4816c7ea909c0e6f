using System.Buffers.Binary;
using System.Numerics;

namespace ScaleOut.PartitionKeys;

/// <summary>Murmur3 by Austin Appleby (public domain): the x86 32-bit variant with seed 0, and the x64 128-bit variant.</summary>
public static class MurmurHash3
{
    public static uint Hash32(ReadOnlySpan<byte> data)
    {
        const uint c1 = 0xcc9e2d51;
        const uint c2 = 0x1b873593;
        uint hash = 0;
        ReadOnlySpan<byte> rest = data;
        while (rest.Length >= 4)
        {
            uint block = BinaryPrimitives.ReadUInt32LittleEndian(rest);
            hash ^= BitOperations.RotateLeft(block * c1, 15) * c2;
            hash = (BitOperations.RotateLeft(hash, 13) * 5) + 0xe6546b64;
            rest = rest[4..];
        }

        uint tail = 0;
        for (int i = rest.Length - 1; i >= 0; i--)
            tail = (tail << 8) | rest[i];
        if (tail != 0)
            hash ^= BitOperations.RotateLeft(tail * c1, 15) * c2;

        hash ^= (uint)data.Length;
        hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
        return hash ^ (hash >> 16);
    }

    /// <param name="data">What is hashed.</param>
    /// <param name="seed">Where both halves begin; partition keys are hashed with 0.</param>
    public static UInt128 Hash128(ReadOnlySpan<byte> data, UInt128 seed = default)
    {
        const ulong c1 = 0x87c37b91114253d5;
        const ulong c2 = 0x4cf5ad432745937f;
        ulong low = (ulong)seed;
        ulong high = (ulong)(seed >> 64);
        ReadOnlySpan<byte> rest = data;
        while (rest.Length >= 16)
        {
            ulong k1 = BinaryPrimitives.ReadUInt64LittleEndian(rest);
            ulong k2 = BinaryPrimitives.ReadUInt64LittleEndian(rest[8..]);
            low ^= BitOperations.RotateLeft(k1 * c1, 31) * c2;
            low = ((BitOperations.RotateLeft(low, 27) + high) * 5) + 0x52dce729;
            high ^= BitOperations.RotateLeft(k2 * c2, 33) * c1;
            high = ((BitOperations.RotateLeft(high, 31) + low) * 5) + 0x38495ab5;
            rest = rest[16..];
        }

        ulong tail1 = 0;
        ulong tail2 = 0;
        for (int i = rest.Length - 1; i >= 8; i--)
            tail2 = (tail2 << 8) | rest[i];
        for (int i = Math.Min(rest.Length, 8) - 1; i >= 0; i--)
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
