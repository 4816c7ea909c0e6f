namespace ScaleOut.Tests.Simulator.Engine.Queries;

/// <summary>Queries on paths without an index are charged for each document that they load.</summary>
public sealed class IndexUseTests(IndexUseTests.Hosts hosts) : IClassFixture<IndexUseTests.Hosts>
{
    [Theory]
    [InlineData("c.n = 3", false)]
    [InlineData("c.m = 3", true)]
    [InlineData("3 = c.m", true)]
    [InlineData("c.m = 3 OR c.n = 3", true)]
    [InlineData("NOT (c.m != 3)", true)]
    [InlineData("c.m IN (3)", true)]
    [InlineData("c.m BETWEEN 3 AND 3", true)]
    [InlineData("c.o.p = 3", true)]
    [InlineData("c.o.kept = 3", false)]
    [InlineData("IS_STRING(c.m)", true)]
    [InlineData("IS_STRING(c.n)", false)]
    [InlineData("c.l[0] = 3", true)]
    [InlineData("ARRAY_CONTAINS(c.l, 3)", true)]
    [InlineData("ARRAY_CONTAINS(c.kept, 3)", false)]
    [InlineData("c.kept[0] = 3", false)]
    [InlineData("EXISTS(SELECT VALUE x FROM x IN c.l WHERE x = 3)", true)]
    [InlineData("EXISTS(SELECT VALUE x FROM x IN c.kept WHERE x = 3)", false)]
    [InlineData("c.id = '3'", false)]
    [InlineData("c._ts < 0", false)]
    [InlineData("STARTSWITH(c.id, '3')", false)]
    public void Condition_OnAPathThatIsNotIndexed_LoadsEveryDocument(string condition, bool isScan)
    {
        foreach (var select in (string[])["*", "VALUE COUNT(1)"])
        {
            var query = $"SELECT {select} FROM c WHERE {condition}";
            var (all, some, none) = (hosts.Everything.Charge(query), hosts.Some.Charge(query), hosts.None.Charge(query));

            // Each of 120 scanned documents of 2 KB costs 0.03 RU, and the first look-up in the index 0.55.
            Assert.Equal(isScan, some > all + 1);
            Assert.Equal(isScan ? none : all, some, 6);
            Assert.True(none > all + 1, $"{query}: {none}");
            Assert.Equal(DocumentsOf(hosts.Everything), DocumentsOf(hosts.Some));
            Assert.Equal(hosts.Everything.Host.Run(query).Count, hosts.None.Host.Run(query).Count);

            // The hosts may have been filled in different seconds.
            IEnumerable<string> DocumentsOf(Indexed container) =>
                container.Host.Run(query).Select(text => Regex.Replace(text, "\"_ts\":[0-9]+", ""));
        }
    }

    [Fact]
    public void Join_WithAConditionOfAnElement_LoadsOnlyWhatTheIndexFinds()
    {
        const string join = "SELECT VALUE x FROM c JOIN x IN c";
        var found = hosts.Some.Charge($"{join}.kept WHERE x = 3");
        Assert.Equal(found, hosts.Everything.Charge($"{join}.l WHERE x = 3"), 6);
        Assert.True(hosts.Some.Charge($"{join}.l WHERE x = 3") > found + 1);
        Assert.True(hosts.Some.Charge($"{join}.kept WHERE x + 0 = 3") > found + 1);
    }

    [Fact]
    public void Conditions_OfWhichOneIsIndexed_LoadOnlyWhatTheIndexFinds() =>
        Assert.Equal(
            hosts.Some.Charge("SELECT * FROM c WHERE c.n = 3"), hosts.Some.Charge("SELECT * FROM c WHERE c.m = 3 AND c.n = 3"), 0.011);

    [Theory]
    [InlineData("c.n", true, false)]
    [InlineData("c._ts", true, false)]
    [InlineData("c.id", true, false)]
    [InlineData("c.m", false, false)]
    [InlineData("c.n, c.o.p", false, false)]
    [InlineData("c._etag", false, false)]
    public void OrderBy_OfAPathThatIsNotIndexed_IsBadRequest(string path, bool some, bool none)
    {
        Check(hosts.Some, some);
        Check(hosts.None, none);

        void Check(Indexed indexed, bool isServed)
        {
            var e = Record.Exception(() => indexed.Host.Run($"SELECT * FROM c ORDER BY {path}")) as RequestException;
            Assert.Equal(isServed, e is null);
            var message = path.Contains(',', StringComparison.Ordinal) ? "composite index" : "order-by item is excluded";
            Assert.True(e is null || (e.Status == 400 && e.Message.Contains(message, StringComparison.Ordinal)));
        }
    }

    internal sealed record Indexed(QueryHost Host)
    {
        public double Charge(string query) => Host.RunPage(Host.Parse(query), 1_000).Result.Charge.Value;
    }

    /// <summary>The same documents under three indexing policies.</summary>
    public sealed class Hosts : IDisposable
    {
        private static readonly string[] Documents =
        [
            .. Enumerable.Range(0, 120).Select(i => $$"""
                {"id":"{{i}}","pk":"k","n":{{i}},"m":{{i}},"o":{"p":{{i}},"kept":{{i}}},"l":[{{i}}],"kept":[{{i}}],
                "text":"{{new string('x', 2_000)}}"}
                """),
        ];

        internal Indexed Everything { get; } = new(new QueryHost(Documents));

        internal Indexed Some { get; } = new(new QueryHost(Documents, """
            {"includedPaths":[{"path":"/*"},{"path":"/o/kept/?"}],
            "excludedPaths":[{"path":"/m/?"},{"path":"/o/*"},{"path":"/l/[]/?"},{"path":"/\"_etag\"/?"}]}
            """));

        internal Indexed None { get; } = new(new QueryHost(Documents, """{"indexingMode":"none","automatic":false}"""));

        public void Dispose()
        {
            Everything.Host.Dispose();
            Some.Host.Dispose();
            None.Host.Dispose();
        }
    }
}
