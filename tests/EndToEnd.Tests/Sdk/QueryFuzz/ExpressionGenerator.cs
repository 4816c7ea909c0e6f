namespace ScaleOut.Tests.EndToEnd.Sdk.QueryFuzz;

/// <summary>Random expressions over <see cref="OracleDocuments"/>, mostly of the types that their operators take.</summary>
internal sealed class ExpressionGenerator(Random random, OracleExpression root)
{
    private static readonly object Undefined = OracleValue.Undefined;
    private static readonly string[] Texts = ["", "a", "b", "ab", "AbC", "a b", "ä%", "x_y", "it's", "b\"c", "10", "-2.5", "true", "[1]"];

    private int _elements;

    /// <summary>The element of the array that FROM iterates; null for none.</summary>
    public OracleExpression? Element { get; init; }

    /// <summary>Whether expressions may have subqueries, which the service does not accept in aggregates.</summary>
    public bool HasSubqueries { get; set; } = true;

    public OracleExpression Any(int depth) => random.Next(Element is null ? 5 : 8) switch
    {
        5 or 6 => Element!,
        7 => Element!.Property("k", Chance(2)),
        0 => Boolean(depth),
        1 => Number(depth),
        2 => Text(depth),
        3 => Array(depth),
        _ => Path(random.Next(4) switch { 0 => "a", 1 => "d", 2 => "missing", _ => "o" }, depth),
    };

    /// <summary>A path to scalars, for ORDER BY and GROUP BY.</summary>
    public OracleExpression Key() => random.Next(6) switch
    {
        3 => root.Property("d", Chance(2)).Property("y", Chance(2)),
        var other => root.Property(((string[])["m", "i", "s", "", "missing", "pk"])[other], Chance(2)),
    };

    public OracleExpression Boolean(int depth)
    {
        if (depth <= 0)
            return Chance(2) ? Constant(Chance(2)) : root.Property("b", Chance(2));
        return random.Next(HasSubqueries ? 15 : 14) switch
        {
            14 => Subquery("EXISTS(SELECT VALUE {0} FROM {0} IN {1} WHERE {2})", depth, found => found.Count > 0),
            0 or 1 => OracleExpression.Binary(Chance(2) ? "AND" : "OR", Boolean(depth - 1), Boolean(depth - 1)),
            2 => Not(Boolean(depth - 1)),
            3 or 4 or 5 => Comparison(depth),
            6 => In(depth),
            7 => Between(depth),
            8 => Like(depth),
            9 => TypeCheck(depth),
            10 or 11 => Search(depth),
            12 => Contains(depth),
            _ => Conditional(depth, Boolean),
        };

        static OracleExpression Not(OracleExpression negated) =>
            new($"(NOT {negated.Text})", document => negated.Value(document) is bool flag ? !flag : Undefined);
    }

    public OracleExpression Number(int depth)
    {
        if (depth <= 0)
            return random.Next(4) switch
            {
                0 => Constant(random.Next(-5, 20)),
                1 => Constant(random.Next(-20, 20) / 4.0),
                2 => root.Property("i", Chance(2)),
                _ => root.Property("d", Chance(2)).Property("y", Chance(2)),
            };
        return random.Next(HasSubqueries ? 8 : 7) switch
        {
            7 => Subquery("(SELECT VALUE COUNT(1) FROM {0} IN {1} WHERE {2})", depth, found => (double)found.Count),
            0 or 1 => OracleExpression.Binary(Pick("+", "-", "*", "/", "%"), Number(depth - 1), Number(depth - 1)),
            2 => OracleExpression.Binary(Pick("&", "|", "^"), Number(depth - 1), Number(depth - 1)),
            3 => Call(Pick("ABS", "FLOOR", "CEILING", "ROUND", "SQRT", "SIGN", "TRUNC", "SQUARE"), Number(depth - 1), OfNumber),
            4 => Call(Pick("LENGTH", "ARRAY_LENGTH", "STRINGTONUMBER"), Chance(2) ? Text(depth - 1) : Array(depth - 1), OfText),
            5 => Negative(Number(depth - 1)),
            _ => Conditional(depth, Number),
        };

        static OracleExpression Negative(OracleExpression negated) =>
            new($"-({negated.Text})", document => negated.Value(document) is double x ? -x : Undefined);
    }

