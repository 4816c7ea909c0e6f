using System.Numerics;

namespace ScaleOut.Simulator.Engine.Queries.Values;

/// <summary>Compares values. In conditions, values of different types have no order. In ORDER BY, every pair has one.</summary>
internal static class DatumComparison
{
    /// <summary>
    /// Equality in a condition: undefined if one value is. Values of different types are not equal. So <c>a != null</c> has the same
    /// results as in the service and its SDKs, although the documentation calls this comparison undefined, too.
    /// </summary>
    public static Datum Equal(Datum left, Datum right) =>
        left.IsDefined && right.IsDefined ? Datum.From(AreEqual(left, right)) : Datum.Undefined;

    /// <summary>The order within a scalar type; null between different types, and for arrays and objects.</summary>
    public static int? Compare(Datum left, Datum right) => left.IsPrimitive && left.IsOfSameType(right) ? CompareAll(left, right) : null;

    /// <summary>Whether both are the same JSON value. Undefined equals nothing.</summary>
    public static bool AreEqual(Datum left, Datum right)
    {
        if (left.Type != right.Type)
            return false;
        switch (left.Type)
        {
            case DatumType.Undefined:
                return false;
            case DatumType.Number:
                return CompareNumbers(left, right) == 0;
            case DatumType.Text:
                return string.Equals(left.Text, right.Text, StringComparison.Ordinal);
            case DatumType.Array:
                return left.Length == right.Length && left.Items().Zip(right.Items()).All(pair => AreEqual(pair.First, pair.Second));
            case DatumType.Object:
                var count = right.Properties().Count();
                return left.Properties().Count() == count
                    && left.Properties().All(one => AreEqual(one.Value, right.Property(one.Key)));
            default:
                return true;
        }
    }

    /// <summary>The order of ORDER BY: by type, then by value; arrays and objects by hash, as clients merge them.</summary>
    public static int CompareAll(Datum left, Datum right)
    {
        if (left.Type != right.Type)
            return left.Type.CompareTo(right.Type);
        return left.Type switch
        {
            DatumType.Number => CompareNumbers(left, right),
            DatumType.Text => CompareText(left.Text, right.Text),
            DatumType.Array or DatumType.Object => DatumHash.Compare(DatumHash.From(left), DatumHash.From(right)),
            _ => 0,
        };
    }

    /// <summary>Two integers of 64 bits may be different where their doubles are the same.</summary>
    private static int CompareNumbers(Datum left, Datum right) =>
        left.Number == right.Number && left.TryLong(out var one) && right.TryLong(out var other)
            ? one.CompareTo(other)
            : left.Number.CompareTo(right.Number);

    /// <summary>Orders by code points, like UTF-8.</summary>
    public static int CompareText(string left, string right)
    {
        var common = left.AsSpan().CommonPrefixLength(right);
        if (common == left.Length || common == right.Length)
            return left.Length.CompareTo(right.Length);
        return Rank(left[common]).CompareTo(Rank(right[common]));

        // Surrogates stand for code points above all others.
        static int Rank(char c) => c < 0xD800 ? c : c >= 0xE000 ? c - 0x800 : c + 0x2000;
    }
}

/// <summary>A 128-bit hash of equal values. The SDK merges and resumes arrays and objects by the same hash, with the same seeds.</summary>
internal static class DatumHash
{
    private static readonly UInt128 Root = Seed(0xbfc2359eafc0e2b7, 0x8846e00284c4cf1f);
    private static readonly UInt128 Null = Seed(0x1380f68bb3b0cfe4, 0x156c918bf564ee48);
    private static readonly UInt128 False = Seed(0xc1be517fe893b40c, 0xe9fc8a4c531cd0dd);
    private static readonly UInt128 True = Seed(0xf86d4abf9a412e74, 0x788488365c8a985d);
    private static readonly UInt128 Text = Seed(0x61f53f0a44204cfb, 0x09481be8ef4b56dd);
    private static readonly UInt128 Array = Seed(0xfa573b014c4dc18e, 0xa014512c858eb115);
    private static readonly UInt128 Object = Seed(0x77b285ac511aef30, 0x3dcf187245822449);
    private static readonly UInt128 ArrayIndex = Seed(0xfe057204216db999, 0x5b1cc3178bd9c593);
    private static readonly UInt128 PropertyName = Seed(0xc915dde058492a8a, 0x7c8be2eba72e4634);
    private static readonly UInt128 Number = Seed(0x2400e8b894ce9c2a, 0x790be1eabd7b9481);

