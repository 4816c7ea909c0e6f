namespace ScaleOut.Tests.Simulator.Engine.Queries;

public sealed class QueryParserTests
{
    private static readonly Dictionary<string, Datum> Parameters = new()
    {
        ["@p"] = Datum.From("it's"), ["@list"] = Datum.From([Datum.From(1), Datum.From("x")]),
    };

    [Theory]
    [InlineData("SELECT * FROM c", "{}", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 1", """{"a":1.0}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 1", """{"a":"1"}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a = 1", """{"b":{"a":1}}""", false)]
    [InlineData("SELECT * FROM c WHERE 1 < c.a", """{"a":2}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a.b = 'x'", """{"z":[{"a":1}],"a":{"q":{},"b":"x"}}""", true)]
    [InlineData("SELECT * FROM c AS d WHERE d[\"a b\"] = \"x\"", """{"a b":"\u0078"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = null", """{"a":null}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = null", "{}", false)]
    [InlineData("SELECT * FROM c WHERE c.a = true AND c.b != 2", """{"a":true,"b":3}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = false", """{"a":true}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a < true", """{"a":false}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a > -1.5e1 AND c.a <= 2", """{"a":2}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a != null", """{"a":[]}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a != null", """{"a":null}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a != null", "{}", false)]
    [InlineData("SELECT * FROM c WHERE NOT (c.a != 'x')", """{"a":1}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a < 'b'", """{"a":"a"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = @p", """{"a":"it's"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 'it\\'s'", """{"a":"it's"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = {}", """{"a":{}}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 1 OR c.b = 2", """{"b":2}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 1 OR c.b = 2", """{"b":3}""", false)]
    [InlineData("SELECT * FROM c WHERE c._ts > 5", """{"_ts":6}""", true)]
    [InlineData("SELECT * FROM c WHERE ARRAY_CONTAINS(@list, c.a)", """{"a":"x"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = '\\ud800'", """{"a":"\ud800"}""", true)]
    [InlineData("SELECT VALUE root FROM root WHERE (root[\"a\"] IN (1, 2))", """{"a":2}""", true)]
    [InlineData("SELECT * -- all\nFROM c -- of c\nWHERE c.a = 1 -- and c.b = 2", """{"a":1}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = '--' --'", """{"a":"--"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a - -1 = 2", """{"a":1}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = @none", """{"a":1}""", false)]
    [InlineData("SELECT * FROM c WHERE NOT IS_DEFINED(@none)", "{}", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 9007199254740993", """{"a":9007199254740993}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 9007199254740992", """{"a":9007199254740993}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a > 9007199254740992", """{"a":9007199254740993}""", true)]
    public void Parse_Query_MatchesOrNot(string text, string document, bool expected) =>
        Assert.Equal(expected, QueryParser.Parse(text, Parameters).Matches(Encoding.UTF8.GetBytes(document)));

    [Theory]
    [InlineData("SELECT", "Syntax error")]
    [InlineData("", "Syntax error")]
    [InlineData("DELETE FROM c", "Syntax error")]
    [InlineData("SELECT * FROM c WHERE c.a = 1..2", "Syntax error")]
    [InlineData("SELECT * FROM c WHERE c.a = 'open", "Syntax error")]
    [InlineData("SELECT * FROM c WHERE", "Syntax error")]
    [InlineData("SELECT * FROM c;", "Syntax error")]
    [InlineData("SELECT * FROM c WHERE c.a = 1 1", "near '1'.")]
    [InlineData("SELECT * FROM c WHERE d.x = 1", "Identifier 'd'")]
    [InlineData("SELECT TOP @none * FROM c", "@none has no value")]
    [InlineData("SELECT TOP @p * FROM c", "TOP must be an integer")]
    [InlineData("SELECT TOP 1.5 * FROM c", "TOP must be an integer")]
    [InlineData("SELECT TOP 1 * FROM c OFFSET 1 LIMIT 1", "'TOP'")]
    [InlineData("SELECT * FROM c ORDER BY c.a + 1", "ORDER BY item")]
    [InlineData("SELECT * FROM c WHERE COUNT(1) > 1", "Aggregates are allowed")]
    [InlineData("SELECT VALUE t FROM c JOIN t IN d.tags", "Identifier 'd'")]
    [InlineData("SELECT VALUE EXISTS(SELECT 1 FROM root c)", "Identifier 'root'")]
    [InlineData("SELECT * FROM c JOIN t IN c.tags", "'SELECT *' is only valid with a single input set.")]
    [InlineData("SELECT VALUE t FROM c JOIN c IN c.tags", "Two sources of FROM have the name 'c'.")]
    [InlineData("SELECT VALUE t FROM c JOIN t IN c[@p]", "near '@p'")]
    [InlineData("SELECT VALUE t FROM c JOIN t IN c.tags AS u", "near 'AS'")]
    [InlineData("SELECT (SELECT VALUE t FROM t IN c.tags) FROM c", "The cardinality of a scalar subquery result set cannot be greater")]
    [InlineData("SELECT VALUE n FROM (SELECT VALUE COUNT(1) FROM c) n", "Aggregates and GROUP BY of all documents are not simulated")]
    [InlineData("SELECT VALUE SUM(c.a) / COUNT(1) FROM c", "Compositions of aggregates and other expressions are not allowed.")]
    [InlineData("SELECT VALUE {\"count\": COUNT(1)} FROM c", "Compositions of aggregates and other expressions are not allowed.")]
    [InlineData("SELECT VALUE {\"n\": COUNT(1)} FROM c", "Compositions of aggregates and other expressions are not allowed.")]
    [InlineData("SELECT c.a, [MAX(c.b)] AS b FROM c GROUP BY c.a", "Compositions of aggregates and other expressions are not allowed.")]
    [InlineData("SELECT VALUE {order: 1}", "Syntax error, incorrect syntax near 'order'.")]
    [InlineData("SELECT c.a FROM c GROUP BY c.a ORDER BY c.b", "'c.b' is invalid in ORDER BY")]
    [InlineData("SELECT c.a, (SELECT VALUE MAX(c.b) FROM x IN (SELECT VALUE [1])) AS m FROM c GROUP BY c.a", "reference 'c.b' is invalid")]
    [InlineData("SELECT *", "FROM clause is omitted")]
    [InlineData("SELECT COUNT(1)", "FROM clause is omitted")]
    [InlineData("SELECT c.a", "Identifier 'c' could not be resolved")]
    [InlineData("SELECT c.a b d FROM c", "near 'd'.")]
    [InlineData("SELECT * FROM c WHERE NOSUCH(c.a)", "'NOSUCH' is not a recognized")]
    [InlineData("SELECT * FROM c WHERE CONTAINS(c.a)", "2 to 3 argument(s)")]
    public void Parse_Malformed_SaysWhy(string text, string message) => AssertRejected(text, message);

    [Theory]
    [InlineData("SELECT * FROM c WHERE ST_WITHIN(c.a, c.b)", "spatial")]
    [InlineData("SELECT VALUE VectorDistance(c.a, [1]) FROM c", "vector")]
    [InlineData("SELECT * FROM c WHERE FullTextContains(c.a, 'x')", "full-text")]
    [InlineData("SELECT * FROM c ORDER BY RANK FullTextScore(c.a, 'x')", "ORDER BY RANK")]
    public void Parse_NotSimulated_NamesTheFeature(string text, string feature)
    {
        AssertRejected(text, feature);
        AssertRejected(text, "not simulated");
    }

    [Fact]
    public void Parse_PropertiesNamedLikeKeywords_AreProperties() =>
        Assert.True(QueryParser.Parse("SELECT * FROM c WHERE c.join = 1 AND c[\"exists\"] = 2 AND c.value.array = 3", Parameters)
            .Matches("""{"join":1,"exists":2,"value":{"array":3}}"""u8.ToArray()));

    [Fact]
    public void Parse_DeepNesting_IsRejectedOrParsedWithoutUsingUpTheStack()
    {
        foreach (var levels in new[] { 10, 200, 2_000, 100_000 })
        {
            string open = new('(', levels);
            Parse($"SELECT * FROM c WHERE {open}true{new string(')', levels)}");
            Parse($"SELECT * FROM c WHERE {string.Concat(Enumerable.Repeat("NOT ", levels))}true");
            Parse($"SELECT * FROM c WHERE {string.Concat(Enumerable.Repeat("c.a ? 1 : ", levels))}true");
            Parse($"SELECT * FROM c WHERE {string.Join(" + ", Enumerable.Repeat("1", levels))} = 1");
            Parse($"SELECT * FROM c WHERE c{string.Concat(Enumerable.Repeat(".a", levels))} = 1");
            Parse($"SELECT * FROM c WHERE {string.Concat(Enumerable.Repeat("c[", levels))}0{new string(']', levels)} = 1");
            Parse($"SELECT VALUE {string.Concat(Enumerable.Repeat("(SELECT VALUE ", levels))}1{new string(')', levels)} FROM c");
            Parse($"SELECT VALUE 1 FROM {string.Concat(Enumerable.Repeat("(SELECT VALUE 1 FROM ", levels))}c{new string(')', levels)}");
        }

        static void Parse(string text)
        {
            try
            {
                QueryParser.Parse(text, Parameters).Matches("{}"u8.ToArray());
            }
            catch (RequestException e)
            {
                Assert.Equal(400, e.Status);
            }
        }
    }

    [Fact]
    public void Parse_LongChainsOfConditions_AreNotDeep()
    {
        var conditions = string.Join(" OR ", Enumerable.Range(0, 3_000).Select(i => $"c.a = {i}"));
        Assert.True(QueryParser.Parse($"SELECT * FROM c WHERE {conditions}", Parameters).Matches("""{"a":2999}"""u8.ToArray()));
    }

    [Theory]
    [InlineData("+RID:~3#17", true)]
    [InlineData("+RID:~3#17#5", true)]
    [InlineData("+RID:~3#17/4#5", true)]
    [InlineData("+RID:~3#17/x", false)]
    [InlineData("+RID:~3#17/4/5", false)]
    [InlineData("+RID:~3#17#5#WzEsWzJdXQ==", true)]
    [InlineData("+RID:~3#17#5#", true)]
    [InlineData("+RID:~3#17#5#_", false)]
    [InlineData("+RID:~3#17#5#WzEsWzJdXQ==#1", false)]
    [InlineData("+RID:~3#", false)]
    [InlineData("+RID:~-3#1", false)]
    [InlineData("3#17", false)]
    [InlineData("", false)]
    public void TryParse_Continuation_AcceptsOnlyItsFormat(string text, bool expected)
    {
        Assert.Equal(expected, QueryContinuation.TryParse(text, out var continuation));
        if (expected)
            Assert.Equal(text, continuation.ToString());
    }

    /// <summary>
    /// The service's codes, texts and places: issues 2201, 2639 and 3137 of azure-cosmos-dotnet-v3, and its files BaselineTest; 38232 of
    /// efcore, 507 of azure-cosmos-dotnet-v2; and a recorded account (plans/published/recorded-account.jsonl).
    /// </summary>
    [Theory]
    [InlineData("selectttt", "SC1001", 0, 9, "Syntax error, incorrect syntax near 'selectttt'.")]
    [InlineData("SELECT DISTINCT 1, FROM c", "SC1001", 19, 23, "Syntax error, incorrect syntax near 'FROM'.")]
    [InlineData("SELECT # FROM c", "SC1010", 7, 8, "Syntax error, invalid token '#'.")]
    [InlineData("SELECT c.id FROM c;", "SC1010", 18, 19, "Syntax error, invalid token ';'.")]
    [InlineData("SELECT c.b AS a, c.a AS a FROM c", "SC2022", 24, 25, "Object creation error, property name 'a' specified more than once.")]
    [InlineData("SELECT c.a, c.b.a FROM c", "SC2022", 16, 17, "Object creation error, property name 'a' specified more than once.")]
    [InlineData("SELECT * FROM c WHERE", "SC1002", 21, 21, "Syntax error, unexpected end-of-file.")]
    [InlineData("SELECT 'it\\'s", "SC1010", 7, 13, "Syntax error, invalid string literal token ''it\\'s'.")]
    [InlineData("SELECT * FROM c WHERE root.x = 1", "SC2001", 22, 26, "Identifier 'root' could not be resolved.")]
    [InlineData("SELECT VALUE NOSUCH(c.a) FROM c", "SC2005", 13, 19, "'NOSUCH' is not a recognized built-in function name.")]
    [InlineData("SELECT VALUE LOWER(c.a, 1) FROM c", "SC2050", 13, 26, "The LOWER function requires 1 argument(s).")]
    [InlineData("SELECT * FROM c GROUP BY c.age", "SC2041", 7, 8, "'SELECT *' is not allowed with GROUP BY.")]
    [InlineData("SELECT TOP 4294967296 c.name FROM c", "SC2060", 11, 21, "The count value provided for a TOP clause must be an integer.")]
    [InlineData("SELECT c.name FROM c OFFSET 10 LIMIT 4294967296", "SC2061", 37, 47,
        "The LIMIT count value exceeds the maximum allowed value.")]
    [InlineData("SELECT c.name FROM c OFFSET 4294967296 LIMIT 10", "SC2062", 28, 38,
        "The OFFSET count value exceeds the maximum allowed value.")]
    [InlineData("SELECT VALUE MAX(MIN(r)) From r", "SC2101", 13, 24,
        "Cannot perform an aggregate function on an expression containing an aggregate or a subquery.")]
    [InlineData("SELECT c.a, COUNT(1) FROM c", "SC2102", 7, 10,
        "Property reference 'c.a' is invalid in the select list because it is not contained in either an aggregate function or the "
            + "GROUP BY clause.")]
    [InlineData("SELECT VALUE [1, 2, 3][root[\"x\"]] FROM root", "SC2990", 13, 33,
        "The specified query includes 'member indexer' which is currently not supported.")]
    [InlineData(
        "SELECT VALUE v0 FROM root JOIN ( SELECT VALUE c0 FROM root JOIN c0 IN root[\"Children\"] ORDER BY c0[\"Grade\"] ASC) AS v0",
        "SC2202", 87, 111, "'ORDER BY' is not supported in subqueries.")]
    [InlineData("SELECT VALUE v2 FROM root JOIN ( SELECT TOP 2 VALUE v0 FROM root JOIN v0 IN root[\"Children\"]) AS v2",
        "SC2203", 40, 45, "'TOP' is not supported in subqueries.")]
    [InlineData("SELECT VALUE COUNT(1) FROM ( SELECT VALUE root[\"NumericField\"] FROM root OFFSET 2 LIMIT 2147483647) AS r0",
        "SC2204", 73, 98, "'OFFSET LIMIT' clause is not supported in subqueries.")]
    [InlineData("SELECT VALUE j FROM c JOIN a IN c.l JOIN b IN c.l JOIN d IN c.l JOIN e IN c.l JOIN f IN c.l JOIN g IN c.l JOIN h IN c.l "
        + "JOIN i IN c.l JOIN j IN c.l JOIN k IN c.l JOIN l IN c.l", "SC3002", 0, 175,
        "The SQL query exceeded the maximum number of joins. The allowed limit is 10.")]
    public void Parse_WrongText_HasTheServicesCodeAndPlace(string text, string code, int start, int end, string message)
    {
        var e = Assert.Throws<RequestException>(() => QueryParser.Parse(text, Parameters));
        var error = Assert.Single(JsonDocument.Parse(e.QueryErrors!).RootElement.GetProperty("errors").EnumerateArray());
        var place = error.GetProperty("location");
        Assert.Equal(
            ("Error", code, start, end, message),
            (error.GetProperty("severity").GetString(), error.GetProperty("code").GetString(), place.GetProperty("start").GetInt32(),
                place.GetProperty("end").GetInt32(), error.GetProperty("message").GetString()));
    }

    /// <summary>A statement of the SDK's baselines: LinqGeneralBaselineTests.TestDistinctTranslation.</summary>
    [Fact]
    public void Parse_SeveralWrongClauses_AreAllInTheServicesOrder()
    {
        var e = Assert.Throws<RequestException>(() => QueryParser.Parse(
            "SELECT DISTINCT VALUE r1 FROM ( SELECT TOP 10 VALUE root[\"Int\"] FROM root ORDER BY root[\"Int\"] ASC) AS r1", Parameters));
        Assert.Equal(
            """{"errors":[{"severity":"Error","location":{"start":74,"end":98},"code":"SC2202","message":"'ORDER BY' is not """
                + """supported """
                + """in subqueries."},{"severity":"Error","location":{"start":39,"end":45},"code":"SC2203","message":"'TOP' is not """
                + """supported in subqueries."}]}""",
            e.QueryErrors);
    }

    [Theory]
    [InlineData("SELECT * FROM c ORDER BY LOWER(c.a)")]
    [InlineData("SELECT VALUE c FROM c JOIN (SELECT VALUE COUNT(1) FROM t IN c.l) AS n ORDER BY n")]
    public void Parse_OrderByNoPath_HasTheServicesError(string text)
    {
        var e = Assert.Throws<RequestException>(() => QueryParser.Parse(text, Parameters));
        Assert.Equal(
            """{"errors":[{"severity":"Error","code":2206,"message":"Unsupported ORDER BY clause. ORDER BY item expression could not be """
                + """mapped to a document path."}]}""",
            e.QueryErrors);
    }

    [Theory]
    [InlineData("""{"query":"SELECT @p","parameters":[{"name":"p","value":1}]}""",
        "Invalid query. Specified parameter name 'p' is invalid. Parameter names should be in the format of symbol '@' followed by a "
            + "valid identifier. E.g. @param1")]
    [InlineData("""{"query":"SELECT @p","parameters":[{"name":"@p","value":1},{"name":"@p","value":2}]}""",
        "Invalid query. Specified duplicate parameter name '@p'.")]
    public void ParseRequest_WrongParameters_HasTheServicesErrors(string body, string message)
    {
        var e = Assert.Throws<RequestException>(() => QueryParser.ParseRequest(Encoding.UTF8.GetBytes(body)));
        Assert.Equal(message, (string?)JsonNode.Parse(e.QueryErrors!)!["Errors"]![0]);
    }

    private static void AssertRejected(string text, string message)
    {
        var e = Assert.Throws<RequestException>(() => QueryParser.Parse(text, Parameters));
        Assert.Equal(400, e.Status);
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }
}

public sealed class QueryFilterTests
{
    [Theory]
    [InlineData("""{"name":"Zoë"}""", true)]
    [InlineData("""{"name":"Zo\u00eb"}""", true)]
    [InlineData("""{"other":"Zo\u00ebs","name":"Zoë"}""", true)]
    [InlineData("""{"other":"Zoë","name":"Zoe"}""", false)]
    [InlineData("""{"name":"Zoës"}""", false)]
    [InlineData("""{"name":"Zo\\u00eb"}""", false)]
    [InlineData("""{"name":["Zoë"]}""", false)]
    [InlineData("""{"name":null}""", false)]
    [InlineData("""{}""", false)]
    public void Matches_TextWithOrWithoutEscapes_FollowsTheGrammar(string body, bool matches) =>
        Assert.Equal(matches, Filter(BinaryOperator.Equal, "Zoë").Matches(Encoding.UTF8.GetBytes(body)));

    [Fact]
    public void Matches_EmptyText_IsFound()
    {
        var filter = Filter(BinaryOperator.Equal, "");
        Assert.True(filter.Matches("""{"name":""}"""u8));
        Assert.False(filter.Matches("""{"name":"x"}"""u8));
    }

    [Theory]
    [InlineData("""{"name":"Ada"}""", true)]
    [InlineData("""{"name":"Zoë"}""", false)]
    public void Matches_NotEqual_IsFalseForTheSameText(string body, bool matches) =>
        Assert.Equal(matches, Filter(BinaryOperator.NotEqual, "Zoë").Matches(Encoding.UTF8.GetBytes(body)));

    private static QueryFilter Filter(BinaryOperator comparison, string text) =>
        new(["name"], comparison, new QueryValue(PartitionKeyKind.Text, 0, Encoding.UTF8.GetBytes(text)));
}