    public OracleExpression Text(int depth)
    {
        if (depth <= 0)
            return Chance(2) ? Constant(Texts[random.Next(Texts.Length)]) : Path(Pick("s", "t", "id", "pk"), 0);
        return random.Next(7) switch
        {
            0 => OracleExpression.Binary("||", Text(depth - 1), Text(depth - 1)),
            1 => Call(Pick("LOWER", "UPPER", "TRIM", "LTRIM", "RTRIM", "REVERSE"), Text(depth - 1), OfText),
            2 => Substring(depth),
            3 => Call("REPLACE", [Text(depth - 1), Text(0), Text(depth - 1)], values =>
                values is [string text, string { Length: > 0 } old, string by]
                    ? text.Replace(old, by, StringComparison.Ordinal)
                    : Undefined),
            4 => Call("CONCAT", [Text(depth - 1), Text(0), Text(depth - 1)], values =>
                values is [string a, string b, string c] ? a + b + c : Undefined),
            5 => Call("ToString", Chance(2) ? Boolean(depth - 1) : Text(depth - 1), (_, value) => value switch
            {
                string text => text,
                bool flag => flag ? "true" : "false",
                double number => number.ToString("R", CultureInfo.InvariantCulture),
                _ => value == Undefined ? Undefined : OracleValue.ToText(value),
            }),
            _ => Conditional(depth, Text),
        };
    }

    public OracleExpression Array(int depth)
    {
        if (depth <= 0 || Chance(3))
            return root.Property("l", Chance(2));
        return random.Next(HasSubqueries ? 5 : 3) switch
        {
            3 => Subquery("ARRAY(SELECT VALUE {0} FROM {0} IN {1} WHERE {2})", depth, found => found),
            4 => Subquery("ARRAY(SELECT DISTINCT VALUE {0} FROM {0} IN {1} WHERE {2})", depth, found =>
                found.DistinctBy(OracleValue.ToText).ToList()),
            0 => List([.. Enumerable.Range(0, random.Next(3)).Select(_ => Any(depth - 1))]),
            1 => Call("ARRAY_CONCAT", [Array(depth - 1), Array(depth - 1)], values =>
                values is [List<object?> first, List<object?> second] ? first.Concat(second).ToList() : Undefined),
            _ => Call("ARRAY_SLICE", [Array(depth - 1), Constant(random.Next(-3, 4)), Constant(random.Next(0, 4))], values =>
            {
                if (values[0] is not List<object?> list)
                    return Undefined;
                var start = (int)(double)values[1]!;
                start = start < 0 ? Math.Max(start + list.Count, 0) : start;
                return list.Skip(start).Take((int)(double)values[2]!).ToList();
            }),
        };

        static OracleExpression List(OracleExpression[] items) => new($"[{Join(items)}]", document =>
            items.Select(item => item.Value(document)).Where(item => item != Undefined).ToList());
    }

    /// <summary>A subquery over the elements of an array that meet a condition, which may also use the document.</summary>
    private OracleExpression Subquery(string text, int depth, Func<List<object?>, object?> result)
    {
        var name = $"e{_elements++}";
        var array = Array(depth - 1);
        var other = Chance(2) ? Any(depth - 1) : Number(depth - 1);
        (var condition, var isMet) = random.Next(5) switch
        {
            0 => ($"{name} = {other.Text}", (element, document) => OracleExpression.Calculate("=", element, other.Value(document))),
            1 => ($"{name} > {other.Text}", (element, document) => OracleExpression.Calculate(">", element, other.Value(document))),
            2 => ($"IS_NUMBER({name})", (element, _) => element is double),
            3 => ($"EXISTS(SELECT VALUE {name}i FROM {name}i IN {name} WHERE {name}i = {other.Text})", (element, document) =>
                element is List<object?> items
                && items.Any(item => OracleExpression.Calculate("=", item, other.Value(document)) is true)),
            _ => ((string, Func<object?, object?, object?>))($"{name}.k != {other.Text}", (element, document) => OracleExpression.Calculate(
                "!=", OracleExpression.Constant(name, element).Property("k", quoted: false).Value(document), other.Value(document))),
        };
        return new(
            string.Format(CultureInfo.InvariantCulture, text, name, $"(SELECT VALUE {array.Text})", condition), document => result(
                array.Value(document) is List<object?> items ? [.. items.Where(item => isMet(item, document) is true)] : []));
    }

    private static OracleExpression Constant(bool value) => OracleExpression.Constant(value ? "true" : "false", value);

    private static OracleExpression Constant(double value) =>
        OracleExpression.Constant(value.ToString("R", CultureInfo.InvariantCulture), value);

