namespace ScaleOut.Tests.Simulator.Engine.Queries.Fuzz;

/// <summary>A query as text, and what the oracle says that it returns for a list of documents.</summary>
/// <param name="Text">The query.</param>
/// <param name="Run">Evaluates it on all documents, then orders, cuts and aggregates.</param>
internal sealed record OracleQuery(string Text, Func<IReadOnlyList<object?>, List<object?>> Run)
{
    private static readonly object Undefined = OracleValue.Undefined;

    private bool _hasOrder;
    private bool _isCut;
    private bool _hasGroups;

    public static OracleQuery Create(Random random, bool endsOrderWithNumber = false)
    {
        string alias = random.Next(3) switch { 0 => "root", 1 => "c", _ => "doc" };
        string from = alias == "doc" ? "FROM c AS doc" : $"FROM {alias}";
        var root = new OracleExpression(alias, document => document);
        var generator = new ExpressionGenerator(random, root);
        OracleExpression? where = random.Next(4) == 0 ? null : generator.Boolean(random.Next(1, 4));
        string condition = where is null ? "" : $" WHERE {where.Text}";
        Window window = Window.Create(random);
        return random.Next(10) < 6
            ? Selection(random, generator, root, from, condition, where, window, endsOrderWithNumber)
            : Aggregation(random, generator, from, condition, where, window);
    }

    /// <summary>
    /// What differs between the oracle's results and those given, as JSON; null for nothing. Groups have no order, nor has anything without
    /// ORDER BY that comes from several partitions: a part of that may be any part.
    /// </summary>
    public string? Difference(IReadOnlyList<object?> documents, IEnumerable<string> results, bool isOfOnePartition)
    {
        List<string> expected = [.. Run(documents).Select(Canonical)];
        List<string> actual = [.. results.Select(one => Canonical(WithoutSystemProperties(OracleValue.Parse(one))))];
        bool hasOrder = _hasOrder || (isOfOnePartition && !_hasGroups);
        // Groups may have no result, and count where a query is cut.
        bool isSame = hasOrder ? expected.SequenceEqual(actual)
            : _isCut ? expected.Count == actual.Count || _hasGroups
            : expected.Order(StringComparer.Ordinal).SequenceEqual(actual.Order(StringComparer.Ordinal));
        string Canonical(object? value) => OracleValue.ToText(isOfOnePartition ? value : OracleValue.Rounded(value));
        return isSame ? null : $"{Text}\nexpected: {string.Join(' ', expected)}\nactual:   {string.Join(' ', actual)}";
    }

    private static object? WithoutSystemProperties(object? result)
    {
        if (result is SortedDictionary<string, object?> properties && properties.ContainsKey("_rid"))
        {
            foreach (string name in new[] { "_rid", "_self", "_etag", "_ts", "_attachments" })
                Assert.True(properties.Remove(name), name);
        }

        return result;
    }

    private static List<object?> Filter(IEnumerable<object?> documents, OracleExpression? where) =>
        [.. documents.Where(document => where is null || where.Value(document) is true)];

    private static OracleQuery Selection(
        Random random, ExpressionGenerator generator, OracleExpression root, string from, string condition, OracleExpression? where,
        Window window, bool endsOrderWithNumber)
    {
        (string text, Func<object?, object?> value) = Select(random, generator);
        bool isDistinct = text != "*" && random.Next(4) == 0;
        var keys = new List<(OracleExpression Key, bool Descending)>();
        if (random.Next(2) == 0)
        {
            for (int i = random.Next(2); i >= 0; i--)
                keys.Add((generator.Key(), random.Next(2) == 0));
            if (endsOrderWithNumber)
                keys.Add((root.Property("n", false), random.Next(2) == 0));
        }

        string order = keys.Count == 0 ? "" : $" ORDER BY {string.Join(", ", keys.Select(Direction))}";
        string query = $"SELECT {(isDistinct ? "DISTINCT " : "")}{window.Top}{text} {from}{condition}{order}{window.OffsetLimit}";
        return new OracleQuery(query, documents =>
        {
            List<object?> found = Filter(documents, where);
            found.Sort((left, right) => Compare(keys, left, right));
            IEnumerable<object?> results = found.Select(value).Where(result => result != Undefined);
            if (isDistinct)
                results = results.DistinctBy(OracleValue.ToText);
            return [.. window.Cut(results)];
        })
        {
            _hasOrder = keys.Count > 0,
            _isCut = window.Text.Length > 0,
        };

        static string Direction((OracleExpression Key, bool Descending) one) => $"{one.Key.Text}{(one.Descending ? " DESC" : " asc")}";
    }

    /// <summary>By the keys, then by number in the first key's direction; List.Sort is not stable.</summary>
    private static int Compare(List<(OracleExpression Key, bool Descending)> keys, object? left, object? right)
    {
        foreach ((OracleExpression key, bool descending) in keys)
        {
            int order = OracleValue.Order(key.Value(left), key.Value(right));
            if (order != 0)
                return descending ? -order : order;
        }

        int byNumber = Number(left).CompareTo(Number(right));
        return keys.Count > 0 && keys[0].Descending ? -byNumber : byNumber;

        static double Number(object? document) => (double)((SortedDictionary<string, object?>)document!)["n"]!;
    }

