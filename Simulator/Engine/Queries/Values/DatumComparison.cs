namespace ScaleOut.Simulator.Engine.Queries.Values;

/// <summary>
/// How values compare: in conditions, where different types are neither less nor greater, and in ORDER BY, where every pair has an order.
/// </summary>
internal static class DatumComparison
{
    /// <summary>
    /// Equality of a condition: undefined where one is undefined; values of different types differ, so that <c>a != null</c> finds what it
    /// does on the service and with its clients, although the service's documentation calls that undefined too.
    /// </summary>
    public static Datum Equal(Datum left, Datum right) =>
        left.IsDefined && right.IsDefined ? Datum.From(AreEqual(left, right)) : Datum.Undefined;

    /// <summary>Less, equal or greater within a scalar type; null between different types, arrays and objects.</summary>
    public static int? Compare(Datum left, Datum right) =>
        left.IsPrimitive && left.IsOfSameType(right) ? CompareAll(left, right) : null;

    /// <summary>Whether both are the same JSON value; undefined is none.</summary>
    public static bool AreEqual(Datum left, Datum right)
    {
        if (left.Type != right.Type)
            return false;
        switch (left.Type)
        {
            case DatumType.Undefined:
                return false;
            case DatumType.Number:
                return left.Number.Equals(right.Number) || left.Number == right.Number;
            case DatumType.Text:
                return string.Equals(left.Text, right.Text, StringComparison.Ordinal);
            case DatumType.Array:
                return left.Length == right.Length && left.Items().Zip(right.Items()).All(pair => AreEqual(pair.First, pair.Second));
            case DatumType.Object:
                int count = right.Properties().Count();
                return left.Properties().Count() == count
                    && left.Properties().All(one => AreEqual(one.Value, right.Property(one.Key)));
            default:
                return true;
        }
    }

    /// <summary>The order of ORDER BY: by type, then by value; arrays and objects by their hash, as clients merge them.</summary>
    public static int CompareAll(Datum left, Datum right)
    {
        if (left.Type != right.Type)
            return left.Type.CompareTo(right.Type);
        return left.Type switch
        {
            DatumType.Number => left.Number.CompareTo(right.Number),
            DatumType.Text => CompareText(left.Text, right.Text),
            DatumType.Array or DatumType.Object => DatumHash.Compare(DatumHash.From(left), DatumHash.From(right)),
            _ => 0,
        };
    }

    /// <summary>By code points, which is the order of UTF-8.</summary>
    public static int CompareText(string left, string right)
    {
        int common = left.AsSpan().CommonPrefixLength(right);
        if (common == left.Length || common == right.Length)
            return left.Length.CompareTo(right.Length);
        return Rank(left[common]).CompareTo(Rank(right[common]));

        // Surrogates stand for code points above all others.
        static int Rank(char c) => c < 0xD800 ? c : c >= 0xE000 ? c - 0x800 : c + 0x2000;
    }
}
