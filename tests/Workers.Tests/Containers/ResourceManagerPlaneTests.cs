using Azure;

namespace ScaleOut.Tests.Workers.Containers;

public sealed class ResourceManagerPlaneTests : IAsyncLifetime
{
    private const string DatabasePath = ResourceManagerStandIn.AccountPath + "/sqlDatabases/scaleout";
    private const string ContainerPath = DatabasePath + "/containers/run-r1";

    private static readonly AccountConnection Account =
        new() { Endpoint = new Uri("https://books.documents.azure.com/"), ResourceId = ResourceManagerStandIn.AccountPath };

    private static readonly ContainerDefinition Definition = new(
        new ContainerTarget("scaleout", "run-r1", "/PartitionKey"), new ContainerSpec { Throughput = 9_000 });

    private const string Forbidden = """{"error":{"code":"AuthorizationFailed","message":"The client has no right to read this."}}""";

    private ResourceManagerStandIn _azure = null!;
    private ResourceManagerPlane _plane = null!;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _azure = await ResourceManagerStandIn.StartAsync();
        _plane = new ResourceManagerPlane(AccountResourceId.From(Account), _azure.CreateClient());
    }

    public ValueTask DisposeAsync() => _azure.DisposeAsync();

    [Theory]
    [InlineData("""[{"actions":["Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/write"]}]""", true)]
    [InlineData("""[{"actions":["microsoft.documentdb/databaseaccounts/*/WRITE"],"notActions":[]}]""", true)]
    [InlineData("""[{"actions":["*/read"]},{"actions":["*"],"notActions":["Microsoft.Authorization/*/write"]}]""", true)]
    [InlineData("""[{"actions":["*"],"notActions":["Microsoft.DocumentDB/*/write"]},{"actions":["*/read"]}]""", false)]
    [InlineData("""[{"actions":["Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/write"]}]""", false)]
    [InlineData("[]", false)]
    [InlineData("17", true)]
    public async Task MayReplaceThroughputAsync_Permissions_DecideByTheAction(string permissions, bool may)
    {
        const string path = DatabasePath + "/providers/Microsoft.Authorization/permissions";
        _azure.RespondOnce("GET " + path, 200, $$"""{"value":{{permissions}}}""");

        Assert.Equal(may, await _plane.MayReplaceThroughputAsync("scaleout", Token));

        Assert.Equal($"GET {path}?api-version=2022-04-01", Assert.Single(_azure.Calls).Call);
    }

    [Fact]
    public async Task TryCreateContainerAsync_Default_SendsOnlyKeyVersionAndThroughput()
    {
        Assert.True(await _plane.TryCreateContainerAsync(Definition, Token));

        var created = Assert.Single(_azure.Calls, call => call.Call.StartsWith("PUT ", StringComparison.Ordinal));
        Assert.Equal($"PUT {ContainerPath}?api-version=2024-11-15", created.Call);
        AssertJson(
            """
            {"properties":{"resource":{"id":"run-r1","partitionKey":{"paths":["/PartitionKey"],"kind":"Hash","version":2}},
            "options":{"throughput":9000}}}
            """,
            created.Body);
        Assert.False(await _plane.TryCreateContainerAsync(Defined(new() { Throughput = 400 }), Token));
        Assert.Single(_azure.CallsOf("PUT"));
    }

    [Fact]
    public async Task TryCreateContainerAsync_AutoscaleAndPolicy_SendsThem()
    {
        await _plane.TryCreateContainerAsync(
            Defined(new() { Throughput = 9_000, Autoscale = true, ExcludedPaths = ["/SomeText/?"] }), Token);

        AssertJson(
            """
            {"properties":{"resource":{"id":"run-r1","partitionKey":{"paths":["/PartitionKey"],"kind":"Hash","version":2},
              "indexingPolicy":{"indexingMode":"consistent","automatic":true,
                "includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/SomeText/?"},{"path":"/\"_etag\"/?"}]}},
              "options":{"autoscaleSettings":{"maxThroughput":9000}}}}
            """,
            _azure.Calls.Last().Body);
    }

    [Fact]
    public async Task TryCreateContainerAsync_TwoPathsACompositeIndexAndATimeToLive_SendsThem()
    {
        await _plane.TryCreateContainerAsync(
            Defined(new()
            {
                Throughput = 9_000,
                ExcludedPaths = ["/*"],
                IncludedPaths = ["/a/?", "/b/*"],
                CompositeIndexes = ["/a ASC, /b/c DESC"],
                TimeToLive = -1,
            }), Token);

        AssertJson(
            """
            {"properties":{"resource":{"id":"run-r1","partitionKey":{"paths":["/PartitionKey"],"kind":"Hash","version":2},"defaultTtl":-1,
              "indexingPolicy":{"indexingMode":"consistent","automatic":true,
                "includedPaths":[{"path":"/a/?"},{"path":"/b/*"}],"excludedPaths":[{"path":"/*"},{"path":"/\"_etag\"/?"}],
                "compositeIndexes":[[{"path":"/a","order":"ascending"},{"path":"/b/c","order":"descending"}]]}},
              "options":{"throughput":9000}}}
            """,
            _azure.Calls.Last().Body);
    }

    [Fact]
    public async Task TryCreateContainerAsync_HierarchicalKey_SendsItsLevels()
    {
        await _plane.TryCreateContainerAsync(
            Definition with { Target = ContainerTarget.Create("scaleout", "run-r1", ["/tenantId", "/userId", "/id"]) }, Token);

        AssertJson(
            """{"paths":["/tenantId","/userId","/id"],"kind":"MultiHash","version":2}""",
            JsonNode.Parse(_azure.Calls.Last().Body)!["properties"]!["resource"]!["partitionKey"]!.ToJsonString());
    }

    [Theory]
    [InlineData(IndexingMode.None, """{"indexingMode":"none","automatic":false,"includedPaths":[],"excludedPaths":[]}""")]
    [InlineData(
        IndexingMode.Lazy,
        """{"indexingMode":"lazy","automatic":true,"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/\"_etag\"/?"}]}""")]
    public async Task TryCreateContainerAsync_IndexingMode_SendsItsPolicy(IndexingMode indexing, string policy)
    {
        await _plane.TryCreateContainerAsync(Defined(new() { Throughput = 9_000, Indexing = indexing }), Token);
        AssertJson(policy, JsonNode.Parse(_azure.Calls.Last().Body)!["properties"]!["resource"]!["indexingPolicy"]!.ToJsonString());
    }

    [Theory]
    [InlineData("Azure-AsyncOperation")]
    [InlineData("Location")]
    public async Task TryCreateContainerAsync_OperationGoesOn_PollsUntilItEnds(string header)
    {
        _azure.ProgressHeader = header;
        Assert.True(await _plane.TryCreateContainerAsync(Definition, Token));
        Assert.Equal(3, _azure.CallsOf("GET").Count(call => call.StartsWith("GET /operations/1?", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(
        """{"status":"Failed","error":{"code":"Forbidden","message":"The account is at its limit of 1,000 RU/s."}}""", "at its limit")]
    [InlineData("""{"status":"Canceled"}""", "Canceled")]
    public async Task TryCreateContainerAsync_OperationFails_ReportsWhy(string end, string expected)
    {
        _azure.ProgressHeader = "Azure-AsyncOperation";
        _azure.EndOfOperation = end;
        var error = await Assert.ThrowsAsync<AccountException>(() => _plane.TryCreateContainerAsync(Definition, Token));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task TryCreateContainerAsync_OperationDoesNotEnd_GivesUpAfterTenMinutes()
    {
        (_azure.ProgressHeader, _azure.UnfinishedPolls) = ("Azure-AsyncOperation", int.MaxValue);
        var time = new ManualTime(DateTimeOffset.UnixEpoch);
        var creating = new ResourceManagerPlane(AccountResourceId.From(Account), _azure.CreateClient(time))
            .TryCreateContainerAsync(Definition, Token);

        // The ten minutes begin just before the first poll.
        while (!_azure.CallsOf("GET").Any(call => call.Contains("/operations/", StringComparison.Ordinal)))
        {
            time.Advance(TimeSpan.FromMilliseconds(10));
            await Task.Delay(1, Token);
        }

        time.Advance(TimeSpan.FromMinutes(9));
        Assert.False(creating.IsCompleted);
        time.Advance(TimeSpan.FromMinutes(1));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => creating.WaitAsync(Until.Timeout, Token));
    }

    [Theory]
    [InlineData(202)]
    [InlineData(403)]
    public async Task TryCreateContainerAsync_NoRightToReadTheStatus_PollsTheResult(int results)
    {
        (string, string)[] progress =
            [("Azure-AsyncOperation", "/operations/status"), ("Location", "/operations/results"), ("Retry-After", "0")];
        _azure.RespondOnce("PUT " + ContainerPath, 202, "", progress);
        _azure.RespondOnce("GET /operations/status", 403, Forbidden);
        _azure.RespondOnce("GET /operations/results", results, results == 403 ? Forbidden : "");
        _azure.RespondOnce("GET /operations/results", 200, "");

        if (results == 403)
        {
            var error = await Assert.ThrowsAsync<RequestFailedException>(() => _plane.TryCreateContainerAsync(Definition, Token));
            Assert.Equal(403, error.Status);
            return;
        }

        Assert.True(await _plane.TryCreateContainerAsync(Definition, Token));
        Assert.Equal(
            ["GET /operations/status", "GET /operations/results", "GET /operations/results"],
            _azure.CallsOf("GET").Where(call => call.StartsWith("GET /operations/", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task TryCreateContainerAsync_ProgressOnAnotherHost_SendsNoTokenThere()
    {
        _azure.ProgressHeader = "Azure-AsyncOperation";
        _azure.ProgressAddress = "https://collector.example/operations/1";
        await Assert.ThrowsAsync<AccountException>(() => _plane.TryCreateContainerAsync(Definition, Token));
    }

    [Theory]
    [InlineData(409, "Conflict", "Another change is under way.", AccountErrorKind.Rejected)]
    [InlineData(403, "AuthorizationFailed", "The client has no right to containers/write.", AccountErrorKind.Rejected)]
    [InlineData(412, "PreconditionFailed", "There is already an operation in progress.", AccountErrorKind.Transient)]
    public async Task TryCreateContainerAsync_Rejected_KeepsCodeAndText(int status, string code, string text, AccountErrorKind kind)
    {
        var body = new JsonObject { ["error"] = new JsonObject { ["code"] = code, ["message"] = text } };
        _azure.RespondOnce("PUT " + ContainerPath, status, body.ToJsonString());

        var exception = await Assert.ThrowsAsync<RequestFailedException>(() => _plane.TryCreateContainerAsync(Definition, Token));

        var error = AccountErrors.Describe(exception, Account);
        Assert.Equal(kind, error.Kind);
        Assert.StartsWith($"Azure Resource Manager responded with {status} {code}: {text}", error.Message, StringComparison.Ordinal);
        Assert.Equal(status == 403, error.Message.Contains("in the database 'scaleout' only", StringComparison.Ordinal));
        Assert.DoesNotContain(ResourceManagerStandIn.Token, error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task TryCreateContainerAsync_ErrorWithoutJson_KeepsTheStatus()
    {
        _azure.RespondOnce("PUT " + ContainerPath, 400, "<html>no</html>");
        var error = await Assert.ThrowsAsync<RequestFailedException>(() => _plane.TryCreateContainerAsync(Definition, Token));
        Assert.Equal(400, error.Status);
    }

    [Fact]
    public async Task TryCreateContainerAsync_Throttled_WaitsAndTriesAgain()
    {
        _azure.RespondOnce(
            "PUT " + ContainerPath, 429, """{"error":{"code":"TooManyRequests","message":"slow down"}}""", ("Retry-After", "1"));
        var started = TimeProvider.System.GetTimestamp();

        Assert.True(await _plane.TryCreateContainerAsync(Definition, Token));

        Assert.Equal(2, _azure.CallsOf("PUT").Length);
        Assert.True(TimeProvider.System.GetElapsedTime(started) >= TimeSpan.FromSeconds(0.9), "Retry-After was not waited for");
    }

    [Fact]
    public async Task EnsureDatabaseAsync_Absent_CreatesItOnceWithoutThroughput()
    {
        await _plane.EnsureDatabaseAsync("scaleout", null, Token);
        await _plane.EnsureDatabaseAsync("scaleout", null, Token);

        Assert.Equal([$"PUT {DatabasePath}?api-version=2024-11-15"], _azure.CallsOf("PUT"));
        Assert.True(await _plane.DatabaseExistsAsync("scaleout", Token));
        Assert.Null(await _plane.ReadThroughputAsync(Definition.Target, Token));
    }

    [Fact]
    public async Task ReadContainerAsync_ExistsOrNot_ReportsItsKeyOrNull()
    {
        Assert.Null(await _plane.ReadContainerAsync(Definition.Target, Token));
        await _plane.TryCreateContainerAsync(Definition, Token);

        var facts = await _plane.ReadContainerAsync(Definition.Target, Token);

        Assert.Equal(["/PartitionKey"], facts!.PartitionKeyPaths);
        Assert.False(facts.Expires || facts.HasUniqueKeys);
    }

    [Fact]
    public async Task ReadContainerAsync_ExpiringWithUniqueKeys_ReportsBoth()
    {
        _azure.Resources[ContainerPath] = JsonNode.Parse(
            """
            {"id":"run-r1","partitionKey":{"paths":["/a","/b"]},"defaultTtl":60,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/x"]}]}}
            """)!;

        var facts = await _plane.ReadContainerAsync(Definition.Target, Token);

        Assert.True(facts!.Expires && facts.HasUniqueKeys);
        Assert.Equal(["/a", "/b"], facts.PartitionKeyPaths);
    }

    [Theory]
    [InlineData(false, """{"throughput":20000}""")]
    [InlineData(true, """{"autoscaleSettings":{"maxThroughput":20000}}""")]
    public async Task ReplaceThroughputAsync_OfTheContainer_SendsItsSettings(bool autoscale, string resource)
    {
        await _plane.TryCreateContainerAsync(Definition, Token);
        await _plane.ReplaceThroughputAsync(Definition.Target, 20_000, autoscale, Token);

        var call = _azure.Calls.Last();
        Assert.Equal($"PUT {ContainerPath}/throughputSettings/default?api-version=2024-11-15", call.Call);
        AssertJson("""{"properties":{"resource":""" + resource + "}}", call.Body);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ReadThroughputAsync_OfTheContainer_IsItsOwn(bool autoscale)
    {
        await _plane.TryCreateContainerAsync(Defined(new() { Throughput = 9_000, Autoscale = autoscale }), Token);
        Assert.Equal(new ProvisionedThroughput(9_000, SharedByDatabase: false), await _plane.ReadThroughputAsync(Definition.Target, Token));
    }

    [Fact]
    public async Task ReadThroughputAsync_OfTheDatabase_IsSharedAndNullIfNotAllowed()
    {
        _azure.Resources[DatabasePath + "/throughputSettings/default"] = JsonNode.Parse("""{"throughput":700}""")!;
        Assert.Equal(new ProvisionedThroughput(700, SharedByDatabase: true), await _plane.ReadThroughputAsync(Definition.Target, Token));

        _azure.RespondOnce($"GET {ContainerPath}/throughputSettings/default", 403, Forbidden);
        _azure.RespondOnce($"GET {DatabasePath}/throughputSettings/default", 403, Forbidden);
        Assert.Null(await _plane.ReadThroughputAsync(Definition.Target, Token));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("Azure-AsyncOperation")]
    public async Task DeleteContainerAsync_ExistsOrNot_LeavesNone(string? header)
    {
        await _plane.TryCreateContainerAsync(Definition, Token);
        _azure.ProgressHeader = header;

        await _plane.DeleteContainerAsync(Definition.Target, Token);
        Assert.Null(await _plane.ReadContainerAsync(Definition.Target, Token));

        _azure.RespondOnce("DELETE " + ContainerPath, 404, "{}");
        await _plane.DeleteContainerAsync(Definition.Target, Token);
    }

    [Fact]
    public async Task DatabaseExistsAsync_NameWithOddCharacters_StaysOneSegment()
    {
        await _plane.DatabaseExistsAsync("a b?c", Token);
        Assert.Equal($"GET {ResourceManagerStandIn.AccountPath}/sqlDatabases/a b?c?api-version=2024-11-15", _azure.Calls.Single().Call);
    }

    private static ContainerDefinition Defined(ContainerSpec spec) => Definition with { Spec = spec };

    private static void AssertJson(string expected, string actual) =>
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(expected), JsonNode.Parse(actual)), actual);
}