    private static (string Text, Func<object?, object?> Value) Select(Random random, ExpressionGenerator generator)
    {
        if (random.Next(4) == 0)
            return ("*", document => document);
        if (random.Next(2) == 0)
        {
            OracleExpression value = generator.Any(2);
            return ($"VALUE {value.Text}", value.Value);
        }

        OracleExpression[] items = [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => generator.Any(2))];
        return (string.Join(", ", items.Select((item, i) => $"{item.Text} AS x{i}")), document => Object(items.Select(
            (item, i) => ($"x{i}", item.Value(document)))));
    }

    private static SortedDictionary<string, object?> Object(IEnumerable<(string Name, object? Value)> properties) => new(
        properties.Where(one => one.Value != Undefined).ToDictionary(one => one.Name, one => one.Value), StringComparer.Ordinal);

    private static OracleQuery Aggregation(
        Random random, ExpressionGenerator generator, string from, string condition, OracleExpression? where, Window window)
    {
        OracleExpression[] keys = [.. Enumerable.Range(0, random.Next(3)).Select(_ => generator.Key())];
        List<(string Name, string Text, Func<List<object?>, object?> Value)> items = [];
        bool isValue = random.Next(3) == 0;
        for (int i = isValue ? 0 : random.Next(3); i >= 0; i--)
        {
            string name = new[] { "COUNT", "SUM", "AVG", "MIN", "MAX" }[random.Next(5)];
            OracleExpression argument = random.Next(3) == 0 ? OracleExpression.Constant("1", 1.0)
                : random.Next(3) == 0 ? generator.Key() : generator.Number(1);
            items.Add(($"v{i}", $"{name}({argument.Text})", group => Aggregate(name, [.. group.Select(argument.Value)])));
        }

        if (!isValue)
            items.AddRange(keys.Select((key, i) => ($"k{i}", key.Text, (Func<List<object?>, object?>)(group => key.Value(group[0])))));
        string select = isValue
            ? $"VALUE {items[0].Text}"
            : string.Join(", ", items.Select(item => $"{item.Text} AS {item.Name}"));
        string grouping = keys.Length == 0 ? "" : $" GROUP BY {string.Join(", ", keys.Select(key => key.Text))}";
        string query = $"SELECT {window.Top}{select} {from}{condition}{grouping}{window.OffsetLimit}";
        return new OracleQuery(query, documents =>
        {
            List<object?> found = Filter(documents, where);
            IEnumerable<List<object?>> groups = keys.Length == 0
                ? [found]
                : found.GroupBy(document => string.Join('\n', keys.Select(key => OracleValue.ToText(key.Value(document)))))
                    .Select(group => group.ToList());
            return
            [
                .. window.Cut(groups.Select(group => isValue
                    ? items[0].Value(group)
                    : Object(items.Select(item => (item.Name, item.Value(group))))))
                    .Where(result => result != Undefined),
            ];
        })
        {
            _hasOrder = keys.Length == 0,
            _hasGroups = keys.Length > 0,
            _isCut = window.Text.Length > 0,
        };
    }

    private static object? Aggregate(string name, object?[] values)
    {
        object?[] defined = [.. values.Where(value => value != Undefined)];
        bool areNumbers = defined.All(value => value is double);
        switch (name)
        {
            case "COUNT":
                return (double)defined.Length;
            case "SUM":
                return areNumbers ? OracleExpression.Finite(defined.Cast<double>().Aggregate(0.0, (sum, value) => sum + value)) : Undefined;
            case "AVG":
                return areNumbers && defined.Length > 0
                    ? OracleExpression.Finite(defined.Cast<double>().Aggregate(0.0, (sum, value) => sum + value) / defined.Length)
                    : Undefined;
            default:
                if (defined.Length == 0 || defined.Any(value => OracleValue.TypeOf(value) > 4))
                    return Undefined;
                return name == "MIN"
                    ? defined.Aggregate((least, value) => OracleValue.Order(value, least) < 0 ? value : least)
                    : defined.Aggregate((most, value) => OracleValue.Order(value, most) > 0 ? value : most);
        }
    }

    /// <summary>TOP, or OFFSET and LIMIT, or neither.</summary>
    private sealed record Window(string Top, string OffsetLimit, int Offset, int Limit)
    {
        public string Text => Top + OffsetLimit;

        public static Window Create(Random random)
        {
            (int offset, int limit) = (random.Next(12), random.Next(15));
            return random.Next(4) switch
            {
                0 => new Window(string.Create(CultureInfo.InvariantCulture, $"TOP {limit} "), "", 0, limit),
                1 => new Window("", string.Create(CultureInfo.InvariantCulture, $" OFFSET {offset} LIMIT {limit}"), offset, limit),
                _ => new Window("", "", 0, int.MaxValue),
            };
        }

        public IEnumerable<object?> Cut(IEnumerable<object?> results) => results.Skip(Offset).Take(Limit);
    }
}