    private OracleExpression Constant(string value) => OracleExpression.Constant(
        Chance(2)
            ? JsonSerializer.Serialize(value) : $"'{JsonSerializer.Serialize(value)[1..^1].Replace("'", "\\'", StringComparison.Ordinal)}'",
        value);

    private OracleExpression Path(string name, int depth)
    {
        var path = root.Property(name, Chance(2));
        if (depth <= 0 || !Chance(3))
            return path;
        return Chance(2) ? path.Item(random.Next(3)) : path.Property(Pick("y", "z", "missing"), Chance(2));
    }

    private OracleExpression Comparison(int depth)
    {
        var comparison = Pick("=", "!=", "<", "<=", ">", ">=");
        return random.Next(4) switch
        {
            0 => OracleExpression.Binary(comparison, Text(depth - 1), Text(depth - 1)),
            1 => OracleExpression.Binary(comparison, Any(depth - 1), Any(depth - 1)),
            _ => OracleExpression.Binary(comparison, Number(depth - 1), Number(depth - 1)),
        };
    }

    private OracleExpression In(int depth)
    {
        var sought = Any(depth - 1);
        OracleExpression[] others = [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => Any(depth - 1))];
        var isNegated = Chance(3);
        return new($"({sought.Text} {(isNegated ? "NOT " : "")}IN ({Join(others)}))", document =>
        {
            var value = sought.Value(document);
            return value == Undefined ? Undefined : others.Any(other => OracleValue.Same(value, other.Value(document))) != isNegated;
        });
    }

    private OracleExpression Between(int depth)
    {
        (var value, var least, var most) = Chance(3)
            ? (Text(depth - 1), Text(depth - 1), Text(depth - 1)) : (Number(depth - 1), Number(depth - 1), Number(depth - 1));
        var isNegated = Chance(3);
        return new($"({value.Text} {(isNegated ? "NOT " : "")}BETWEEN {least.Text} AND {most.Text})", document =>
        {
            var at = value.Value(document);
            var result = OracleExpression.Calculate(
                "AND",
                OracleExpression.Calculate(">=", at, least.Value(document)),
                OracleExpression.Calculate("<=", at, most.Value(document)));
            return isNegated && result is bool flag ? !flag : result;
        });
    }

    private OracleExpression Like(int depth)
    {
        var text = Text(depth - 1);
        (var pattern, var regex) = random.Next(8) switch
        {
            0 => ("'%b%'", ".*b.*"),
            1 => ("'a%'", "a.*"),
            2 => ("'_b'", ".b"),
            3 => ("'[a-c]%'", "[a-c].*"),
            4 => ("'%[^a-z]'", ".*[^a-z]"),
            5 => ("'%!%%' ESCAPE '!'", ".*%.*"),
            6 => ("'%_!__' ESCAPE '!'", ".*._."),
            _ => ("'%a%b%'", ".*a.*b.*"),
        };
        var isNegated = Chance(3);
        return new($"({text.Text} {(isNegated ? "NOT " : "")}LIKE {pattern})", document =>
            text.Value(document) is string value
                ? Regex.IsMatch(value, $"^(?:{regex})\\z", RegexOptions.Singleline) != isNegated
                : Undefined);
    }

    private OracleExpression TypeCheck(int depth)
    {
        (var name, var type) = random.Next(9) switch
        {
            0 => ("IS_NULL", 1),
            1 => ("IS_BOOL", 2),
            2 => ("IS_NUMBER", 3),
            3 => ("IS_STRING", 4),
            4 => ("IS_ARRAY", 5),
            5 => ("IS_OBJECT", 6),
            6 => ("is_primitive", -1),
            _ => ("IS_DEFINED", -2),
        };
        return Call(name, Any(depth - 1), (_, value) =>
        {
            var actual = OracleValue.TypeOf(value);
            return type switch { -1 => actual is >= 1 and <= 4, -2 => actual > 0, _ => actual == type };
        });
    }

    private OracleExpression Search(int depth)
    {
        var name = Pick("CONTAINS", "STARTSWITH", "ENDSWITH", "StringEquals");
        OracleExpression[] arguments = [Text(depth - 1), Text(depth - 1)];
        bool? ignoresCase = random.Next(3) switch { 0 => true, 1 => false, _ => null };
        var flag = ignoresCase is null ? "" : ignoresCase.Value ? ", true" : ", false";
        return OracleExpression.Call($"{name}({Join(arguments)}{flag})", arguments, values =>
        {
            if (values is not [string text, string sought])
                return Undefined;
            var comparison = ignoresCase == true ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
            return name switch
            {
                "CONTAINS" => text.Contains(sought, comparison),
                "STARTSWITH" => text.StartsWith(sought, comparison),
                "ENDSWITH" => text.EndsWith(sought, comparison),
                _ => text.Equals(sought, comparison),
            };
        });
    }

    private OracleExpression Contains(int depth)
    {
        var array = Array(depth - 1);
        if (Chance(3))
        {
            return OracleExpression.Call($$"""ARRAY_CONTAINS({{array.Text}}, {"k": 1}, true)""", [array], values =>
                values[0] is not List<object?> list ? Undefined : list.Any(item =>
                    item is SortedDictionary<string, object?> one && one.TryGetValue("k", out var value) && value is 1.0));
        }

        return Call("ARRAY_CONTAINS", [array, Any(depth - 1)], values => values[0] is not List<object?> list || values[1] == Undefined
            ? Undefined
            : list.Any(item => OracleValue.Same(item, values[1])));
    }

    private OracleExpression Conditional(int depth, Func<int, OracleExpression> of)
    {
        (var first, var second) = (of(depth - 1), of(depth - 1));
        if (Chance(2))
            return OracleExpression.Binary("??", first, second);
        var condition = Boolean(depth - 1);
        var text = Chance(2) ? $"({condition.Text} ? {first.Text} : {second.Text})" : $"IIF({condition.Text}, {first.Text}, {second.Text})";
        return new(text, document => condition.Value(document) is true ? first.Value(document) : second.Value(document));
    }

    private OracleExpression Substring(int depth)
    {
        var text = Text(depth - 1);
        (var start, var length) = (random.Next(0, 3), random.Next(0, 4));
        return random.Next(3) switch
        {
            0 => Part($"SUBSTRING({text.Text}, {start}, {length})", all => all.Skip(start).Take(length)),
            1 => Part($"LEFT({text.Text}, {length})", all => all.Take(length)),
            _ => Part($"RIGHT({text.Text}, {length})", all => all.TakeLast(length)),
        };

        OracleExpression Part(string call, Func<string, IEnumerable<char>> part) =>
            OracleExpression.Call(call, [text], values => values[0] is string all ? string.Concat(part(all)) : Undefined);
    }

    private static OracleExpression Call(string name, OracleExpression[] arguments, Func<object?[], object?> body) =>
        OracleExpression.Call($"{name}({Join(arguments)})", arguments, body);

    private static OracleExpression Call(string name, OracleExpression argument, Func<string, object?, object?> body) =>
        OracleExpression.Call($"{name}({argument.Text})", [argument], values => body(name, values[0]));

    private static object? OfNumber(string name, object? value) => value is not double x ? Undefined : OracleExpression.Finite(name switch
    {
        "ABS" => Math.Abs(x),
        "FLOOR" => Math.Floor(x),
        "CEILING" => Math.Ceiling(x),
        "ROUND" => Math.Floor(Math.Abs(x) + 0.5) * Math.Sign(x),
        "SQRT" => Math.Sqrt(x),
        "SIGN" => x > 0 ? 1 : x < 0 ? -1 : 0,
        "TRUNC" => Math.Truncate(x),
        _ => x * x,
    });

    private static object? OfText(string name, object? value) => (name, value) switch
    {
        ("LENGTH", string text) => (double)text.Length,
        ("ARRAY_LENGTH", List<object?> list) => (double)list.Count,
        ("STRINGTONUMBER", string text) => Regex.IsMatch(text, "^-?(0|[1-9][0-9]*)([.][0-9]+)?\\z")
            ? double.Parse(text, CultureInfo.InvariantCulture) : Undefined,
        ("LOWER", string text) => text.ToLowerInvariant(),
        ("UPPER", string text) => text.ToUpperInvariant(),
        ("TRIM", string text) => text.Trim(),
        ("LTRIM", string text) => text.TrimStart(),
        ("RTRIM", string text) => text.TrimEnd(),
        ("REVERSE", string text) => string.Concat(text.Reverse()),
        _ => Undefined,
    };

    private static string Join(IEnumerable<OracleExpression> expressions) => string.Join(", ", expressions.Select(one => one.Text));
    private bool Chance(int oneIn) => random.Next(oneIn) == 0;
    private string Pick(params string[] names) => names[random.Next(names.Length)];
}
