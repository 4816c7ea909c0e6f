namespace ScaleOut.Tests.EndToEnd.Sdk.QueryFuzz;

/// <summary>An expression as text, and what the oracle says that it is for a document.</summary>
internal sealed record OracleExpression(string Text, Func<object?, object?> Value)
{
    private static readonly object Undefined = OracleValue.Undefined;

    public static OracleExpression Constant(string text, object? value) => new(text, _ => value);

    public OracleExpression Property(string name, bool quoted) => new(
        quoted ? $"{Text}[\"{name}\"]" : $"{Text}.{name}",
        document => Value(document) is SortedDictionary<string, object?> properties && properties.TryGetValue(name, out var value)
            ? value
            : Undefined);

    public OracleExpression Item(int index) => new(
        $"{Text}[{index}]", document => Value(document) is List<object?> list && index < list.Count ? list[index] : Undefined);

    public static OracleExpression Binary(string symbol, OracleExpression left, OracleExpression right) =>
        new($"({left.Text} {symbol} {right.Text})", document => Calculate(symbol, left.Value(document), right.Value(document)));

    public static OracleExpression Call(string text, IReadOnlyList<OracleExpression> arguments, Func<object?[], object?> body) =>
        new(text, document => body([.. arguments.Select(one => one.Value(document))]));

    public static object? Calculate(string symbol, object? left, object? right)
    {
        switch (symbol)
        {
            case "AND":
                return left is false || right is false ? false : left is true && right is true ? true : Undefined;
            case "OR":
                return left is true || right is true ? true : left is false && right is false ? false : Undefined;
            case "??":
                return left != Undefined ? left : right;
            case "=" or "!=":
                return left == Undefined || right == Undefined ? Undefined : OracleValue.Same(left, right) == (symbol == "=");
            case "||":
                return left is string first && right is string second ? first + second : Undefined;
            case "<" or "<=" or ">" or ">=":
                if (OracleValue.TypeOf(left) is not (>= 1 and <= 4) || OracleValue.TypeOf(left) != OracleValue.TypeOf(right))
                    return Undefined;
                var order = OracleValue.Compare(left, right);
                return symbol switch { "<" => order < 0, "<=" => order <= 0, ">" => order > 0, _ => order >= 0 };
            default:
                return left is double x && right is double y ? Number(symbol, x, y) : Undefined;
        }
    }

    /// <summary>Whether a calculation on this thread had infinity or NaN as its result.</summary>
    [field: ThreadStatic]
    public static bool SawInfinity { get; set; }

    public static object? Finite(double value)
    {
        SawInfinity |= !double.IsFinite(value);
        return double.IsFinite(value) ? value : Undefined;
    }

    /// <summary>The lowest 32 bits of a number.</summary>
    public static int Bits(double value)
    {
        var whole = Math.Truncate(value) % 4294967296.0;
        return unchecked((int)(uint)(whole < 0 ? whole + 4294967296.0 : whole));
    }

    private static object? Number(string symbol, double left, double right) => Finite(symbol switch
    {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "%" => left % right,
        "&" => Bits(left) & Bits(right),
        "|" => Bits(left) | Bits(right),
        "^" => Bits(left) ^ Bits(right),
        _ => throw new ArgumentException(symbol),
    });
}

/// <summary>Values of the oracle: null, bool, double, string, List, SortedDictionary, and <see cref="Undefined"/>.</summary>
internal static class OracleValue
{
    public static readonly object Undefined = new();

    /// <summary>JSON with sorted properties, in which equal values are the same text.</summary>
    public static string ToText(object? value) => value switch
    {
        null => "null",
        bool flag => flag ? "true" : "false",
        double number => (number == 0 ? 0 : number).ToString("R", CultureInfo.InvariantCulture),
        string text => JsonSerializer.Serialize(text),
        List<object?> list => $"[{string.Join(',', list.Select(ToText))}]",
        SortedDictionary<string, object?> properties =>
            $"{{{string.Join(',', properties.Select(one => $"{JsonSerializer.Serialize(one.Key)}:{ToText(one.Value)}"))}}}",
        _ => "undefined",
    };

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

    /// <summary>The value with 12 digits of each number, as the last digits of a sum depend on the order of addition.</summary>
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
        using var document = JsonDocument.Parse(json);
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

    public static bool Same(object? left, object? right) => left != Undefined && right != Undefined && ToText(left) == ToText(right);

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
