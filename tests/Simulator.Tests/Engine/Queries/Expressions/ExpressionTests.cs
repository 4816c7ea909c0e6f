namespace ScaleOut.Tests.Simulator.Engine.Queries.Expressions;

/// <summary>Expressions have the values that the service's documentation gives for each function and operator.</summary>
public sealed class ExpressionTests(ExpressionTests.Host host) : IClassFixture<ExpressionTests.Host>
{
    private const string Document =
        """{"id":"1","pk":"p","n":5,"t":"Text","l":[1,"a",{"k":1,"v":2},[3]],"o":{"a":{"b":null}},"f":false,"z":null,"""
        + "\"big\":9007199254740993}";

    [Theory]
    [InlineData("c.n + 2 * 3 - 4 / 2", "9")]
    [InlineData("(c.n + 2) * 3 % 4", "1")]
    [InlineData("-c.n", "-5")]
    [InlineData("- -c.n", "5")]
    [InlineData("c.n + c.t", null)]
    [InlineData("c.n & 3 | 8 ^ 2", "11")]
    [InlineData("~c.n", "-6")]
    [InlineData("4294967297 & 3", "1")]
    [InlineData("[100 >> 2, 100 << 2, 100 >>> 0, 100 & 1000, 100 | 1000, 100 ^ 1000]", "[25,400,100,96,1004,908]")]
    [InlineData("[-1 >> 1, -1 >>> 1, -1 >>> 0, 1 << 31, 1 << 33, 4294967297 << 1]", "[-1,2147483647,4294967295,-2147483648,2,2]")]
    [InlineData("[1 + 1 << 2, 1 << 2 < 5, c.t << 1]", "[8,true]")]
    [InlineData("{name: c.t, left: 1, \"quoted\": c.n}.left", "1")]
    [InlineData("c.t || '!' || \"?\"", "\"Text!?\"")]
    [InlineData("c.t || c.n", null)]
    [InlineData("c.missing ?? c.z ?? 1", "null")]
    [InlineData("c.n > 3 ? 'more' : 'less'", "\"more\"")]
    [InlineData("c.missing ? 1 : 2", "2")]
    [InlineData("c.missing = 1", null)]
    [InlineData("c.n = 'x'", "false")]
    [InlineData("c.n != 'x'", "true")]
    [InlineData("c.n < 'x'", null)]
    [InlineData("c.l = [1, 'a', {\"v\": 2, \"k\": 1}, [3]]", "true")]
    [InlineData("c.l < [2]", null)]
    [InlineData("c.missing AND false", "false")]
    [InlineData("c.missing AND true", null)]
    [InlineData("c.missing OR true", "true")]
    [InlineData("NOT c.missing", null)]
    [InlineData("NOT c.f", "true")]
    [InlineData("c.n IN (1, '5', 5)", "true")]
    [InlineData("c.missing IN (1)", null)]
    [InlineData("c.n NOT IN (1, 2)", "true")]
    [InlineData("c.n BETWEEN 5 AND 7", "true")]
    [InlineData("c.n NOT BETWEEN 5 AND 7", "false")]
    [InlineData("c.t BETWEEN 'A' AND 'Z'", "true")]
    [InlineData("c.t LIKE 'T%t'", "true")]
    [InlineData("c.t LIKE '_e_t'", "true")]
    [InlineData("c.t LIKE '[R-U]ext'", "true")]
    [InlineData("c.t NOT LIKE '[^R-U]ext'", "true")]
    [InlineData("'50%' LIKE '50!%' ESCAPE '!'", "true")]
    [InlineData("c.n LIKE '5'", null)]
    [InlineData("c.l[2][\"v\"]", "2")]
    [InlineData("c.l[-1]", null)]
    [InlineData("c.l[9]", null)]
    [InlineData("c.o.a.b", "null")]
    [InlineData("c.o.a.b.c", null)]
    [InlineData("[c.n, c.missing, {\"a\": c.t, \"b\": c.missing}]", "[5,{\"a\":\"Text\"}]")]
    [InlineData("c.big", "9007199254740993")]
    [InlineData("[c.big + 1, c.big - 9007199254740992, 3 * 3002399751580331, c.big % 10]", "[9007199254740994,1,9007199254740993,3]")]
    [InlineData("[-9007199254740993, -c.big, 9223372036854775807 + 1, 18446744073709551615]",
        "[-9007199254740993,-9007199254740993,9.2233720368547758e+18,1.8446744073709552e+19]")]
    [InlineData("[c.big = 9007199254740992, c.big IN (9007199254740993), c.big > 9007199254740992]", "[false,true,true]")]
    [InlineData("[1/3, 0.1 + 0.2, 1e2, 1.0, -0.0, 5e-324, 1e300]",
        "[0.33333333333333331,0.30000000000000004,100,1,0,4.94065645841247e-324,1e+300]")]
    [InlineData("undefined", null)]
    public void Evaluate_Operator_GivesTheDocumentedValue(string expression, string? expected) => AssertValue(expression, expected);

