namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>What every server of the interface must do with experiments. They are small, and most are stopped at once.</summary>
public abstract class ExperimentContract : HttpConversation
{
    private const string Experiments = "api/experiments";

    /// <summary>Documents of a run that takes some seconds at <see cref="Pair"/>'s rate.</summary>
    private const int PacedDocuments = 400;

    [Fact]
    public async Task PostExperiments_ValidSpec_IsAcceptedWithLinksAndEstimate()
    {
        var id = NewExperimentId();
        using var response = await PostAsync(Experiments, Pair(id));

        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
        var body = await JsonAsync(response);
        AssertLinks(id, response, body);
        Assert.Equal(2, (int)body["runs"]!);
        Assert.Equal(2 * 7.05 * 100, (double)body["estimate"]!["requestUnits"]!, 0.01);
        await DropExperimentAsync(id);
    }

    [Fact]
    public async Task PostExperiments_NoId_IsGivenOne()
    {
        using var response = await PostAsync(Experiments, Pair(id: null));
        var id = (string)(await JsonAsync(response))["id"]!;
        Assert.Matches("^[a-z0-9][a-z0-9-]{0,29}$", id);
        await DropExperimentAsync(id);
    }

    [Fact]
    public async Task PostAny_IdInUseByEitherKind_IsConflict()
    {
        var (experiment, run) = (NewExperimentId(), NewExperimentId());
        (await PostAsync(Experiments, Pair(experiment))).Dispose();
        (await PostAsync("api/runs", $$"""{"id":"{{run}}","documents":100,"workers":1,"container":{"throughput":1000} }""")).Dispose();

        using var again = await PostAsync(Experiments, Pair(experiment));
        using var asRun = await PostAsync(
            "api/runs", $$"""{"id":"{{experiment}}","documents":100,"workers":1,"container":{"throughput":1000} }""");
        using var asExperiment = await PostAsync(Experiments, Pair(run));
        using var wrongRoom = await Client.GetAsync($"api/runs/{experiment}", Cancellation);

        await ProblemAsync(again, 409, "/api/experiments");
        await ProblemAsync(asRun, 409, "/api/runs");
        await ProblemAsync(asExperiment, 409, "/api/experiments");
        await ProblemAsync(wrongRoom, 404, $"/api/runs/{experiment}");
        await DropExperimentAsync(experiment);
        (await Client.PostAsync($"api/runs/{run}/stop", content: null, Cancellation)).Dispose();
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("""{"variants":[]}""")]
    [InlineData("""{"variants":[{"name":"a"},{"name":"a"}],"repeats":0}""")]
    [InlineData(
        """{"base":{"documents":0,"workers":"x"},"variants":[{"name":"a","change":{"container":{"througput":400}}}],"nonsense":1}""")]
    [InlineData("""{"id":"../etc","variants":[{"name":"a"}],"findings":[{}]}""")]
    public async Task PostExperiments_InvalidSpec_NamesEveryErrorByField(string spec)
    {
        var expected = ExperimentSpecReader.Read(spec, RunTarget.SimulatedAccount).Errors;
        Assert.NotEmpty(expected);

        using var response = await PostAsync(Experiments, spec);

        var errors = await ErrorsAsync(response, "/api/experiments");
        Assert.All(expected, error => Assert.Contains(error.Message, errors[error.Path]!.AsArray().Select(message => (string?)message)));
    }

