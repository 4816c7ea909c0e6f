namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A scalar to compare documents with.</summary>
internal sealed record QueryValue(PartitionKeyKind Kind, double Number, byte[] Text)
{
    /// <summary>Null for undefined, arrays, objects, and numbers of more than 53 bits.</summary>
    public static QueryValue? From(Datum value) => value.Type switch
    {
        DatumType.Text => new QueryValue(PartitionKeyKind.Text, 0, System.Text.Encoding.UTF8.GetBytes(value.Text)),
        // Bodies are compared with doubles.
        DatumType.Number when Math.Abs(value.Number) < JsonNumber.ExactLimit => new QueryValue(PartitionKeyKind.Number, value.Number, []),
        DatumType.True => new QueryValue(PartitionKeyKind.True, 0, []),
        DatumType.False => new QueryValue(PartitionKeyKind.False, 0, []),
        DatumType.Null => new QueryValue(PartitionKeyKind.Null, 0, []),
        _ => null,
    };

    public PartitionKeyValue AsPartitionKey() => Kind switch
    {
        PartitionKeyKind.Text => PartitionKeyValue.From(Text),
        PartitionKeyKind.Number => PartitionKeyValue.From(Number),
        PartitionKeyKind.Null => PartitionKeyValue.Null,
        _ => PartitionKeyValue.From(Kind == PartitionKeyKind.True),
    };

    /// <summary>Whether a comparison of <paramref name="actual"/> with this value holds. Values of different types only differ.</summary>
    public bool Holds(BinaryOperator comparison, PartitionKeyValue actual)
    {
        var bothBoolean = actual.Kind is PartitionKeyKind.True or PartitionKeyKind.False
            && Kind is PartitionKeyKind.True or PartitionKeyKind.False;
        if (actual.Kind != Kind && !bothBoolean)
            return comparison == BinaryOperator.NotEqual;
        var order = Kind switch
        {
            PartitionKeyKind.Text => actual.Text.SequenceCompareTo(Text),
            PartitionKeyKind.Number => actual.Number.CompareTo(Number),
            _ => (actual.Kind == PartitionKeyKind.True).CompareTo(Kind == PartitionKeyKind.True),
        };
        return Binary.Holds(comparison, order);
    }
}
