using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using CompositePath = Microsoft.Azure.Cosmos.CompositePath;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class ComputedPropertyTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const string LowerName = "SELECT VALUE LOWER(IS_DEFINED(c.lastName) ? c.lastName : c.parents[0].familyName) FROM c";

    private const string ParentsName =
        "SELECT VALUE CONCAT(CONCAT(c.parents[0].firstName, ' ', c.lastName), ' & ', CONCAT(c.parents[1].firstName, ' ', c.lastName)) "
        + "FROM c";

    /// <summary>The documents, properties and results of the SDK's <c>ComputedPropertyTests</c>, which the service passes.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_AfterEachReplacement_HasThePropertiesOfTheContainer(ConnectionMode mode)
    {
        const string query = "SELECT c.lowerLastName, c.parentsFullName FROM c";
        var container = await CreateFamiliesAsync(mode);
        Assert.Equal(["{}", "{}"], await RunAsync(container, query));

        await ReplaceAsync(container, ("lowerLastName", LowerName));
        Assert.Equal(["""{"lowerLastName":"andersen"}""", """{"lowerLastName":"wakefield"}"""], await RunAsync(container, query));
        await ReplaceAsync(container, ("lowerLastName", LowerName), ("parentsFullName", ParentsName));
        Assert.Equal(
            [
                """{"lowerLastName":"andersen","parentsFullName":"Thomas Andersen & Mary Kay Andersen"}""",
                """{"lowerLastName":"wakefield"}""",
            ],
            await RunAsync(container, query));
        await ReplaceAsync(container, ("lowerLastName", "SELECT VALUE LOWER(c.lastName) FROM c"));
        Assert.Equal(["""{"lowerLastName":"andersen"}""", "{}"], await RunAsync(container, query));
        Assert.Equal("lowerLastName", Assert.Single((await container.PropertiesAsync()).ComputedProperties).Name);
        await ReplaceAsync(container);
        Assert.Equal(["{}", "{}"], await RunAsync(container, query));
        Assert.Empty((await container.PropertiesAsync()).ComputedProperties);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_EachClause_UsesThem(ConnectionMode mode)
    {
        var container = await CreateAsync(
            mode, index: ["/half/?"], ("half", "SELECT VALUE c.value / 2 FROM c"), ("parity", "SELECT VALUE c.value % 2 FROM c"),
            ("both", "SELECT VALUE [c.value, c.value + 100] FROM c"), ("written", "SELECT VALUE c._ts > 0 FROM c"));
        for (var i = 0; i < 8; i++)
            await container.AddAsync(new Item { Id = $"{i}", Key = $"k{i % 3}", Value = i });

        Assert.Equal(["3"], await RunAsync(container, "SELECT VALUE c.id FROM c WHERE c.half = 1.5"));
        Assert.Equal(["6", "7"], await RunAsync(container, "SELECT VALUE c.id FROM c WHERE c.half >= 3"));
        Assert.Equal(["1", "3", "5", "7"], await RunAsync(container, "SELECT VALUE c.id FROM c WHERE c['parity'] = 1"));
        Assert.Equal(
            ["7", "6", "5"], await RunAsync(container, "SELECT VALUE c.id FROM c ORDER BY c.half DESC OFFSET 0 LIMIT 3", isOrdered: true));
        Assert.Equal(
            ["""{"parity":0,"sum":6}""", """{"parity":1,"sum":8}"""],
            await RunAsync(container, "SELECT c.parity, SUM(c.half) AS sum FROM c GROUP BY c.parity"));
        Assert.Equal(["14"], await RunAsync(container, "SELECT VALUE SUM(c.half) FROM c"));
        Assert.Equal(["107", "7"], await RunAsync(container, "SELECT VALUE x FROM c JOIN x IN c.both WHERE c.id = '7'"));
        Assert.Equal(
            ["2"], await RunAsync(container, "SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE x FROM x IN c.both WHERE x = 102)"));
        Assert.Equal(["8"], await RunAsync(container, "SELECT VALUE COUNT(1) FROM c WHERE c.written"));
        Assert.Equal(["0", "1"], await RunAsync(container, "SELECT DISTINCT VALUE c.parity FROM c"));
    }

    /// <summary>Only an index orders by them. Wildcard paths of the policy do not cover them.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task OrderBy_WithoutAPathThatNamesThem_IsBadRequest(ConnectionMode mode)
    {
        var container = await CreateAsync(mode, index: [], ("half", "SELECT VALUE c.value / 2 FROM c"));
        var e = await FailsAsync(HttpStatusCode.BadRequest, () => RunAsync(container, "SELECT * FROM c ORDER BY c.half"));
        Assert.Contains("order-by item is excluded", e.Message, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task OrderBy_CompositeIndex_OrdersByThem(ConnectionMode mode)
    {
        var properties = Properties([], ("parity", "SELECT VALUE c.value % 2 FROM c"));
        properties.IndexingPolicy.CompositeIndexes.Add([new CompositePath { Path = "/parity" }, new CompositePath { Path = "/value" }]);
        var container = await CreateContainerAsync(mode, properties: properties);
        for (var i = 0; i < 5; i++)
            await container.AddAsync(new Item { Id = $"{i}", Key = $"k{i}", Value = i });
        Assert.Equal(
            ["0", "2", "4", "1", "3"], await RunAsync(container, "SELECT VALUE c.id FROM c ORDER BY c.parity, c.value", isOrdered: true));
    }

    /// <summary>A stored property of the same name is seen in whole documents only, and by the query of the computed one.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_StoredPropertyOfTheSameName_IsInWholeDocumentsOnly(ConnectionMode mode)
    {
        var container = await CreateAsync(
            mode, index: [], ("value", "SELECT VALUE c.value + 1 FROM c"), ("other", "SELECT VALUE c.value * 10 FROM c"));
        await container.AddAsync(new Item { Id = "1", Key = "k", Value = 1 });

        Assert.Equal(["""{"value":2,"other":10}"""], await RunAsync(container, "SELECT c['value'], c.other FROM c"));
        Assert.Equal(1, Assert.Single(await container.QueryAsync<JObject>("SELECT * FROM c WHERE c['value'] = 2"))["value"]);
        Assert.Empty(await container.QueryAsync<JObject>("SELECT * FROM c WHERE c['value'] = 1"));
        Assert.Null((await container.ReadAsync<JObject>("1", new PartitionKey("k"))).Resource["other"]);
    }

    [Fact]
    public async Task Replace_WhileAPathNamesThem_NeitherAddsNorRemoves()
    {
        var container = await CreateAsync(ConnectionMode.Gateway, index: ["/half/?"], ("half", "SELECT VALUE c.value / 2 FROM c"));
        await FailsAsync(HttpStatusCode.BadRequest, () => ReplaceAsync(container, index: ["/half/?"]));
        await ReplaceAsync(container, index: []);
        await ReplaceAsync(container, index: ["/half/?"]);
        var e = await FailsAsync(
            HttpStatusCode.BadRequest,
            () => ReplaceAsync(container, index: ["/half/?"], ("half", "SELECT VALUE c.value / 2 FROM c")));
        Assert.Contains("'half'", e.Message, StringComparison.Ordinal);
    }

    private async Task<Container> CreateFamiliesAsync(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, properties: new ContainerProperties { PartitionKeyPath = "/id" });
        string[] families =
        [
            """{"id":"AndersenFamily","lastName":"Andersen","parents":[{"firstName":"Thomas"},{"firstName":"Mary Kay"}]}""",
            """{"id":"WakefieldFamily","parents":[{"familyName":"Wakefield","givenName":"Robin"},{"familyName":"Miller"}]}""",
        ];
        foreach (var family in families.Select(JObject.Parse))
            await container.AddAsync(family, new PartitionKey((string?)family["id"]));
        return container;
    }

    private Task<Container> CreateAsync(ConnectionMode mode, string[] index, params (string Name, string Query)[] computed) =>
        CreateContainerAsync(mode, properties: Properties(index, computed));

    private static ContainerProperties Properties(string[] index, params (string Name, string Query)[] computed)
    {
        var properties = AccountClients.Keyed("/pk");
        return Set(properties, index, computed);
    }

    private static Task ReplaceAsync(Container container, params (string Name, string Query)[] computed) =>
        ReplaceAsync(container, [], computed);

    private static async Task ReplaceAsync(Container container, string[] index, params (string Name, string Query)[] computed) =>
        await container.ReplaceContainerAsync(Set(await container.PropertiesAsync(), index, computed), cancellationToken: Token);

    /// <summary>Indexes everything, and these paths beside it.</summary>
    private static ContainerProperties Set(ContainerProperties properties, string[] index, (string Name, string Query)[] computed)
    {
        properties.IndexingPolicy = new();
        foreach (var path in index.Prepend("/*"))
            properties.IndexingPolicy.IncludedPaths.Add(new IncludedPath { Path = path });
        properties.ComputedProperties = [.. computed.Select(one => new ComputedProperty { Name = one.Name, Query = one.Query })];
        return properties;
    }

    /// <summary>The results as JSON, in the order of their texts unless the query orders them.</summary>
    private static async Task<List<string>> RunAsync(Container container, string query, bool isOrdered = false)
    {
        var results = (await container.QueryAsync<JToken>(query)).Select(
            one => one.Type == JTokenType.String ? (string)one! : one.ToString(Newtonsoft.Json.Formatting.None));
        return [.. isOrdered ? results : results.Order(StringComparer.Ordinal)];
    }
}