    [Fact]
    public async Task GetExperiment_FromStartToEnd_ReportsHowFarItIsAndHasAReportInEveryForm()
    {
        var id = NewExperimentId();
        (await PostAsync(Experiments, Pair(id, "<script>alert('x')</script>"))).Dispose();

        using var early = await Client.GetAsync($"{Experiments}/{id}/report", Cancellation);
        await ProblemAsync(early, 409, $"/api/experiments/{id}/report");
        var status = await ExperimentEndedAsync(id);

        Assert.Equal("complete", (string?)status["state"]);
        Assert.Equal((2, 2), ((int)status["runs"]!, (int)status["ended"]!));
        Assert.Equal("<script>alert('x')</script>", (string?)status["name"]);
        (string, string)[] forms = [("json", "application/json"), ("html", "text/html"), ("md", "text/markdown"), ("csv", "text/csv")];
        foreach (var (format, mediaType) in forms)
        {
            using var report = await Client.GetAsync($"{Experiments}/{id}/report?format={format}", Cancellation);
            Assert.Equal((HttpStatusCode.OK, mediaType), (report.StatusCode, report.Content.Headers.ContentType?.MediaType));
            var text = await report.Content.ReadAsStringAsync(Cancellation);
            if (format == "html")
                Assert.DoesNotContain("<script>alert", text, StringComparison.OrdinalIgnoreCase);
        }

        using var late = await Client.PostAsync($"{Experiments}/{id}/stop", content: null, Cancellation);
        await ProblemAsync(late, 409, $"/api/experiments/{id}/stop");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task PostResume_StoppedExperiment_MeasuresOnlyWhatIsLeft()
    {
        var id = NewExperimentId();
        (await PostAsync(Experiments, Pair(id, paced: PacedDocuments))).Dispose();
        await SecondRunBegunAsync(id);
        (await Client.PostAsync($"{Experiments}/{id}/stop", content: null, Cancellation)).Dispose();
        Assert.Equal("stopped", (string?)(await ExperimentEndedAsync(id))["state"]);
        var (former, measured) = (await ReportTextAsync($"{Experiments}/{id}"), await ReportTextAsync($"api/runs/{id}-v01-r01"));

        var responses = await Task.WhenAll(ResumeAsync(id), ResumeAsync(id));
        using var accepted = Assert.Single(responses, response => response.StatusCode == HttpStatusCode.Accepted);
        using var late = Assert.Single(responses, response => response.StatusCode == HttpStatusCode.Conflict);
        await ProblemAsync(late, 409, $"/api/experiments/{id}/resume");
        var body = await JsonAsync(accepted);
        AssertLinks(id, accepted, body);
        Assert.Equal((2, 7.05 * PacedDocuments), ((int)body["runs"]!, Math.Round((double)body["estimate"]!["requestUnits"]!, 2)));
        var live = await GetAsync($"{Experiments}/{id}");
        Assert.Contains((string?)live["state"], (string[])["queued", "running"]);
        Assert.Null(live["outcome"]);

        var ended = await ExperimentEndedAsync(id);

        Assert.Equal(("complete", 2, 0), ((string?)ended["state"], (int)ended["ended"]!, (int)ended["notComplete"]!));
        Assert.Equal(measured, await ReportTextAsync($"api/runs/{id}-v01-r01"));
        var report = JsonNode.Parse(await ReportTextAsync($"{Experiments}/{id}"))!;
        Assert.NotEqual(former, report.ToJsonString());
        Assert.Equal(("stopped", "complete"), ((string?)JsonNode.Parse(former)!["state"], (string?)report["state"]));
        Assert.Equal(
            [$"{id}-v01-r01", $"{id}-v02-r01"], report["variants"]!.AsArray().Select(variant => (string?)variant!["runs"]![0]!["runId"]));
        await AssertResumeConflictsAsync(id, "is measured");
    }

    [Fact]
    public async Task PostResume_ExperimentUnderWay_IsConflict()
    {
        var id = NewExperimentId();
        (await PostAsync(Experiments, Pair(id))).Dispose();
        await AssertResumeConflictsAsync(id, "running");
        await DropExperimentAsync(id);
    }

    [Theory]
    [InlineData("GET", "api/experiments/{0}", 404, null)]
    [InlineData("GET", "api/experiments/{0}/report", 404, null)]
    [InlineData("POST", "api/experiments/{0}/stop", 404, null)]
    [InlineData("GET", "api/experiments/%2e%2e%2fetc", 404, null)]
    [InlineData("GET", "api/experiments/{0}/other", 404, null)]
    [InlineData("DELETE", "api/experiments", 405, "GET, HEAD, POST")]
    [InlineData("POST", "api/experiments/{0}", 405, "GET, HEAD")]
    [InlineData("GET", "api/experiments/{0}/stop", 405, "POST")]
    [InlineData("POST", "api/experiments/{0}/resume", 404, null)]
    [InlineData("POST", "api/experiments/%2e%2e%2fetc/resume", 404, null)]
    [InlineData("GET", "api/experiments/{0}/resume", 405, "POST")]
    public async Task AnyPath_UnknownOrWrongMethod_IsRejected(string method, string path, int status, string? allowed)
    {
        path = path.Replace("{0}", NewExperimentId(), StringComparison.Ordinal);
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        using var response = await Client.SendAsync(request, Cancellation);

        await ProblemAsync(response, status, instance: null);
        Assert.Equal(allowed?.Split(", ") ?? [], response.Content.Headers.Allow.Order(StringComparer.Ordinal));
    }

    /// <summary>An id that is shorter than a run's, because the ids of runs are made from it.</summary>
    private static string NewExperimentId() => NewId()[..30];

    /// <param name="paced">Documents of the second run, at 100 a second. Null means those of the first run, at full speed.</param>
    private static string Pair(string? id, string? name = null, int? paced = null)
    {
        var client = new JsonObject { ["connectionMode"] = "Gateway" };
        var change = new JsonObject { ["client"] = client };
        if (paced is not null)
            (client["rate"], change["documents"]) = (100, paced);
        return new JsonObject
        {
            ["id"] = id,
            ["name"] = name,
            ["repeats"] = 1,
            ["interleaved"] = false,
            ["base"] = new JsonObject { ["documents"] = 100, ["workers"] = 1, ["container"] = new JsonObject { ["throughput"] = 1_000 } },
            ["variants"] = new JsonArray(
                new JsonObject { ["name"] = "Direct" }, new JsonObject { ["name"] = "Gateway", ["change"] = change }),
        }.ToJsonString();
    }

    private Task<HttpResponseMessage> ResumeAsync(string id) => Client.PostAsync($"{Experiments}/{id}/resume", content: null, Cancellation);

    private async Task AssertResumeConflictsAsync(string id, string reason)
    {
        using var response = await ResumeAsync(id);
        var problem = await ProblemAsync(response, 409, $"/api/experiments/{id}/resume");
        Assert.Contains(reason, (string?)problem["detail"], StringComparison.Ordinal);
    }

    private void AssertLinks(string id, HttpResponseMessage response, JsonObject body)
    {
        var status = new Uri(Client.BaseAddress!, $"{Experiments}/{id}").AbsoluteUri;
        Assert.Equal(status, response.Headers.Location?.AbsoluteUri);
        Assert.Equal(
            (id, status, $"{status}/report", $"{status}/stop"),
            ((string?)body["id"], (string?)body["statusUri"], (string?)body["reportUri"], (string?)body["stopUri"]));
    }

    private async Task<string> ReportTextAsync(string path)
    {
        using var response = await Client.GetAsync($"{path}/report", Cancellation);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return await response.Content.ReadAsStringAsync(Cancellation);
    }

    /// <summary>Waits until the first run has ended and the second is under way.</summary>
    private async Task SecondRunBegunAsync(string id)
    {
        for (var tries = 0; tries < 1_200; tries++)
        {
            if ((string?)(await GetAsync($"{Experiments}/{id}"))["runId"] == $"{id}-v02-r01")
                return;
            await Task.Delay(100, Cancellation);
        }

        Assert.Fail("The second run did not begin.");
    }

    private protected async Task DropExperimentAsync(string id)
    {
        (await Client.PostAsync($"{Experiments}/{id}/stop", content: null, Cancellation)).Dispose();
        Assert.Contains((string?)(await ExperimentEndedAsync(id))["state"], (string[])["stopped", "complete"]);
    }

    private Task<JsonObject> ExperimentEndedAsync(string id) => EndedAtAsync($"{Experiments}/{id}");
}
