using System.Buffers.Binary;

namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>The CRC-32 of IEEE 802.3 (reflected, polynomial 0xEDB88320), eight bytes at a step.</summary>
internal static class Crc32
{
    private const uint Polynomial = 0xEDB88320;
    private static readonly uint[] Tables = BuildTables();

    public static uint Compute(ReadOnlySpan<byte> data)
    {
        uint[] t = Tables;
        uint crc = uint.MaxValue;
        while (data.Length >= 8)
        {
            uint low = BinaryPrimitives.ReadUInt32LittleEndian(data) ^ crc;
            uint high = BinaryPrimitives.ReadUInt32LittleEndian(data[4..]);
            crc = t[0x700 + (low & 0xFF)] ^ t[0x600 + ((low >> 8) & 0xFF)] ^ t[0x500 + ((low >> 16) & 0xFF)] ^ t[0x400 + (low >> 24)]
                ^ t[0x300 + (high & 0xFF)] ^ t[0x200 + ((high >> 8) & 0xFF)] ^ t[0x100 + ((high >> 16) & 0xFF)] ^ t[high >> 24];
            data = data[8..];
        }

        foreach (byte value in data)
            crc = (crc >> 8) ^ t[(crc ^ value) & 0xFF];
        return ~crc;
    }

    private static uint[] BuildTables()
    {
        var tables = new uint[8 * 256];
        for (uint i = 0; i < 256; i++)
        {
            uint value = i;
            for (int bit = 0; bit < 8; bit++)
                value = (value & 1) != 0 ? (value >> 1) ^ Polynomial : value >> 1;
            tables[i] = value;
        }

        for (int i = 256; i < tables.Length; i++)
            tables[i] = (tables[i - 256] >> 8) ^ tables[tables[i - 256] & 0xFF];
        return tables;
    }
}
