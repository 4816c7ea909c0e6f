using System.Text.Json;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A scalar that documents are compared with.</summary>
internal sealed record QueryValue(PartitionKeyKind Kind, double Number, byte[] Text)
{
    public static QueryValue From(string text) => new(PartitionKeyKind.Text, 0, System.Text.Encoding.UTF8.GetBytes(text));

    public static QueryValue From(double number) => new(PartitionKeyKind.Number, number, []);

    public static QueryValue From(bool value) => new(value ? PartitionKeyKind.True : PartitionKeyKind.False, 0, []);

    public static QueryValue Null { get; } = new(PartitionKeyKind.Null, 0, []);

    /// <exception cref="RequestException">400: an object or an array.</exception>
    public static QueryValue From(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => From(value.GetString()!),
        JsonValueKind.Number => From(value.GetDouble()),
        JsonValueKind.True or JsonValueKind.False => From(value.GetBoolean()),
        JsonValueKind.Null => Null,
        _ => throw RequestException.Rejected(ServiceStatus.BadRequest, "Only scalar parameters are simulated."),
    };

    public PartitionKeyValue AsPartitionKey() => Kind switch
    {
        PartitionKeyKind.Text => PartitionKeyValue.From(Text),
        PartitionKeyKind.Number => PartitionKeyValue.From(Number),
        PartitionKeyKind.Null => PartitionKeyValue.Null,
        _ => PartitionKeyValue.From(Kind == PartitionKeyKind.True),
    };

    /// <summary>
    /// Whether <paramref name="actual"/> stands in the relation to this value. Different types are in none, as on the service.
    /// </summary>
    public bool Holds(QueryComparison comparison, PartitionKeyValue actual)
    {
        bool bothBoolean = actual.Kind is PartitionKeyKind.True or PartitionKeyKind.False
            && Kind is PartitionKeyKind.True or PartitionKeyKind.False;
        if (actual.Kind != Kind && !bothBoolean)
            return false;
        int order = Kind switch
        {
            PartitionKeyKind.Text => actual.Text.SequenceCompareTo(Text),
            PartitionKeyKind.Number => actual.Number.CompareTo(Number),
            _ => actual.Kind.CompareTo(Kind),
        };
        return comparison switch
        {
            QueryComparison.Equal => order == 0,
            QueryComparison.NotEqual => order != 0,
            QueryComparison.Less => order < 0,
            QueryComparison.LessOrEqual => order <= 0,
            QueryComparison.Greater => order > 0,
            _ => order >= 0,
        };
    }
}
