using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>
/// Sends every request of the documents and of test.http to <c>devbox serve</c> or to a simulated account, and reads every spec.
/// Runs are smaller than in the documents, and have ids of this server.
/// </summary>
public sealed partial class DocumentedRequestTests : HttpConversation, IAsyncLifetime
{
    private static readonly Dictionary<string, string> Bodies = new()
    {
        ["/api/runs"] = "{}",
        ["/api/experiments"] = """{ "base": {}, "variants": [{ "name": "one" }] }""",
        ["/api/size"] = """{ "rate": 100, "cpuPerOperation": "0.25ms" }""",
    };

    private ServeProcess _server = null!;

    protected override HttpClient Client => field ??= _server.Client();

    /// <summary>Each request once, with {id} for the ids of runs.</summary>
    private static List<DocumentedRequest> Requests { get; } =
    [
        .. DocumentText.Files.SelectMany(file => RequestsOf(file)).Concat(RequestsOfHttpFile())
            .DistinctBy(request => (request.Method, request.Path, request.Body)),
    ];

    public async ValueTask InitializeAsync() => _server = await ServeProcess.StartAsync();

    public ValueTask DisposeAsync()
    {
        Client.Dispose();
        _server.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Requests_OfTheDocuments_GetTheirDocumentedResponses()
    {
        var ofApi = Requests.Where(request => request.Path.StartsWith("/api/", StringComparison.Ordinal)).ToList();
        Assert.True(ofApi.Count > 20, string.Join('\n', ofApi));
        var created = new Dictionary<string, Queue<string>> { ["runs"] = [], ["experiments"] = [] };
        foreach (var request in ofApi.Where(request => request.Creates))
        {
            var accepted = await SendAsync(request, request.Path, Scaled(request.Body ?? Bodies[request.Path.Split('?')[0]], created));
            created[request.Kind].Enqueue((string)accepted!["id"]!);
        }

        // The first run completes; the others are stopped.
        var run = created["runs"].Dequeue();
        var experiment = created["experiments"].Peek();
        foreach (var request in ofApi.Where(request => request.Stops))
            await SendAsync(request, request.Path.Replace("{id}", created[request.Kind].Dequeue(), StringComparison.Ordinal));
        foreach (var (kind, left) in created)
        {
            foreach (var id in left)
                (await Client.PostAsync($"api/{kind}/{id}/stop", content: null, Cancellation)).Dispose();
        }

        Assert.Equal("complete", (string?)(await EndedAsync(run))["state"]);
        await EndedAtAsync($"api/experiments/{experiment}");
        var sized = "";
        foreach (var request in ofApi.Where(request => request.Asks))
            sized = (string)(await SendAsync(request, request.Path, request.Body ?? Bodies[request.Path]))!["id"]!;
        var killed = await ClaimAsync();
        foreach (var request in ofApi.Where(request => !request.Creates && !request.Asks && !request.Stops)
            .OrderBy(request => request.Resumes))
        {
            var id = request.Kind switch { "experiments" => experiment, "size" => sized, _ => request.Resumes ? killed : run };
            await SendAsync(request, request.Path.Replace("{id}", id, StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task Requests_ToTheSimulatedAccount_Succeed()
    {
        await using var account = await SimulatedAccount.StartAsync(new AccountSettings { PhysicalPartitions = 2 }, Cancellation);
        using var client = CosmosClientFactory.CreateControl(account.Connection());
        Database database = await client.CreateDatabaseAsync("some", cancellationToken: Cancellation);
        using var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator;
        using var http = new HttpClient(handler);
        var ofAccount = Requests.Where(request => !request.Path.StartsWith("/api/", StringComparison.Ordinal)).ToList();
        Assert.True(ofAccount.Count > 2, string.Join('\n', ofAccount));

        foreach (var request in ofAccount)
        {
            Container container = await database.CreateContainerAsync($"{Guid.NewGuid()}", "/id", cancellationToken: Cancellation);
            var path = Regex.Replace(request.Path, @"\?.*", $"?database=some&container={container.Id}&partition=0")
                .Replace("<control>", account.ControlEndpoint.ToString(), StringComparison.Ordinal);
            using var message = new HttpRequestMessage(new HttpMethod(request.Method), new Uri(account.HttpsEndpoint, path));
            using var response = await http.SendAsync(message, Cancellation);
            Assert.True(response.IsSuccessStatusCode, $"{request}: {response.StatusCode}");
        }
    }

    [Fact]
    public void Specs_OfTheDocuments_AreValid()
    {
        var specs = DocumentText.Files.SelectMany(file => DocumentText.Blocks(file, "json"))
            .Select(text => text.TrimStart().StartsWith('{') ? text : $"{{{text}}}").ToList();

        Assert.True(specs.Count > 2);
        Assert.All(specs, spec => Assert.Empty(
            ExperimentSpecReader.IsExperiment(spec) ? ExperimentSpecReader.Read(spec).Errors : RunSpecReader.Read(spec).Errors));
    }

    /// <summary>Claims a run, as a server does that is then killed.</summary>
    private async Task<string> ClaimAsync()
    {
        var spec = new RunSpec { Id = "killed", Documents = 100, Workers = 1, Simulation = new SimulationSpec() };
        Assert.True(await new RunFiles(new FolderRunStore(_server.Runs), spec.Id).TryClaimAsync(spec, Cancellation));
        return spec.Id;
    }

    private async Task<JsonNode?> SendAsync(DocumentedRequest request, string path, string? body = null)
    {
        using var message = new HttpRequestMessage(new HttpMethod(request.Method), path.TrimStart('/'))
        {
            Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json"),
        };
        using var response = await Client.SendAsync(message, Cancellation);
        var text = await response.Content.ReadAsStringAsync(Cancellation);
        // The experiment was stopped before it began, so it has no report.
        var expected = request.Kind == "experiments" && path.Contains("/report", StringComparison.Ordinal)
            ? HttpStatusCode.Conflict
            : request.Method == "GET" || request.Asks ? HttpStatusCode.OK : HttpStatusCode.Accepted;
        Assert.True(response.StatusCode == expected, $"{request}: {(int)response.StatusCode} {text}");
        return request.Creates || request.Asks ? JsonNode.Parse(text) : null;
    }

    /// <summary>A body with few documents. Its id gets a number, because several documents use the same id.</summary>
    private static string Scaled(string body, Dictionary<string, Queue<string>> created)
    {
        var spec = JsonNode.Parse(body)!.AsObject();
        if (spec.ContainsKey("id"))
            spec["id"] = $"{spec["id"]}-{created.Values.Sum(ids => ids.Count)}";
        var run = spec["base"] ?? spec;
        (run["documents"], run["workers"]) = (100, 1);
        return spec.ToJsonString();
    }

    private static IEnumerable<DocumentedRequest> RequestsOf(string file)
    {
        var curls = DocumentText.Blocks(file, "").SelectMany(ShellCommand.Read).Where(command => command.Program == "curl");
        foreach (var curl in curls)
        {
            var body = curl.Words.SkipWhile(word => word != "-d").ElementAtOrDefault(1);
            yield return DocumentedRequest.From(file, body is null ? "GET" : "POST", curl.Words.First(DocumentedRequest.IsAddress), body);
        }

        var resource = "";
        foreach (var code in DocumentText.Inline(file))
        {
            if (code.StartsWith('{') && IsExperiment(code))
                yield return DocumentedRequest.From(file, "POST", "/api/experiments", code);
            if (InlineRequest().Match(code) is not { Success: true } inline)
                continue;
            var path = Relative().Replace(inline.Groups["path"].Value, resource);
            resource = OfOne().Match(path) is { Success: true } one ? one.Value : resource;
            var method = inline.Groups["method"] is { Success: true } given ? given.Value : "GET";
            foreach (var choice in Choice().Match(path).Value.Split('|'))
                yield return DocumentedRequest.From(file, method, Choice().Replace(path, choice, count: 1), body: null);
        }
    }

    private static IEnumerable<DocumentedRequest> RequestsOfHttpFile() =>
        File.ReadAllText(DocumentText.PathOf("test.http")).Split("\n###").Skip(1).Select(request =>
        {
            var parts = request.Split("\n\n", 2);
            var line = parts[0].Split('\n')[1].Split(' ');
            var body = parts.ElementAtOrDefault(1)?.Trim();
            return DocumentedRequest.From("test.http", line[0], line[1], body is { Length: > 0 } ? body : null);
        });

    private static bool IsExperiment(string code)
    {
        try
        {
            return JsonNode.Parse(code)?["base"] is not null;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    [GeneratedRegex(@"^((?<method>[A-Z]+) )?(?<path>(/api/|\$URL/|(?<=[A-Z] )<control>)\S+|\.\.\./\w+)$")]
    private static partial Regex InlineRequest();

    [GeneratedRegex(@"^\.\.\.")]
    private static partial Regex Relative();

    /// <summary>The resource that <c>.../stop</c> refers to.</summary>
    [GeneratedRegex(@"^.*\{id\}")]
    private static partial Regex OfOne();

    [GeneratedRegex(@"\w+(\|\w+)+|$")]
    private static partial Regex Choice();
}

/// <summary>A request that a document shows.</summary>
internal sealed partial record DocumentedRequest(string Document, string Method, string Path, string? Body)
{
    public string Kind => Path.Split('/', '?')[2];

    public bool Creates => Method == "POST" && Path.Split('?')[0] is "/api/runs" or "/api/experiments";

    /// <summary>Whether the request is a question whose result can be read later.</summary>
    public bool Asks => Method == "POST" && Path == "/api/size";

    /// <summary>Whether a word of a command is the address of a request.</summary>
    public static bool IsAddress(string word) =>
        word.Contains("/api/", StringComparison.Ordinal) || word.Contains("/_", StringComparison.Ordinal);

    public bool Resumes => Path.EndsWith("/resume", StringComparison.Ordinal);

    public bool Stops => Path.EndsWith("/stop", StringComparison.Ordinal);

    public override string ToString() => $"{Document}: {Method} {Path} {Body}";

    /// <summary>Creates a request with the path of an address, {id} for an id, and only the parameters that have a value.</summary>
    public static DocumentedRequest From(string document, string method, string address, string? body)
    {
        var path = Server().Replace(address, "");
        path = Compared().Replace(path, "$1={id}");
        path = Id().Replace(path, "/$1/{id}");
        var (first, query) = (path.Split('?')[0], path.Split('?').ElementAtOrDefault(1)?.Split('&').Where(given => !given.EndsWith('=')));
        return new DocumentedRequest(document, method, query?.Any() == true ? $"{first}?{string.Join('&', query)}" : first, body);
    }

    [GeneratedRegex(@"^(\$URL|\{\{host\}\}|(https?://)?localhost:\d+)")]
    private static partial Regex Server();

    [GeneratedRegex(@"\b([ab])=\w*")]
    private static partial Regex Compared();

    [GeneratedRegex(@"/(runs|experiments|size)/[^/?]+")]
    private static partial Regex Id();
}