    [Theory]
    [InlineData("[IS_DEFINED(c.z), IS_DEFINED(c.missing), IS_NULL(c.z), IS_BOOL(c.f), IS_NUMBER(c.n), IS_STRING(c.n)]",
        "[true,false,true,true,true,false]")]
    [InlineData("[IS_ARRAY(c.l), IS_OBJECT(c.o), IS_PRIMITIVE(c.l), IS_INTEGER(1.5), IS_FINITE_NUMBER(c.n)]",
        "[true,true,false,false,true]")]
    [InlineData("[CONTAINS(c.t, 'EX'), CONTAINS(c.t, 'EX', true), STARTSWITH(c.t, 'te', true), ENDSWITH(c.t, 'xt', false)]",
        "[false,true,true,true]")]
    [InlineData("[StringEquals(c.t, 'TEXT', true), STRINGEQUALS(c.t, 'TEXT'), INDEX_OF(c.t, 't'), INDEX_OF(c.t, 'T', 1)]",
        "[true,false,3,-1]")]
    [InlineData("[LOWER(c.t), UPPER(c.t), LENGTH(c.t), REVERSE(c.t), CONCAT('a', c.t, 'b')]", "[\"text\",\"TEXT\",4,\"txeT\",\"aTextb\"]")]
    [InlineData("[LEFT(c.t, 2), RIGHT(c.t, 2), SUBSTRING(c.t, 1, 2), SUBSTRING(c.t, 9, 1), LEFT(c.t, -1)]",
        "[\"Te\",\"xt\",\"ex\",\"\",\"\"]")]
    [InlineData("[TRIM('  a '), LTRIM('  a'), RTRIM('a '), REPLACE(c.t, 't', 'ts'), REPLICATE('ab', 3)]",
        "[\"a\",\"a\",\"a\",\"Texts\",\"ababab\"]")]
    [InlineData("REPLICATE('ab', 5001)", null)]
    [InlineData("[RegexMatch(c.t, '^t.xt$'), RegexMatch(c.t, '^t.xt$', 'i'), REGEXMATCH('abc', 'B', 'ix')]", "[false,true,true]")]
    [InlineData("RegexMatch(c.t, '(')", null)]
    [InlineData("RegexMatch(c.t, 'a', 'q')", null)]
    [InlineData("[ToString(c.big), ToString(9223372036854775807)]", "[\"9007199254740993\",\"9223372036854775807\"]")]
    [InlineData("[ToString(c.n), ToString(1.5), ToString(true), ToString(c.l)]",
        "[\"5\",\"1.5\",\"true\",\"[1,\\\"a\\\",{\\\"k\\\":1,\\\"v\\\":2},[3]]\"]")]
    [InlineData("[StringToNumber('1.5'), StringToBoolean('true'), StringToNull('null'), StringToArray('[1]'), StringToObject('{\"a\":1}')]",
        "[1.5,true,null,[1],{\"a\":1}]")]
    [InlineData("StringToNumber('x')", null)]
    [InlineData("[STRINGJOIN(['a', 'b'], '-'), STRINGSPLIT('a-b', '-')]", "[\"a-b\",[\"a\",\"b\"]]")]
    [InlineData(
        "[ARRAY_CONTAINS(c.l, 'a'), ARRAY_CONTAINS(c.l, {\"k\": 1}), ARRAY_CONTAINS(c.l, {\"k\": 1}, true), ARRAY_CONTAINS(c.l, [3])]",
        "[true,false,true,true]")]
    [InlineData("ARRAY_CONTAINS(c.t, 'T')", null)]
    [InlineData("[ARRAY_CONTAINS_ANY(c.l, 7, 'a'), ARRAY_CONTAINS_ALL(c.l, 1, 'a'), ARRAY_CONTAINS_ALL(c.l, 1, 7)]", "[true,true,false]")]
    [InlineData("[ARRAY_LENGTH(c.l), ARRAY_SLICE(c.l, 1, 1), ARRAY_SLICE(c.l, -1), ARRAY_SLICE(c.l, 9), ARRAY_CONCAT([1], [2], [3])]",
        "[4,[\"a\"],[[3]],[],[1,2,3]]")]
    [InlineData("[SetIntersect([1, 2, 2, 3], [2, 3, 4]), SetUnion([1, 2], [2, 3]), SetDifference([1, 2], [2])]", "[[2,3],[1,2,3],[1]]")]
    [InlineData("[CHOOSE(2, 'a', 'b'), IIF(c.n > 1, 'y', 'n'), ObjectToArray({\"a\": 1})]", "[\"b\",\"y\",[{\"k\":\"a\",\"v\":1}]]")]
    [InlineData("[ABS(-1.5), CEILING(1.2), FLOOR(-1.2), ROUND(2.5), ROUND(-2.5), TRUNC(-1.7), SIGN(-3), SQUARE(3), SQRT(16), POWER(2, 10)]",
        "[1.5,2,-2,3,-3,-1,-1,9,4,1024]")]
    [InlineData("[LOG10(100), LOG(8, 2), EXP(0), PI() > 3, NUMBERBIN(37, 10), DEGREES(PI()), SQRT(-1)]", "[2,3,1,true,30,180]")]
    [InlineData("[IntAdd(20, 10), IntDiv(7, 2), IntMod(7, 4), IntBitLeftShift(1, 4), IntBitNot(0), IntDiv(1, 0), IntMul(1.5, 2)]",
        "[30,3,3,16,-1]")]
    [InlineData("[DateTimeToTimestamp('1970-01-01T00:00:01.5Z'), TimestampToDateTime(0), DateTimePart('mm', '2026-11-22T13:14:15Z')]",
        "[1500,\"1970-01-01T00:00:00.0000000Z\",11]")]
    [InlineData("[DateTimeAdd('d', 2, '2026-02-27T00:00:00Z'), DateTimeDiff('hh', '2026-01-01T00:59:00Z', '2026-01-01T02:01:00Z')]",
        "[\"2026-03-01T00:00:00.0000000Z\",2]")]
    [InlineData("[DateTimeAdd('ms', 3000000000, '2026-01-01T00:00:00Z'), DateTimeAdd('mcs', -3000000000, '2026-01-01T00:00:00Z')]",
        "[\"2026-02-04T17:20:00.0000000Z\",\"2025-12-31T23:10:00.0000000Z\"]")]
    [InlineData("[DateTimeAdd('ns', 3000000000, '2026-01-01T00:00:00Z'), DateTimeAdd('ss', 1e18, '2026-01-01T00:00:00Z')]",
        "[\"2026-01-01T00:00:03.0000000Z\"]")]
    [InlineData("[DateTimeFromParts(2017, 4, 20, 13, 15, 20, 3456789), DateTimeFromParts(2017, 4, 20)]",
        "[\"2017-04-20T13:15:20.3456789Z\",\"2017-04-20T00:00:00.0000000Z\"]")]
    [InlineData("DateTimeFromParts(2017, 4, 20, 13, 15)", "\"2017-04-20T13:15:00.0000000Z\"")]
    [InlineData("DateTimeFromParts(-2000, -1, -1)", null)]
    [InlineData("DateTimeFromParts(2026, 2, 29)", null)]
    [InlineData("DateTimeFromParts(2026, 2, 28, 0, 0, 0, 10000000)", null)]
    [InlineData("DateTimeFromParts('2026', 2, 28)", null)]
    [InlineData("DateTimeAdd('yyyy', 4294967297, '2026-01-01T00:00:00Z')", null)]
    [InlineData("DateTimeToTicks('2026-01-01T00:00:00+00:00')", null)]
    [InlineData("DateTimePart('hh', '2026-01-01T10:00:00.0000000+02:00')", null)]
    [InlineData("DateTimeAdd('d', 1, '01/02/2026 10:00')", null)]
    [InlineData("[DateTimePart('hh', '2020-07-03T01:00:00.0000000'), DateTimePart('dd', '2020-07-03')]", "[1,3]")]
    [InlineData("DateTimePart('ns', '2020-07-03T01:00:00.12Z')", "120000000")]
    [InlineData("DateTimeAdd('yyyy', 20000, '2026-02-27T00:00:00Z')", null)]
    [InlineData("[GetCurrentTimestamp() > 1700000000000, STARTSWITH(GetCurrentDateTime(), '20'), GetCurrentTicks() > 0, RAND() < 1]",
        "[true,true,true,true]")]
    public void Evaluate_Function_GivesTheDocumentedValue(string expression, string? expected) => AssertValue(expression, expected);

