namespace ScaleOut.Simulator.Engine.Queries.Functions;

/// <summary>Functions on numbers. They are undefined for other arguments, and if the result is no JSON number.</summary>
internal static class MathFunctions
{
    public static readonly Function[] All =
    [
        One("ABS", Math.Abs), One("ACOS", Math.Acos), One("ASIN", Math.Asin), One("ATAN", Math.Atan), One("CEILING", Math.Ceiling),
        One("COS", Math.Cos), One("COT", value => 1 / Math.Tan(value)), One("DEGREES", value => value * (180 / Math.PI)),
        One("EXP", Math.Exp), One("FLOOR", Math.Floor), One("LOG10", Math.Log10), One("RADIANS", value => value * (Math.PI / 180)),
        One("ROUND", value => Math.Round(value, MidpointRounding.AwayFromZero)),
        One("SIGN", value => Math.Sign(value)), One("SIN", Math.Sin), One("SQRT", Math.Sqrt),
        One("SQUARE", value => value * value), One("TAN", Math.Tan), One("TRUNC", Math.Truncate),
        Two("ATN2", Math.Atan2), Two("POWER", Math.Pow),
        new("LOG", 1, 2, (_, arguments) => arguments.Length == 1
            ? Calculate(arguments, Math.Log)
            : CalculateTwo(arguments, (value, newBase) => Math.Log(value, newBase))),
        new("NUMBERBIN", 1, 2, (_, arguments) => arguments.Length == 1
            ? Calculate(arguments, Math.Floor)
            : CalculateTwo(arguments, (value, size) => Math.Floor(value / size) * size)),
        new("PI", 0, 0, (_, _) => Datum.From(Math.PI)),
        new("RAND", 0, 0, (_, _) => Datum.From(Random.Shared.NextDouble())),
        Integers("INTADD", (left, right) => unchecked(left + right)), Integers("INTSUB", (left, right) => unchecked(left - right)),
        Integers("INTMUL", (left, right) => unchecked(left * right)),
        Integers("INTDIV", (left, right) => right is 0 or -1 ? (right == 0 ? null : unchecked(-left)) : left / right),
        Integers("INTMOD", (left, right) => right is 0 or -1 ? (right == 0 ? null : 0) : left % right),
        Integers("INTBITAND", (left, right) => left & right), Integers("INTBITOR", (left, right) => left | right),
        Integers("INTBITXOR", (left, right) => left ^ right),
        Integers("INTBITLEFTSHIFT", (left, right) => right is >= 0 and < 64 ? left << (int)right : null),
        Integers("INTBITRIGHTSHIFT", (left, right) => right is >= 0 and < 64 ? left >> (int)right : null),
        new("INTBITNOT", 1, 1, (_, arguments) => TryLong(arguments[0], out var value) ? Datum.From(~value) : Datum.Undefined),
    ];

    private static Function One(string name, Func<double, double> body) => new(name, 1, 1, (_, arguments) => Calculate(arguments, body));

    private static Function Two(string name, Func<double, double, double> body) =>
        new(name, 2, 2, (_, arguments) => CalculateTwo(arguments, body));

    private static Function Integers(string name, Func<long, long, long?> body) => new(name, 2, 2, (_, arguments) =>
        TryLong(arguments[0], out var left) && TryLong(arguments[1], out var right) && body(left, right) is { } result
            ? Datum.From(result)
            : Datum.Undefined);

    private static Datum Calculate(ReadOnlySpan<Datum> arguments, Func<double, double> body) =>
        arguments[0].Type == DatumType.Number ? Datum.From(body(arguments[0].Number)) : Datum.Undefined;

    private static Datum CalculateTwo(ReadOnlySpan<Datum> arguments, Func<double, double, double> body) =>
        arguments[0].Type == DatumType.Number && arguments[1].Type == DatumType.Number
            ? Datum.From(body(arguments[0].Number, arguments[1].Number))
            : Datum.Undefined;

    internal static bool TryLong(Datum value, out long integer)
    {
        if (value.TryLong(out integer))
            return true;
        var isInteger = value.Type == DatumType.Number && value.Number == Math.Floor(value.Number)
            && value.Number is >= long.MinValue and < 9223372036854775808.0;
        integer = isInteger ? (long)value.Number : 0;
        return isInteger;
    }
}
