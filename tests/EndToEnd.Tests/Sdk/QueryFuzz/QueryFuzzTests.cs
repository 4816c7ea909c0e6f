namespace ScaleOut.Tests.EndToEnd.Sdk.QueryFuzz;

/// <summary>Random queries. A failure names the seed of its query.</summary>
public sealed class QueryFuzzTests
{
    /// <summary>The environment variable with the number of queries of each test.</summary>
    private const string CountVariable = "SCALEOUT_QUERY_FUZZ";

    private static readonly string[] Documents = OracleDocuments.Create(40, seed: 4711);

    private static readonly string[] Fragments =
    [
        "(", ")", "[", "]", "{", "}", ",", ".", "'", "\"", "\\", "@p", "@", "NOT ", " AND ", " OR ", "SELECT ", " FROM c ", " WHERE ",
        "VALUE ", "DISTINCT ", "TOP 3 ", " ORDER BY ", " GROUP BY ", " OFFSET 1 LIMIT 2", "COUNT(", "1e999", "-1", "0", "null",
        "9999999999999999999", "undefined", "c", "c.a", "c[\"a\"]", " ?? ", " ? 1 : ", "||", "*", "/", "%", "=", "<>", " IN (",
        " BETWEEN ", " LIKE '%_%'", " ESCAPE ", "LEFT(", "REPLACE('aaaa','a','aaaaaaaa')", "ARRAY_CONCAT(c.l,c.l)",
        "RegexMatch(c.s,'(a+)+$')", "udf.x(1)", " JOIN x IN c.l ", "EXISTS(", "ST_DISTANCE(", "\ud800", "\0", "ä", "\n", "  ",
    ];

    private static int Count => int.Parse(Environment.GetEnvironmentVariable(CountVariable) ?? "2500", CultureInfo.InvariantCulture);

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Run_GeneratedQueries_ReturnsWhatTheOracleSays()
    {
        using var host = new QueryHost(Documents, CompositeIndexes.Policy(CompositeIndexes.OfOracle()));
        object?[] documents = [.. Documents.Select(OracleValue.Parse)];
        var results = 0;
        for (var seed = 0; seed < Count; seed++)
        {
            var random = new Random(seed);
            var query = OracleQuery.Create(random);
            if (query.HasInfinity(documents))
                continue;
            var actual = Run(host, query, seed, pageSize: random.Next(12) switch { 0 => 1, < 4 => 7, _ => 1_000 });
            var difference = query.Difference(documents, actual, isOfOnePartition: true);
            Assert.True(difference is null, $"Seed {seed}: {difference}");
            results += actual.Count;
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{Count} queries with {results} results, all as the oracle says.");
        // Queries without results would prove nothing.
        Assert.True(results > Count, $"{results} results of {Count} queries.");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Run_MutatedQueries_ReturnsResultsOrBadRequest()
    {
        using var host = new QueryHost(Documents.Take(8), CompositeIndexes.Policy(CompositeIndexes.OfOracle()));
        var parameters = new Dictionary<string, Datum> { ["@p"] = Datum.From("aaaa") };
        var rejected = 0;
        for (var seed = 0; seed < Count; seed++)
        {
            var random = new Random(seed);
            var text = Mutate(random, OracleQuery.Create(random).Text);
            try
            {
                _ = QueryPlan.Create(host.Container, QueryParser.Parse(text, parameters));
                host.Run(text, pageSize: 3, parameters);
            }
            catch (RequestException e)
            {
                Assert.True(e.Status == 400 && e.Message.Length > 0, $"Seed {seed}: {e.Status} for {text}");
                rejected++;
            }
            catch (Exception e) when (e is not RequestException)
            {
                Assert.Fail($"Seed {seed}: {e} for {text}");
            }
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{Count} mutated queries: {rejected} rejected with 400, the others run.");
        Assert.InRange(rejected, Count / 10, Count - 1);
    }

    private static List<string> Run(QueryHost host, OracleQuery query, int seed, int pageSize)
    {
        try
        {
            return host.Run(query.Text, pageSize);
        }
        catch (RequestException e)
        {
            throw new InvalidOperationException($"Seed {seed}: {query.Text}: {e.Message}", e);
        }
    }

    private static string Mutate(Random random, string text)
    {
        for (var changes = random.Next(1, 5); changes > 0; changes--)
        {
            var at = random.Next(text.Length + 1);
            var length = Math.Min(random.Next(1, 8), text.Length - at);
            var fragment = Fragments[random.Next(Fragments.Length)];
            text = random.Next(6) switch
            {
                0 => text.Remove(at, length),
                1 => text.Insert(at, fragment),
                2 => text.Remove(at, length).Insert(at, fragment),
                3 => text.Insert(at, text.Substring(at, length)),
                4 => text.Insert(at, string.Concat(Enumerable.Repeat(fragment, random.Next(1, 2_000)))),
                _ => text[..at] + (char)random.Next(1, 0x300) + text[at..],
            };
        }

        return text;
    }
}
