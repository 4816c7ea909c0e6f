using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// Guids as a function of (run, purpose, number). Within a run and purpose no two numbers share one, because their lower half is a
/// bijection of the number; spread evenly, so that keys made of them fill all physical partitions alike.
/// </summary>
public sealed class DocumentIdentity
{
    private readonly ulong _upper;
    private readonly ulong _lower;

    /// <param name="runId">Run id.</param>
    /// <param name="purpose">What the guids are for, such as <c>id</c>: other purposes give other guids.</param>
    public DocumentIdentity(string runId, string purpose)
    {
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{runId}/{purpose}"));
        _upper = BinaryPrimitives.ReadUInt64LittleEndian(hash);
        _lower = BinaryPrimitives.ReadUInt64LittleEndian(hash.AsSpan(8));
    }

    /// <summary>A seed for random numbers of the same run and purpose.</summary>
    internal ulong Seed => _upper ^ (_lower << 1);

    /// <summary>The guid of a number.</summary>
    public Guid From(long number)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, Mix((ulong)number + _upper));
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], Mix((ulong)number ^ _lower));
        return new Guid(bytes);
    }

    /// <summary>The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits.</summary>
    private static ulong Mix(ulong value)
    {
        value += 0x9E3779B97F4A7C15;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
