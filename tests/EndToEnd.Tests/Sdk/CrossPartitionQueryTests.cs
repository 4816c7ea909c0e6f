using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ScaleOut.Tests.EndToEnd.Sdk.QueryFuzz;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Queries of the unmodified SDK over four partitions, against the oracle.</summary>
public sealed class CrossPartitionQueryTests(CrossPartitionQueryTests.Filled filled) : AccountTests<CrossPartitionQueryTests.Filled>(filled)
{
    /// <summary>The environment variable with the number of random queries in each mode.</summary>
    private const string CountVariable = "SCALEOUT_QUERY_FUZZ_SDK";

    [Theory(Explicit = true), MemberData(nameof(Modes))]
    [Trait("Duration", "Long")]
    public async Task Query_Random_ReturnsWhatTheOracleSays(ConnectionMode mode)
    {
        var count = int.Parse(Environment.GetEnvironmentVariable(CountVariable) ?? "120", CultureInfo.InvariantCulture);
        object?[] documents = [.. Fixture.Documents.Select(OracleValue.Parse)];
        for (var i = 0; i < count; i++)
        {
            var seed = (mode == ConnectionMode.Direct ? 1_000_000 : 2_000_000) + i;
            var random = new Random(seed);
            var query = OracleQuery.Create(random, endsOrderWithNumber: true);
            if (query.HasInfinity(documents))
                continue;
            List<string> actual;
            try
            {
                actual = await ReadAsync(mode, query.Text, pageSize: random.Next(3) == 0 ? 5 : -1);
            }
            catch (CosmosException e)
            {
                throw new InvalidOperationException($"Seed {seed}: {query.Text}", e);
            }

            var difference = query.Difference(documents, actual, isOfOnePartition: false);
            Assert.True(difference is null, $"Seed {seed}: {difference}");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task OrderBy_ResumedWithContinuations_GivesEveryResultOnceInOrder(ConnectionMode mode)
    {
        // Values of every type, undefined, arrays and objects, with many equal ones.
        foreach (var order in new[] { "c.m", "c.m DESC", "c.a", "c.a DESC", "c.i, c.m DESC", "c.missing", "c.d DESC" })
        {
            var whole = await ReadAsync(mode, $"SELECT VALUE c.n FROM c ORDER BY {order}", pageSize: -1);
            var resumed = await ReadResumedAsync(mode, $"SELECT VALUE c.n FROM c ORDER BY {order}", pageSize: 7);
            Assert.Equal(Fixture.Documents.Count, whole.Distinct().Count());
            Assert.True(whole.SequenceEqual(resumed), $"{order}: {string.Join(' ', whole)} / {string.Join(' ', resumed)}");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Window_ResumedWithContinuations_ReturnsThatPart(ConnectionMode mode)
    {
        var all = await ReadAsync(mode, "SELECT VALUE c.n FROM c ORDER BY c.n", pageSize: -1);
        Assert.Equal(all.Take(23), await ReadResumedAsync(mode, "SELECT TOP 23 VALUE c.n FROM c ORDER BY c.n", pageSize: 4));
        Assert.Equal(
            all.Skip(10).Take(31), await ReadResumedAsync(mode, "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 10 LIMIT 31", pageSize: 4));
        Assert.Equal(12, (await ReadResumedAsync(mode, "SELECT TOP 12 VALUE c.n FROM c", pageSize: 5)).Distinct().Count());
        Assert.Equal(20, (await ReadResumedAsync(mode, "SELECT VALUE c.n FROM c OFFSET 3 LIMIT 20", pageSize: 6)).Distinct().Count());
        Assert.Empty(await ReadAsync(mode, "SELECT VALUE c.n FROM c OFFSET 0 LIMIT 0", pageSize: -1));
    }

    /// <summary>
    /// The SDK's token counts the rows of a document that are in its last page, not those in pages before. So these pages are not so small
    /// that a document has rows in three of them, or the last document in two.
    /// </summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Join_ResumedWithContinuations_ReturnsEveryRowOnceInOrder(ConnectionMode mode)
    {
        foreach (var order in new[] { "c.n", "c.m DESC" })
        {
            var query = $"SELECT VALUE [c.n, x, y] FROM c JOIN x IN c.l JOIN y IN (SELECT VALUE [c.n, 'y']) ORDER BY {order}";
            var whole = await ReadAsync(mode, query, pageSize: -1);
            Assert.Equal(whole, await ReadAsync(mode, query, pageSize: 2));
            Assert.Equal(2 * Fixture.Documents.Select(JObject.Parse).Sum(one => (one["l"] as JArray)?.Count ?? 0), whole.Count);
            Assert.Equal(whole, await ReadResumedAsync(mode, query, pageSize: 7));
        }
    }

    /// <summary>The partition skips, counts and orders; the client must not do so again.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfRowsWithoutDocuments_IsThePartitionsResult(ConnectionMode mode)
    {
        const string rows = "FROM x IN (SELECT VALUE [1, 2, 2, 4])";
        Assert.Equal(["2", "2"], await ReadAsync(mode, $"SELECT VALUE x {rows} OFFSET 1 LIMIT 2", pageSize: -1));
        Assert.Equal(["1", "2", "4"], await ReadAsync(mode, $"SELECT DISTINCT VALUE x {rows}", pageSize: 1));
        Assert.Equal(["9"], await ReadAsync(mode, $"SELECT VALUE SUM(x) {rows}", pageSize: -1));
        Assert.Equal(["""{"n":4}"""], await ReadAsync(mode, $"SELECT COUNT(1) AS n {rows}", pageSize: -1));
        Assert.Equal(3, (await ReadAsync(mode, $"SELECT x, COUNT(1) AS n {rows} GROUP BY x", pageSize: -1)).Count);
    }

    /// <summary>Whatever the parts and their documents are called, and whether or not their names are also those of the other.</summary>
    [Theory]
    [InlineData("c.d AS a", "a")]
    [InlineData("c.d", "d")]
    [InlineData("c.d c", "c")]
    [InlineData("document.d document", "document")]
    [InlineData("(SELECT VALUE c.d FROM c) AS c", "c")]
    [InlineData("(SELECT VALUE d FROM c.d) AS a", "a")]
    [InlineData("(SELECT VALUE x.d FROM (SELECT VALUE c FROM c) AS x) AS a", "a")]
    [InlineData("(SELECT VALUE c.d FROM c JOIN x IN (SELECT VALUE [c.n])) AS a JOIN y IN (SELECT VALUE [1])", "a")]
    public async Task OrderBy_OfPartsOfDocuments_HasEachInOrder(string source, string name)
    {
        string[] expected = [.. Fixture.Documents.Select(JObject.Parse).Select(one => one["d"]).OfType<JObject>()
            .OrderBy(one => one["y"] is { } y ? y.Type == JTokenType.Null ? 1 : 2 : 0).ThenBy(one => (double?)one["y"]).Select(Text)];

        var query = $"SELECT VALUE {name} FROM {source} ORDER BY {name}.y";
        var whole = await ReadAsync(ConnectionMode.Gateway, query, pageSize: -1);
        var resumed = await ReadResumedAsync(ConnectionMode.Gateway, query, pageSize: 7);
        foreach (var actual in new[] { whole, resumed })
        {
            Assert.Equal(expected.Order(StringComparer.Ordinal), actual.Order(StringComparer.Ordinal));
            Assert.Equal(expected.Select(Key), actual.Select(Key));
        }

        static string? Key(string text) => JObject.Parse(text)["y"]?.ToString();
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task DocumentId_OfEachDocument_IsItsOwn(ConnectionMode mode)
    {
        var ids = await ReadAsync(mode, "SELECT VALUE [c._rid, DOCUMENTID(c)] FROM c WHERE DOCUMENTID(c) > 0", pageSize: -1);
        Assert.Equal(Fixture.Documents.Count, ids.Distinct().Count());
        Assert.All(ids.Select(JArray.Parse), one => Assert.Equal(
            BinaryPrimitives.ReadInt64LittleEndian(Convert.FromBase64String(((string)one[0]!).Replace('-', '/')).AsSpan(8)), (long)one[1]));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfOneKey_GroupsAndOrdersThere(ConnectionMode mode)
    {
        var options = new QueryRequestOptions { PartitionKey = new PartitionKey("p3"), MaxItemCount = 3 };
        JObject[] documents = [.. Fixture.Documents.Select(JObject.Parse).Where(one => (string?)one["pk"] == "p3")];

        Assert.Equal(
            documents.Select(one => (int)one["n"]!).OrderDescending().Select(n => $"{n}"),
            await ReadAsync(mode, "SELECT VALUE c.n FROM c ORDER BY c.n DESC", options));
        Assert.Equal([$"{documents.Length}"], await ReadAsync(mode, "SELECT VALUE COUNT(1) FROM c", options));
        Assert.Equal(
            documents.Select(one => one["i"]?.ToString()).Distinct().Count(),
            (await ReadAsync(mode, "SELECT c.i, COUNT(1) AS n FROM c GROUP BY c.i", options)).Count);
        Assert.Equal(
            [$"{documents.Sum(one => (int)one["n"]!)}"],
            await ReadAsync(mode, "SELECT VALUE SUM(c.n) FROM c WHERE c.pk = 'p3'", new QueryRequestOptions()));
    }

    /// <summary>With optimistic direct execution the client sends the original query, and the partition runs all of it.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_WithOptimisticDirectExecution_IsRunByThePartition(ConnectionMode mode)
    {
        object?[] documents = [.. Fixture.Documents.Select(OracleValue.Parse)
            .Where(one => ((SortedDictionary<string, object?>)one!)["pk"] is "p3")];
        for (var seed = 0; seed < 40; seed++)
        {
            var query = OracleQuery.Create(new Random(seed));
            if (query.HasInfinity(documents))
                continue;
            var options = new QueryRequestOptions
            {
                PartitionKey = new PartitionKey("p3"), MaxItemCount = seed % 2 == 0 ? 2 : -1, EnableOptimisticDirectExecution = true,
            };

            var difference = query.Difference(documents, await ReadAsync(mode, query.Text, options), isOfOnePartition: true);

            Assert.True(difference is null, $"Seed {seed}: {difference}");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task SystemProperties_InConditionsAndResults_AreTheDocuments(ConnectionMode mode)
    {
        var all = await ReadAsync(mode, "SELECT * FROM c WHERE c._ts > 0 AND IS_STRING(c._etag)", pageSize: -1);
        var projected = await ReadAsync(mode, "SELECT c._rid, c AS document FROM c ORDER BY c.n", pageSize: -1);
        Assert.Equal(Fixture.Documents.Count, all.Count);
        Assert.Equal(
            all.Select(JObject.Parse).OrderBy(one => (int)one["n"]!).Select(one => one.ToString()),
            projected.Select(JObject.Parse).Select(one => one["document"]!.ToString()));
        Assert.All(projected.Select(JObject.Parse), one => Assert.Equal(one["_rid"], one["document"]!["_rid"]));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Charge_OfConditions_GrowsOnlyWithDocumentsThatAreLoaded(ConnectionMode mode)
    {
        var indexed = await ChargeAsync(mode, "SELECT * FROM c WHERE c.n = 3");
        var served = await ChargeAsync(mode, "SELECT * FROM c WHERE c.n IN (3) AND STARTSWITH(c.id, '3')");
        var scanned = await ChargeAsync(mode, "SELECT * FROM c WHERE IS_DEFINED(c.n) AND c.n + 0 = 3");
        // The second condition is one more look-up in the index of each of the four partitions, and loads nothing.
        Assert.Equal(indexed + (4 * 0.1), served, 6);
        Assert.True(scanned > indexed, $"{scanned} > {indexed}");
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_WithAResultThatIsTooLarge_IsBadRequest(ConnectionMode mode)
    {
        var text = "'aaaaaaaaaa'";
        for (var i = 0; i < 8; i++)
            text = $"REPLACE({text}, 'a', 'aaaaaaaaaa')";
        await FailsAsync(HttpStatusCode.BadRequest, () => ReadAsync(mode, $"SELECT * FROM c WHERE LENGTH({text}) > 1", pageSize: -1));
    }

    private Task<List<string>> ReadAsync(ConnectionMode mode, string query, int pageSize) =>
        ReadAsync(mode, query, new QueryRequestOptions { MaxItemCount = pageSize, MaxConcurrency = -1 });

    private async Task<List<string>> ReadAsync(ConnectionMode mode, string query, QueryRequestOptions options) =>
        (await Fixture.Container(mode).QueryAsync<JToken>(query, options)).ConvertAll(Text);

    /// <summary>Reads every page with an iterator of its own.</summary>
    private async Task<List<string>> ReadResumedAsync(ConnectionMode mode, string query, int pageSize)
    {
        var results = new List<string>();
        var pages = 0;
        string? continuation = null;
        do
        {
            using var iterator = Fixture.Container(mode).GetItemQueryIterator<JToken>(
                query, continuation, new QueryRequestOptions { MaxItemCount = pageSize });
            var page = await iterator.ReadNextAsync(Token);
            Assert.InRange(page.Count, 0, pageSize);
            results.AddRange(page.Select(Text));
            continuation = page.ContinuationToken;
            Assert.True(++pages < 1_000, $"{query}: {results.Count} results, and no end: {continuation}");
        }
        while (continuation is not null);

        return results;
    }

    private async Task<double> ChargeAsync(ConnectionMode mode, string query)
    {
        double charge = 0;
        using var iterator = Fixture.Container(mode).GetItemQueryIterator<JToken>(query);
        while (iterator.HasMoreResults)
            charge += (await iterator.ReadNextAsync(Token)).RequestCharge;
        return charge;
    }

    private static string Text(JToken token) => token.ToString(Newtonsoft.Json.Formatting.None);

    /// <summary>The oracle's documents over four partitions.</summary>
    public sealed class Filled : FilledAccount
    {
        public IReadOnlyList<string> Documents { get; } = OracleDocuments.Create(70, seed: 815);

        public override async ValueTask InitializeAsync() => await FillAsync(
            Documents.Select(JObject.Parse).Select(document => (document, (string)document["pk"]!)), CompositeIndexes.OfOracle());
    }
}
