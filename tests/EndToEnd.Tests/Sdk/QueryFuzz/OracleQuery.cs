namespace ScaleOut.Tests.EndToEnd.Sdk.QueryFuzz;

/// <summary>A query as text, and what the oracle says that it returns for a list of documents.</summary>
internal sealed record OracleQuery(string Text, Func<IReadOnlyList<object?>, List<object?>> Run)
{
    private static readonly object Undefined = OracleValue.Undefined;
    private bool _hasOrder;
    private bool _isCut;
    private bool _hasGroups;

    public static OracleQuery Create(Random random, bool endsOrderWithNumber = false)
    {
        var alias = random.Next(3) switch { 0 => "root", 1 => "c", _ => "doc" };
        var from = alias == "doc" ? "FROM c AS doc" : $"FROM {alias}";
        var root = new OracleExpression(alias, row => row is Row one ? one.Document : row);
        var joins = random.Next(4) == 0;
        var element = joins ? new OracleExpression("element", row => ((Row)row!).Element) : null;
        from += joins ? $" JOIN element IN {alias}.l" : "";
        var generator = new ExpressionGenerator(random, root) { Element = element };
        var where = random.Next(4) == 0 ? null : generator.Boolean(random.Next(1, 4));
        var condition = where is null ? "" : $" WHERE {where.Text}";
        var window = Window.Create(random);
        var query = random.Next(10) < 6
            ? Selection(random, generator, root, from, condition, where, window, endsOrderWithNumber)
            : Aggregation(random, generator, from, condition, where, window);
        return joins ? query with { Run = documents => query.Run(Rows(documents)) } : query;
    }

    /// <summary>The documents with the elements of their arrays, in order.</summary>
    private static List<object?> Rows(IReadOnlyList<object?> documents) =>
    [
        .. documents.SelectMany(document => ((SortedDictionary<string, object?>)document!).GetValueOrDefault("l") is List<object?> list
            ? list.Select((element, place) => new Row(document, element, place)) : []),
    ];

    /// <param name="Place">The element's place in its array.</param>
    private sealed record Row(object? Document, object? Element, int Place);

    /// <summary>
    /// Whether a calculation has infinity or NaN as its result. Such a result of the query is an error. What becomes of it within a query
    /// is not known, so the oracle says nothing.
    /// </summary>
    public bool HasInfinity(IReadOnlyList<object?> documents)
    {
        OracleExpression.SawInfinity = false;
        Run(documents);
        return OracleExpression.SawInfinity;
    }

    /// <summary>
    /// The difference between the oracle's results and these, as JSON, or null. Groups have no order. Results of several partitions have an
    /// order only with ORDER BY, and a window of those may be any part.
    /// </summary>
    public string? Difference(IReadOnlyList<object?> documents, IEnumerable<string> results, bool isOfOnePartition)
    {
        List<string> expected = [.. Run(documents).Select(Canonical)];
        List<string> actual = [.. results.Select(one => Canonical(WithoutSystemProperties(OracleValue.Parse(one))))];
        var hasOrder = _hasOrder || (isOfOnePartition && !_hasGroups);
        // A group without a result still counts in a window.
        var isSame = hasOrder ? expected.SequenceEqual(actual)
            : _isCut ? expected.Count == actual.Count || _hasGroups
            : expected.Order(StringComparer.Ordinal).SequenceEqual(actual.Order(StringComparer.Ordinal));

        string Canonical(object? value) => OracleValue.ToText(isOfOnePartition ? value : OracleValue.Rounded(value));
        return isSame ? null : $"{Text}\nexpected: {string.Join(' ', expected)}\nactual:   {string.Join(' ', actual)}";
    }

    private static object? WithoutSystemProperties(object? result)
    {
        if (result is SortedDictionary<string, object?> properties && properties.ContainsKey("_rid"))
        {
            foreach (var name in new[] { "_rid", "_self", "_etag", "_ts", "_attachments" })
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
        (var text, var value) = Select(random, generator);
        var isDistinct = text != "*" && random.Next(4) == 0;
        var keys = new List<(OracleExpression Key, bool Descending)>();
        if (random.Next(2) == 0)
        {
            for (var i = random.Next(2); i >= 0; i--)
                keys.Add((generator.Key(), random.Next(2) == 0));
            if (endsOrderWithNumber)
                keys.Add((root.Property("n", false), random.Next(2) == 0));
        }

        var order = keys.Count == 0 ? "" : $" ORDER BY {string.Join(", ", keys.Select(Direction))}";
        var query = $"SELECT {(isDistinct ? "DISTINCT " : "")}{window.Top}{text} {from}{condition}{order}{window.OffsetLimit}";
        return new OracleQuery(query, documents =>
        {
            var found = Filter(documents, where);
            found.Sort((left, right) => Compare(keys, left, right));
            var results = found.Select(value).Where(result => result != Undefined);
            if (isDistinct)
                results = results.DistinctBy(OracleValue.ToText);
            return [.. window.Cut(results)];
        })
        {
            _hasOrder = keys.Count > 0, _isCut = window.Text.Length > 0,
        };

        static string Direction((OracleExpression Key, bool Descending) one) => $"{one.Key.Text}{(one.Descending ? " DESC" : " asc")}";
    }

