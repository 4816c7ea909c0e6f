namespace ScaleOut.Tests.Simulator.Engine.Queries.Expressions;

/// <summary>JOIN, iteration and subqueries against loops over the same random documents.</summary>
public sealed class FromSourceTests : IDisposable
{
    private readonly JsonObject[] _documents;
    private readonly QueryHost _host;

    public FromSourceTests()
    {
        var random = new Random(20261129);
        _documents = [.. Enumerable.Range(0, 80).Select(number => Document(random, number))];
        _host = new QueryHost(_documents.Select(one => one.ToJsonString()));
    }

    [Fact]
    public void Join_OfTwoArrays_IsTheCrossProductInOrder() => AssertRows(
        "SELECT c.n, x.k, y FROM c JOIN x IN c.items JOIN y IN x.tags",
        from c in _documents
        from x in Elements(c["items"])
        from y in Elements(Property(x, "tags"))
        select Object(("n", c["n"]), ("k", Property(x, "k")), ("y", y)));

    [Fact]
    public void Join_OfIndependentArrays_ChangesTheLastOneFastest() => AssertRows(
        "SELECT VALUE [c.n, x.k, y] FROM c JOIN x IN c.items JOIN y IN c.tags WHERE x.k != y AND c.n > 20",
        from c in _documents
        from x in Elements(c["items"])
        from y in Elements(c["tags"])
        where (int)c["n"]! > 20 && Property(x, "k") is { } k && !JsonNode.DeepEquals(k, y)
        select Array(c["n"], Property(x, "k"), y));

    [Fact]
    public void From_InAnArray_GivesItsElements()
    {
        AssertRows("SELECT VALUE x.v FROM x IN c.items WHERE x.v > 3",
            from c in _documents from x in Elements(c["items"]) where Number(x, "v") > 3 select Property(x, "v"));
        AssertRows("SELECT * FROM x IN c.tags", _documents.SelectMany(c => Elements(c["tags"])));
        AssertRows("SELECT VALUE a.z FROM c.inner AS a WHERE a.z > 1",
            from c in _documents where Number(c["inner"], "z") > 1 select c["inner"]!["z"]);
        AssertRows("SELECT VALUE inner.z FROM c.inner",
            from c in _documents where Number(c["inner"], "z") is not null select c["inner"]!["z"]);
    }

    [Fact]
    public void Subqueries_InSelect_AreEvaluatedForEachDocument()
    {
        AssertRows("SELECT VALUE (SELECT VALUE SUM(x.v) FROM x IN c.items WHERE IS_NUMBER(x.v)) FROM c",
            _documents.Select(c => (JsonNode)Elements(c["items"]).Sum(x => Number(x, "v") ?? 0)));
        AssertRows("SELECT VALUE ARRAY(SELECT DISTINCT VALUE x.k FROM x IN c.items) FROM c",
            _documents.Select(c => Array([
                .. Elements(c["items"]).Select(x => Property(x, "k")).OfType<JsonNode>().DistinctBy(k => k.ToJsonString()),
            ])));
        AssertRows("SELECT VALUE EXISTS(SELECT VALUE y FROM x IN c.items JOIN y IN x.tags WHERE y = c.t) FROM c",
            _documents.Select(c => (JsonNode)Elements(c["items"]).Any(
                x => Elements(Property(x, "tags")).Any(y => JsonNode.DeepEquals(y, c["t"])))));
        AssertRows("SELECT VALUE (SELECT c.n, c.t) FROM c", _documents.Select(c => Object(("n", c["n"]), ("t", c["t"]))));
        // Without a result, a scalar subquery is undefined; a result that is undefined is none.
        AssertRows("SELECT VALUE (SELECT VALUE c.t WHERE c.n > 70) FROM c", _documents.Where(c => (int)c["n"]! > 70).Select(c => c["t"]));
        AssertRows("SELECT VALUE EXISTS(SELECT VALUE c.missing) FROM c", _documents.Select(_ => (JsonNode)false));
        AssertRows("SELECT VALUE EXISTS(SELECT c.missing) FROM c", _documents.Select(_ => (JsonNode)true));
    }