    public static UInt128 From(Datum value) => From(value, Root);

    /// <summary>Orders hashes by their bytes, the least significant one first.</summary>
    public static int Compare(UInt128 left, UInt128 right)
    {
        var low = BinaryPrimitives.ReverseEndianness((ulong)left).CompareTo(BinaryPrimitives.ReverseEndianness((ulong)right));
        return low != 0 ? low
            : BinaryPrimitives.ReverseEndianness((ulong)(left >> 64)).CompareTo(BinaryPrimitives.ReverseEndianness((ulong)(right >> 64)));
    }

    private static UInt128 From(Datum value, UInt128 seed) => value.Type switch
    {
        DatumType.Null => Hash(Null, seed),
        DatumType.False => Hash(False, seed),
        DatumType.True => Hash(True, seed),
        DatumType.Number => HashNumber(value, Hash(Number, seed)),
        DatumType.Text => HashText(value.Text, Hash(Text, seed)),
        DatumType.Array => HashArray(value, Hash(Array, seed)),
        DatumType.Object => HashObject(value, Hash(Object, seed)),
        _ => seed,
    };

    private static UInt128 HashArray(Datum array, UInt128 hash)
    {
        var index = ArrayIndex;
        foreach (var item in array.Items())
        {
            hash = Hash(From(item, index), hash);
            index++;
        }

        return hash;
    }

    private static UInt128 HashObject(Datum value, UInt128 hash)
    {
        var name = Hash(Text, PropertyName);
        UInt128 all = 0;
        foreach ((var key, var property) in value.Properties())
            all ^= From(property, HashText(key, name));
        return all > 0 ? Hash(all, hash) : hash;
    }

    private static UInt128 HashText(string text, UInt128 seed) => MurmurHash3.Hash128(Encoding.UTF8.GetBytes(text), seed);

    /// <summary>Hashes a double and 16 bits: of an integer that no double holds, the bits after the 53 that the double has.</summary>
    private static UInt128 HashNumber(Datum value, UInt128 seed)
    {
        Span<byte> bytes = stackalloc byte[10];
        var number = value.Number;
        if (value.IsLong && value.TryLong(out var integer) && integer != long.MinValue)
        {
            // Without its leading bit, at the top of 62 bits, as in the SDK's Number64.
            var size = (ulong)Math.Abs(integer);
            var exponent = BitOperations.Log2(size);
            var mantissa = (size << (62 - exponent)) & 0x3FFFFFFFFFFFFFFF;
            BinaryPrimitives.WriteUInt16LittleEndian(bytes[8..], (ushort)((mantissa & 0x3FF) << 6));
            number = BitConverter.UInt64BitsToDouble(((ulong)(exponent + 1023) << 52) | (mantissa >> 10));
            number = integer < 0 ? -number : number;
        }

        BinaryPrimitives.WriteDoubleLittleEndian(bytes, number);
        return MurmurHash3.Hash128(bytes, seed);
    }

    private static UInt128 Hash(UInt128 value, UInt128 seed) =>
        MurmurHash3.Hash128(MemoryMarshal.AsBytes(new ReadOnlySpan<UInt128>(in value)), seed);

    private static UInt128 Seed(ulong low, ulong high) => new(high, low);
}