    /// <summary>By the keys, then by number in the first key's direction; List.Sort is not stable.</summary>
    private static int Compare(List<(OracleExpression Key, bool Descending)> keys, object? left, object? right)
    {
        foreach ((var key, var descending) in keys)
        {
            var order = OracleValue.Order(key.Value(left), key.Value(right));
            if (order != 0)
                return descending ? -order : order;
        }

        var byNumber = Number(DocumentOf(left)).CompareTo(Number(DocumentOf(right)));
        return byNumber == 0 ? PlaceOf(left).CompareTo(PlaceOf(right)) : keys.Count > 0 && keys[0].Descending ? -byNumber : byNumber;

        static object? DocumentOf(object? row) => row is Row one ? one.Document : row;
        static int PlaceOf(object? row) => row is Row one ? one.Place : 0;

        static double Number(object? document) => (double)((SortedDictionary<string, object?>)document!)["n"]!;
    }

    private static (string Text, Func<object?, object?> Value) Select(Random random, ExpressionGenerator generator)
    {
        if (random.Next(4) == 0 && generator.Element is null)
            return ("*", document => document);
        if (random.Next(2) == 0)
        {
            var value = generator.Any(2);
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
        generator.HasSubqueries = false;
        var isValue = random.Next(3) == 0;
        for (var i = isValue ? 0 : random.Next(3); i >= 0; i--)
        {
            var name = new[] { "COUNT", "SUM", "AVG", "MIN", "MAX" }[random.Next(5)];
            var argument = random.Next(3) == 0 ? OracleExpression.Constant("1", 1.0)
                : random.Next(3) == 0 ? generator.Key() : generator.Number(1);
            items.Add(($"v{i}", $"{name}({argument.Text})", group => Aggregate(name, [.. group.Select(argument.Value)])));
        }

        if (!isValue)
            items.AddRange(keys.Select((key, i) => ($"k{i}", key.Text, (Func<List<object?>, object?>)(group => key.Value(group[0])))));
        var select = isValue ? $"VALUE {items[0].Text}" : string.Join(", ", items.Select(item => $"{item.Text} AS {item.Name}"));
        var grouping = keys.Length == 0 ? "" : $" GROUP BY {string.Join(", ", keys.Select(key => key.Text))}";
        var query = $"SELECT {window.Top}{select} {from}{condition}{grouping}{window.OffsetLimit}";
        return new OracleQuery(query, documents =>
        {
            var found = Filter(documents, where);
            var groups = keys.Length == 0
                ? [found]
                : found.GroupBy(document => string.Join('\n', keys.Select(key => OracleValue.ToText(key.Value(document)))))
                    .Select(group => group.ToList());
            var results = groups.Select(
                group => isValue ? items[0].Value(group) : Object(items.Select(item => (item.Name, item.Value(group)))));
            return [.. window.Cut(results).Where(result => result != Undefined)];
        })
        {
            _hasOrder = keys.Length == 0, _hasGroups = keys.Length > 0, _isCut = window.Text.Length > 0,
        };
    }

    private static object? Aggregate(string name, object?[] values)
    {
        object?[] defined = [.. values.Where(value => value != Undefined)];
        if (name == "COUNT")
            return (double)defined.Length;
        if (name is "SUM" or "AVG")
        {
            if (!defined.All(value => value is double) || (name == "AVG" && defined.Length == 0))
                return Undefined;
            var sum = defined.Cast<double>().Aggregate(0.0, (total, value) => total + value);
            return OracleExpression.Finite(name == "SUM" ? sum : sum / defined.Length);
        }

        if (defined.Length == 0 || defined.Any(value => OracleValue.TypeOf(value) > 4))
            return Undefined;
        var sign = name == "MIN" ? 1 : -1;
        return defined.Aggregate((best, value) => sign * OracleValue.Order(value, best) < 0 ? value : best);
    }

    /// <summary>TOP, or OFFSET and LIMIT, or neither.</summary>
    private sealed record Window(string Top, string OffsetLimit, int Offset, int Limit)
    {
        public string Text => Top + OffsetLimit;

        public static Window Create(Random random)
        {
            (var offset, var limit) = (random.Next(12), random.Next(15));
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