    [Fact]
    public void Subqueries_InWhere_ChooseDocuments()
    {
        AssertRows("SELECT VALUE c.n FROM c WHERE EXISTS(SELECT VALUE x FROM x IN c.items WHERE x.v = 5)",
            _documents.Where(c => Elements(c["items"]).Any(x => Number(x, "v") == 5)).Select(c => c["n"]));
        AssertRows("SELECT VALUE c.n FROM c WHERE (SELECT VALUE COUNT(1) FROM x IN c.items) >= 3 AND c.n < 60",
            _documents.Where(c => Elements(c["items"]).Count >= 3 && (int)c["n"]! < 60).Select(c => c["n"]));
        AssertRows("SELECT VALUE c.n FROM c WHERE ARRAY_LENGTH(ARRAY(SELECT VALUE y FROM y IN c.tags WHERE y != 'a')) = 1",
            _documents.Where(c => Elements(c["tags"]).Count(y => (string?)y != "a") == 1).Select(c => c["n"]));
    }

    /// <summary>The outer row is named by FROM of the subquery alone.</summary>
    [Fact]
    public void Subqueries_OfTheBareNameOfARow_IterateThatRow()
    {
        List<JsonNode?> rows = [.. _documents.SelectMany(c => Elements(c["m"]))];
        AssertRows("SELECT VALUE x FROM c JOIN x IN c.m WHERE EXISTS(SELECT VALUE t FROM t IN x WHERE t = 1)",
            rows.Where(x => Elements(x).Any(t => (int?)t == 1)));
        AssertRows("SELECT VALUE x FROM c JOIN x IN c.m WHERE NOT EXISTS(SELECT VALUE t FROM t IN x WHERE t = 1)",
            rows.Where(x => !Elements(x).Any(t => (int?)t == 1)));
        AssertRows("SELECT VALUE ARRAY(SELECT VALUE t FROM t IN x WHERE t > 0) FROM c JOIN x IN c.m",
            rows.Select(x => Array([.. Elements(x).Where(t => (int?)t > 0)])));
        AssertRows("SELECT x, (SELECT VALUE COUNT(1) FROM t IN x) AS n FROM c JOIN x IN c.m GROUP BY x",
            rows.DistinctBy(x => x!.ToJsonString()).Select(x => Object(("x", x), ("n", Elements(x).Count))),
            isOrdered: false);
    }

    [Fact]
    public void Subqueries_InFrom_AreSources()
    {
        AssertRows("SELECT c.n, s FROM c JOIN (SELECT VALUE COUNT(1) FROM x IN c.items WHERE x.v > 2) AS s WHERE s > 1",
            from c in _documents
            let s = Elements(c["items"]).Count(x => Number(x, "v") > 2)
            where s > 1
            select Object(("n", c["n"]), ("s", s)));
        AssertRows("SELECT VALUE [c.n, t] FROM c JOIN (SELECT DISTINCT VALUE y FROM x IN c.items JOIN y IN x.tags) AS t",
            from c in _documents
            from t in Elements(c["items"]).SelectMany(x => Elements(Property(x, "tags"))).DistinctBy(y => y!.ToJsonString())
            select Array(c["n"], t));
        AssertRows("SELECT VALUE r.double FROM (SELECT VALUE {\"double\": d.n * 2, \"t\": d.t} FROM d WHERE d.n > 10) AS r WHERE r.t = 'b'",
            _documents.Where(c => (int)c["n"]! > 10 && (string?)c["t"] == "b").Select(c => (JsonNode)((int)c["n"]! * 2)));
        AssertRows(
            "SELECT VALUE [c.n, u.name] FROM c JOIN u IN (SELECT VALUE [{\"t\": 'a', \"name\": 'x'}, {\"t\": 'b', \"name\": 'y'}]) "
                + "WHERE u.t = c.t",
            _documents.Where(c => (string?)c["t"] is "a" or "b").Select(c => Array(c["n"], (string?)c["t"] == "a" ? "x" : "y")));
        AssertRows(
            "SELECT VALUE g FROM c JOIN (SELECT x.k, COUNT(1) AS m FROM x IN c.items WHERE IS_DEFINED(x.k) GROUP BY x.k) AS g "
                + "WHERE g.m > 1",
            from c in _documents
            from g in Elements(c["items"]).Where(x => Property(x, "k") is not null).GroupBy(x => Property(x, "k")!.ToJsonString())
            where g.Count() > 1
            select Object(("k", JsonNode.Parse(g.Key)), ("m", g.Count())),
            isOrdered: false);
        AssertRows("SELECT VALUE x * 2 FROM x IN (SELECT VALUE [1, 2, 'a', 3])", [2, 4, 6]);
    }

