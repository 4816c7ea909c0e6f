namespace ScaleOut.Tests.Simulator.Engine.Queries.Fuzz;

/// <summary>
/// Values of the oracle as plain objects: null, bool, double, string, List, SortedDictionary, and <see cref="Undefined"/>.
/// </summary>
internal static class OracleValue
{
    public static readonly object Undefined = new();

    /// <summary>JSON with sorted properties, in which equal values are the same text.</summary>
    public static string ToText(object? value)
    {
        switch (value)
        {
            case null:
                return "null";
            case bool flag:
                return flag ? "true" : "false";
            case double number:
                return (number == 0 ? 0 : number).ToString("R", CultureInfo.InvariantCulture);
            case string text:
                return JsonSerializer.Serialize(text);
            case List<object?> list:
                return $"[{string.Join(',', list.Select(ToText))}]";
            case SortedDictionary<string, object?> properties:
                return new StringBuilder("{")
                    .AppendJoin(',', properties.Select(one => $"{JsonSerializer.Serialize(one.Key)}:{ToText(one.Value)}"))
                    .Append('}').ToString();
            default:
                return "undefined";
        }
    }

    public static object? From(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Null => null,
        JsonValueKind.True or JsonValueKind.False => element.GetBoolean(),
        JsonValueKind.Number => element.GetDouble(),
        JsonValueKind.String => element.GetString(),
        JsonValueKind.Array => element.EnumerateArray().Select(From).ToList(),
        _ => new SortedDictionary<string, object?>(
            element.EnumerateObject().ToDictionary(one => one.Name, one => From(one.Value)), StringComparer.Ordinal),
    };

    /// <summary>The value with 12 digits of each number: the last ones of a sum depend on the order of addition.</summary>
    public static object? Rounded(object? value) => value switch
    {
        double number => double.Parse(number.ToString("G12", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture),
        List<object?> list => list.Select(Rounded).ToList(),
        SortedDictionary<string, object?> properties => new SortedDictionary<string, object?>(
            properties.ToDictionary(one => one.Key, one => Rounded(one.Value)), StringComparer.Ordinal),
        _ => value,
    };

    public static object? Parse(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return From(document.RootElement);
    }

    /// <summary>The place of a type in ORDER BY; true and false count as one type in conditions.</summary>
    public static int TypeOf(object? value) => value switch
    {
        null => 1,
        bool => 2,
        double => 3,
        string => 4,
        List<object?> => 5,
        SortedDictionary<string, object?> => 6,
        _ => 0,
    };

    public static bool Same(object? left, object? right) =>
        left != Undefined && right != Undefined && ToText(left) == ToText(right);

    /// <summary>The order of two scalars of one type.</summary>
    public static int Compare(object? left, object? right) => left switch
    {
        bool flag => flag.CompareTo((bool)right!),
        double number => number.CompareTo((double)right!),
        string text => string.CompareOrdinal(text, (string)right!),
        _ => 0,
    };

    /// <summary>The order of ORDER BY; arrays and objects are not compared with their kind.</summary>
    public static int Order(object? left, object? right) =>
        TypeOf(left) != TypeOf(right) ? TypeOf(left).CompareTo(TypeOf(right)) : Compare(left, right);
}
