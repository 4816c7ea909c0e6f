using Microsoft.Azure.Cosmos;
using CompositePath = Microsoft.Azure.Cosmos.CompositePath;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class ContainerPolicyTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Fact]
    public async Task Read_CompositeIndexesAndConflictPath_ReturnsThem()
    {
        var properties = new ContainerProperties { PartitionKeyPath = "/pk" };
        properties.IndexingPolicy.CompositeIndexes.Add(
        [
            new CompositePath { Path = "/a", Order = CompositePathSortOrder.Ascending },
            new CompositePath { Path = "/b/c", Order = CompositePathSortOrder.Descending },
        ]);
        properties.ConflictResolutionPolicy = new() { Mode = ConflictResolutionMode.LastWriterWins, ResolutionPath = "/version" };
        var container = await CreateContainerAsync(properties: properties);
        var read = await container.PropertiesAsync();

        Assert.Equal(
            [("/a", CompositePathSortOrder.Ascending), ("/b/c", CompositePathSortOrder.Descending)],
            read.IndexingPolicy.CompositeIndexes.Single().Select(path => (path.Path, path.Order)));
        Assert.Equal("/version", read.ConflictResolutionPolicy.ResolutionPath);
    }

    /// <summary>The account keeps what has no effect on it. No version means version 1.</summary>
    [Theory]
    [InlineData(PartitionKeyDefinitionVersion.V1)]
    [InlineData(null)]
    public async Task Read_VersionAndSpatialIndexes_ReturnsThem(PartitionKeyDefinitionVersion? version)
    {
        var properties = new ContainerProperties
        {
            PartitionKeyPath = "/pk", GeospatialConfig = new GeospatialConfig(GeospatialType.Geometry),
        };
        if (version is not null)
            properties.PartitionKeyDefinitionVersion = version;
        var spatial = new SpatialPath
        {
            Path = "/place/*",
            BoundingBox = new BoundingBoxProperties { Xmin = 0, Ymin = 0, Xmax = 10, Ymax = 10 },
        };
        spatial.SpatialTypes.Add(SpatialType.Point);
        properties.IndexingPolicy.SpatialIndexes.Add(spatial);

        var container = await CreateContainerAsync(properties: properties);
        var read = await container.PropertiesAsync();

        Assert.Equal(version, read.PartitionKeyDefinitionVersion);
        Assert.Equal(GeospatialType.Geometry, read.GeospatialConfig.GeospatialType);
        Assert.Equal([SpatialType.Point], read.IndexingPolicy.SpatialIndexes.Single().SpatialTypes);
    }

    /// <summary>Containers with a schema take JSON items as well.</summary>
    [Fact]
    public async Task Create_SchemaPolicy_ReturnsItAndRejectsOtherItemsThanJson()
    {
        await CreateContainerAsync();
        var id = $"p{Guid.NewGuid():N}";
        using var created = await SendAsync(
            HttpMethod.Post, "dbs/tests/colls",
            $$"""{"id":"{{id}}","partitionKey":{"paths":["/pk"],"kind":"Hash"},"schemaPolicy":{"version":"v1"} }""");
        using var json = await AddAsync("""{"id":"1","pk":"a"}""");
        using var row = await AddAsync("\u0081\u0001");

        Assert.Contains("\"schemaPolicy\":{\"version\":\"v1\"}", await created.Content.ReadAsStringAsync(Token), StringComparison.Ordinal);
        Assert.Equal(
            (HttpStatusCode.Created, HttpStatusCode.Created, HttpStatusCode.BadRequest),
            (created.StatusCode, json.StatusCode, row.StatusCode));

        Task<HttpResponseMessage> AddAsync(string item) => SendAsync(
            HttpMethod.Post, $"dbs/tests/colls/{id}/docs", item, ("x-ms-documentdb-partitionkey", """["a"]"""));
    }

    [Fact]
    public void Autoscale_WithAutomaticIncrease_Is400AndNamed()
    {
        var error = Assert.Throws<RequestException>(() => Offer.FromHeaders(
            null, """{"maxThroughput":4000,"autoUpgradePolicy":{"throughputPolicy":{"incrementPercent":10}}}"""));
        Assert.Equal(400, error.Status);
        Assert.Contains("autoUpgradePolicy", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ttlPropertyPath", "\"/created\"")]
    [InlineData("indexingPolicy", """{"spatialIndexes":[{"path":"/p/*","types":[]}]}""", "spatial data types")]
    [InlineData("vectorEmbeddingPolicy", """{"vectorEmbeddings":[]}""")]
    [InlineData("fullTextPolicy", """{"defaultLanguage":"en-US"}""")]
    [InlineData("indexingPolicy", """{"vectorIndexes":[{"path":"/v","type":"flat"}]}""", "vectorIndexes")]
    [InlineData("indexingPolicy", """{"fullTextIndexes":[{"path":"/t"}]}""", "fullTextIndexes")]
    [InlineData("indexingPolicy", """{"compositeIndexes":[[{"path":"/a"}]]}""", "composite")]
    [InlineData("indexingPolicy", """{"compositeIndexes":[[{"path":"/a","order":"up"},{"path":"/b"}]]}""", "up")]
    [InlineData("conflictResolutionPolicy", """{"mode":"FirstWriterWins"}""", "FirstWriterWins")]
    [InlineData("uniqueKeyPolicy", """{"uniqueKeys":[{"paths":[]}]}""", "unique")]
    [InlineData("uniqueKeyPolicy", """{"uniqueKeys":[{"paths":["/a/*"]}]}""", "/a/*")]
    public async Task Create_PolicyThatIsNotSimulated_Is400AndNamesIt(string property, string value, string? named = null)
    {
        await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, "dbs/tests/colls",
            $$"""{"id":"p{{Guid.NewGuid():N}}","partitionKey":{"paths":["/pk"],"kind":"Hash"},"{{property}}":{{value}}}""");
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains(named ?? property, await response.Content.ReadAsStringAsync(Token), StringComparison.OrdinalIgnoreCase);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_NamesThatAreNotAscii_AreServed(ConnectionMode mode)
    {
        var client = Client(mode);
        var name = $"grün-{mode}";
        var database = (await client.CreateDatabaseAsync(name, cancellationToken: Token)).Database;
        Container container = await database.CreateContainerAsync(new ContainerProperties(name, "/pk"), cancellationToken: Token);
        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        var read = await container.ReadItemAsync<Item>(
            "1", new PartitionKey("k"), new ItemRequestOptions { SessionToken = created.Headers.Session }, Token);

        Assert.Equal("1", read.Resource.Id);
        Assert.Equal(name, (await container.PropertiesAsync()).Id);
    }
}