    [Theory]
    [InlineData("SELECT c.n, c.l[0], c.t AS name, c.n + 1, c FROM c", """{"n":5,"$1":1,"name":"Text","$2":6,"c":{""")]
    [InlineData("SELECT c[\"o\"], c.missing FROM c", """{"o":{"a":{"b":null}}}""")]
    [InlineData("SELECT TOP @one VALUE r.id FROM root r WHERE r.n = @five", "\"1\"")]
    public void Select_List_NamesItsProperties(string query, string expected)
    {
        var parameters = new Dictionary<string, Datum> { ["@one"] = Datum.From(1), ["@five"] = Datum.From(5) };
        Assert.StartsWith(expected, Assert.Single(host.Query.Run(query, parameters: parameters)), StringComparison.Ordinal);
    }

    /// <summary>JSON may contain half of a surrogate pair, but UTF-8 may not.</summary>
    [Theory]
    [InlineData("SELECT * FROM c ORDER BY c.t", 1)]
    [InlineData("SELECT VALUE c FROM c WHERE c[\"\\ud800\"] ?? true", 1)]
    [InlineData("SELECT c.o, LOWER(c.t), OBJECTTOARRAY(c.o), ToString(c.o) FROM c ORDER BY c.t DESC, c.o", 1)]
    [InlineData("SELECT DISTINCT c.o, '\\ud800' AS x FROM c", 1)]
    [InlineData("SELECT c.t, COUNT(1) AS n, MAX(c.t) AS m FROM c GROUP BY c.t", 1)]
    [InlineData("SELECT VALUE {\"\\ud800\": LEFT('\\ud83d\\ude00', 1), \"t\": c.t} FROM c WHERE c.t = '\\ud800' OR c.o[\"\\ud800\"] = 1",
        1)]
    [InlineData("SELECT VALUE c.t FROM c WHERE c.t LIKE '%' AND CONTAINS(c.t, '\\ud801')", 0)]
    public void Run_HalvesOfSurrogatePairs_AreText(string query, int expected)
    {
        using var other = new QueryHost(
            ["""{"id":"1","pk":"p","t":"\ud800","o":{"\ud800":1,"a":"\udc00"}}"""], CompositeIndexes.Policy("/t DESC, /o"));
        Assert.Equal(expected, other.Run(query).Count);
        _ = QueryPlan.Create(other.Container, QueryParser.Parse(query, new Dictionary<string, Datum>()));
    }