    [Fact]
    public void Aggregates_OfRows_CountEachRow()
    {
        var rows = _documents.SelectMany(c => Elements(c["items"])).ToList();
        AssertRows("SELECT VALUE COUNT(1) FROM c JOIN x IN c.items", [rows.Count]);
        AssertRows("SELECT VALUE SUM(x.v) FROM c JOIN x IN c.items WHERE IS_NUMBER(x.v)", [rows.Sum(x => Number(x, "v") ?? 0)]);
        AssertRows("SELECT x.k, COUNT(1) AS m FROM c JOIN x IN c.items WHERE IS_DEFINED(x.k) GROUP BY x.k",
            rows.Where(x => Property(x, "k") is not null).GroupBy(x => Property(x, "k")!.ToJsonString())
                .Select(g => Object(("k", JsonNode.Parse(g.Key)), ("m", g.Count()))),
            isOrdered: false);
        AssertRows("SELECT c.t, (SELECT VALUE MAX(c.t) FROM y IN (SELECT VALUE [1, 2])) AS m FROM c GROUP BY c.t",
            _documents.Select(c => c["t"]).DistinctBy(t => t!.ToJsonString()).Select(t => Object(("t", t), ("m", t))),
            isOrdered: false);
        var values = _documents.Select(c => c["t"]).OfType<JsonNode>().Select(t => t.ToJsonString()).Distinct().Count();
        AssertRows("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.t FROM c)", [values]);
        AssertRows("SELECT VALUE t FROM (SELECT DISTINCT VALUE c.t FROM c) AS t",
            _documents.Select(c => c["t"]).OfType<JsonNode>().DistinctBy(t => t.ToJsonString()));
    }

    [Fact]
    public void OrderBy_OfRows_IsByTheDocumentsThenInOrder()
    {
        var ordered = _documents.OrderByDescending(c => (string?)c["t"], StringComparer.Ordinal).ThenByDescending(c => (int)c["n"]!);
        AssertRows("SELECT VALUE [c.n, y] FROM c JOIN y IN c.tags ORDER BY c.t DESC",
            from c in ordered from y in Elements(c["tags"]) select Array(c["n"], y));
        AssertRows("SELECT VALUE [c.n, y] FROM c JOIN y IN c.tags ORDER BY c.t DESC OFFSET 7 LIMIT 20",
            (from c in ordered from y in Elements(c["tags"]) select Array(c["n"], y)).Skip(7).Take(20));
        AssertRows("SELECT TOP 9 VALUE y FROM c JOIN y IN c.tags", _documents.SelectMany(c => Elements(c["tags"])).Take(9));
        AssertRows(
            "SELECT VALUE y FROM c JOIN y IN c.tags OFFSET 4 LIMIT 3", _documents.SelectMany(c => Elements(c["tags"])).Skip(4).Take(3));
        Assert.Empty(_host.Run("SELECT VALUE y FROM c JOIN y IN c.tags OFFSET 4 LIMIT 0"));
        AssertRows("SELECT VALUE c.n FROM c WHERE IS_STRING(c.tags[0]) ORDER BY c.tags[0]",
            _documents.Where(c => Elements(c["tags"]).Count > 0).OrderBy(c => (string?)c["tags"]![0], StringComparer.Ordinal)
                .Select(c => c["n"]));
    }

    [Fact]
    public void Join_OfTooManyRows_IsRejected()
    {
        using var host = new QueryHost([$$"""{"id":"1","pk":"a","l":[{{string.Join(',', Enumerable.Range(0, 100))}}]}"""]);
        var e = Assert.Throws<RequestException>(() => host.Run(
            "SELECT VALUE COUNT(1) FROM c JOIN a IN c.l JOIN b IN c.l JOIN d IN c.l JOIN e IN c.l"));
        Assert.Contains("rows", e.Message, StringComparison.Ordinal);
    }

