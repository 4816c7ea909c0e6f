using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A scalar that documents are compared with.</summary>
internal sealed record QueryValue(PartitionKeyKind Kind, double Number, byte[] Text)
{
    /// <summary>Null for undefined, arrays and objects.</summary>
    public static QueryValue? From(Datum value) => value.Type switch
    {
        DatumType.Text => new QueryValue(PartitionKeyKind.Text, 0, System.Text.Encoding.UTF8.GetBytes(value.Text)),
        DatumType.Number => new QueryValue(PartitionKeyKind.Number, value.Number, []),
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

    /// <summary>
    /// Whether <paramref name="actual"/> stands in the relation to this value. Different types are in none but that they differ.
    /// </summary>
    public bool Holds(BinaryOperator comparison, PartitionKeyValue actual)
    {
        bool bothBoolean = actual.Kind is PartitionKeyKind.True or PartitionKeyKind.False
            && Kind is PartitionKeyKind.True or PartitionKeyKind.False;
        if (actual.Kind != Kind && !bothBoolean)
            return comparison == BinaryOperator.NotEqual;
        int order = Kind switch
        {
            PartitionKeyKind.Text => actual.Text.SequenceCompareTo(Text),
            PartitionKeyKind.Number => actual.Number.CompareTo(Number),
            _ => (actual.Kind == PartitionKeyKind.True).CompareTo(Kind == PartitionKeyKind.True),
        };
        return comparison switch
        {
            BinaryOperator.Equal => order == 0,
            BinaryOperator.NotEqual => order != 0,
            BinaryOperator.Less => order < 0,
            BinaryOperator.LessOrEqual => order <= 0,
            BinaryOperator.Greater => order > 0,
            _ => order >= 0,
        };
    }
}