    [Theory]
    [InlineData("1 / 0")]
    [InlineData("-1 / c.missing ?? 1 / 0")]
    [InlineData("[c.n % 0]")]
    [InlineData("{\"a\": 1e308 * 10}")]
    public void Select_WithInfinityOrNoNumber_Is400With4001(string expression)
    {
        var e = Assert.Throws<RequestException>(() => host.Query.Run($"SELECT VALUE {expression} FROM c"));
        Assert.Equal((400, 4001), (e.Status, e.SubStatus));
        Assert.Contains("\"code\":4001", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void GroupBy_WithOrderBy_IsInOrderOverPages()
    {
        using var other = new QueryHost(Enumerable.Range(0, 40).Select(i => $$"""{"id":"{{i}}","pk":"p","g":{{i * 7 % 20}}}"""));
        var groups = other.Run("SELECT c.g, COUNT(1) AS n FROM c GROUP BY c.g ORDER BY c.g DESC", pageSize: 3);
        Assert.Equal(Enumerable.Range(0, 20).Select(i => $$"""{"g":{{19 - i}},"n":2}"""), groups);
    }

    private void AssertValue(string expression, string? expected)
    {
        var results = host.Query.Run($"SELECT VALUE {expression} FROM c");
        Assert.Equal(expected is null ? [] : [expected], results);
        // Only true meets a condition.
        Assert.Equal(expected == "true" ? 1 : 0, host.Query.Run($"SELECT * FROM c WHERE {expression}").Count);
    }

    public sealed class Host : IDisposable
    {
        internal QueryHost Query { get; } = new([Document]);

        public void Dispose() => Query.Dispose();
    }
}