    /// <summary>150 x 150 rows with a document of 550 bytes each are 12 MB.</summary>
    [Theory]
    [InlineData("SELECT VALUE ARRAY(SELECT VALUE c FROM a IN c.l JOIN b IN c.l) FROM c")]
    [InlineData("SELECT VALUE ARRAY(SELECT VALUE {x: [c]} FROM a IN c.l JOIN b IN c.l) FROM c ORDER BY c.id")]
    public void Array_OfTooMuchText_IsRejected(string query)
    {
        using var host = new QueryHost([$$"""{"id":"1","pk":"a","l":[{{string.Join(',', Enumerable.Range(0, 150))}}]}"""]);
        var e = Assert.Throws<RequestException>(() => host.Run(query));
        Assert.Contains("characters", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("SELECT VALUE x.v FROM c JOIN x IN c.items ORDER BY x.v")]
    [InlineData("SELECT VALUE a.z FROM c JOIN (SELECT VALUE {z: x.v} FROM x IN c.items) AS a ORDER BY a.z")]
    public void OrderBy_OfElements_IsRejected(string query)
    {
        var e = Assert.Throws<RequestException>(() => _host.Run(query));
        Assert.Contains("Order-by over correlated collections", e.Message, StringComparison.Ordinal);
    }

    public void Dispose() => _host.Dispose();

    private void AssertRows(string query, IEnumerable<JsonNode?> expected, bool isOrdered = true)
    {
        IEnumerable<string> rows = [.. expected.Select(row => row?.ToJsonString() ?? "null")];
        Assert.NotEmpty(rows);
        rows = isOrdered ? rows : rows.Order(StringComparer.Ordinal);
        foreach (var pageSize in new[] { 1, 2, 7, 1_000 })
        {
            var actual = _host.Run(query, pageSize).Select(json => JsonNode.Parse(json)?.ToJsonString() ?? "null");
            Assert.Equal(rows, isOrdered ? actual : actual.Order(StringComparer.Ordinal));
        }
    }

    /// <summary>With arrays of objects and texts, some of which are empty, missing, or no arrays.</summary>
    private static JsonObject Document(Random random, int number)
    {
        var document = new JsonObject { ["id"] = $"{number}", ["pk"] = "a", ["n"] = number, ["t"] = Text(random) };
        document["items"] = random.Next(8) switch
        {
            0 => "none",
            1 => new JsonObject { ["k"] = "a" },
            _ => new JsonArray([.. Enumerable.Range(0, random.Next(5)).Select(_ => Item(random))]),
        };
        if (random.Next(5) > 0)
            document["tags"] = Tags(random);
        if (random.Next(3) > 0)
            document["inner"] = new JsonObject { ["z"] = random.Next(4) };
        document["m"] = new JsonArray([.. Enumerable.Range(0, number % 3).Select(i => new JsonArray(i, number % 5)), number % 2]);
        return document;
    }

    private static JsonNode? Item(Random random)
    {
        if (random.Next(9) == 0)
            return random.Next(3);
        var item = new JsonObject { ["v"] = random.Next(9) };
        if (random.Next(4) > 0)
            item["k"] = Text(random);
        if (random.Next(3) > 0)
            item["tags"] = Tags(random);
        return item;
    }

    private static JsonArray Tags(Random random) => new([.. Enumerable.Range(0, random.Next(4)).Select(_ => (JsonNode?)Text(random))]);

    private static string Text(Random random) => ((string[])["a", "b", "c", "d"])[random.Next(4)];

    private static IList<JsonNode?> Elements(JsonNode? node) => node as JsonArray ?? [];

    private static JsonNode? Property(JsonNode? node, string name) => (node as JsonObject)?[name];

    private static int? Number(JsonNode? node, string name) => (int?)Property(node, name);

    private static JsonObject Object(params (string Name, JsonNode? Value)[] properties) =>
        new(properties.Where(one => one.Value is not null).Select(one => KeyValuePair.Create(one.Name, one.Value?.DeepClone())));

    private static JsonArray Array(params JsonNode?[] items) =>
        new([.. items.Where(item => item is not null).Select(item => item!.DeepClone())]);
}
