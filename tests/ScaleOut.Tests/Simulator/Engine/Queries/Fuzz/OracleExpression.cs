namespace ScaleOut.Tests.Simulator.Engine.Queries.Fuzz;

/// <summary>An expression as text, and what the oracle says that it is for a document.</summary>
internal sealed record OracleExpression(string Text, Func<object?, object?> Value)
{
    private static readonly object Undefined = OracleValue.Undefined;

    public static OracleExpression Constant(string text, object? value) => new(text, _ => value);

    public OracleExpression Property(string name, bool quoted) => new(
        quoted ? $"{Text}[\"{name}\"]" : $"{Text}.{name}",
        document => Value(document) is SortedDictionary<string, object?> properties && properties.TryGetValue(name, out object? value)
            ? value
            : Undefined);

    public OracleExpression Item(int index) => new(
        $"{Text}[{index}]",
        document => Value(document) is List<object?> list && index < list.Count ? list[index] : Undefined);

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
                int order = OracleValue.Compare(left, right);
                return symbol switch
                {
                    "<" => order < 0,
                    "<=" => order <= 0,
                    ">" => order > 0,
                    _ => order >= 0,
                };
            default:
                return left is double x && right is double y ? Number(symbol, x, y) : Undefined;
        }
    }

    public static object? Finite(double value) => double.IsFinite(value) ? value : Undefined;

    /// <summary>The 32 bits of a number, one after the other.</summary>
    public static int Bits(double value)
    {
        double whole = Math.Truncate(value) % 4294967296.0;
        if (whole < 0)
            whole += 4294967296.0;
        return unchecked((int)(uint)whole);
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
