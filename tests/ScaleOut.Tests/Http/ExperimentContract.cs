using System.Net;
using System.Text.Json.Nodes;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Http;

/// <summary>What every server of the interface must do with experiments. Those it starts are small, and most are stopped at once.</summary>
public abstract class ExperimentContract : HttpConversation
{
    private const string Experiments = "api/experiments";

    [Fact]
    public async Task PostExperiments_ValidSpec_IsAcceptedWithLinksAndEstimate()
    {
        var id = NewExperimentId();
        using var answer = await PostAsync(Experiments, Pair(id));

        Assert.Equal(HttpStatusCode.Accepted, answer.StatusCode);
        var body = await JsonAsync(answer);
        var status = new Uri(Client.BaseAddress!, $"{Experiments}/{id}").AbsoluteUri;
        Assert.Equal(status, answer.Headers.Location?.AbsoluteUri);
        Assert.Equal((id, status, $"{status}/report", $"{status}/stop"), ((string?)body["id"], (string?)body["statusUri"], (string?)body["reportUri"], (string?)body["stopUri"]));
        Assert.Equal(2, (int)body["runs"]!);
        Assert.Equal(2 * 5.71 * 100, (double)body["estimate"]!["requestUnits"]!, 0.01);
        await DropExperimentAsync(id);
    }

    [Fact]
    public async Task PostExperiments_NoId_IsGivenOne()
    {
        using var answer = await PostAsync(Experiments, Pair(id: null));

        var id = (string)(await JsonAsync(answer))["id"]!;
        Assert.Matches("^[a-z0-9][a-z0-9-]{0,29}$", id);
        await DropExperimentAsync(id);
    }

    [Fact]
    public async Task PostAny_IdOfTheOtherKind_IsConflict()
    {
        var (experiment, run) = (NewExperimentId(), NewExperimentId());
        (await PostAsync(Experiments, Pair(experiment))).Dispose();
        (await PostAsync("api/runs", $$"""{"id":"{{run}}","documents":100,"workers":1,"container":{"throughput":1000} }""")).Dispose();

        using var again = await PostAsync(Experiments, Pair(experiment));
        using var asRun = await PostAsync("api/runs", $$"""{"id":"{{experiment}}","documents":100,"workers":1,"container":{"throughput":1000} }""");
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
    [InlineData("""{"base":{"documents":0,"workers":"x"},"variants":[{"name":"a","change":{"container":{"througput":400}}}],"nonsense":1}""")]
    [InlineData("""{"id":"../etc","variants":[{"name":"a"}],"findings":[{}]}""")]
    public async Task PostExperiments_FaultySpec_NamesEveryFaultByField(string plan)
    {
        var expected = ExperimentSpecReader.Read(plan, RunTarget.SimulatedAccount).Faults;
        Assert.NotEmpty(expected);

        using var answer = await PostAsync(Experiments, plan);

        var errors = (await ProblemAsync(answer, 400, "/api/experiments"))["errors"]!.AsObject();
        Assert.All(expected, fault => Assert.Contains(fault.Message, errors[fault.Path]!.AsArray().Select(message => (string?)message)));
    }

    [Fact]
    public async Task GetExperiment_FromStartToEnd_TellsHowFarItIsAndHasAReportInEveryForm()
    {
        var id = NewExperimentId();
        (await PostAsync(Experiments, Pair(id, "<script>alert('x')</script>"))).Dispose();

        using var early = await Client.GetAsync($"{Experiments}/{id}/report", Cancellation);
        await ProblemAsync(early, 409, $"/api/experiments/{id}/report");
        var status = await ExperimentEndedAsync(id);

        Assert.Equal("complete", (string?)status["state"]);
        Assert.Equal((2, 2), ((int)status["runs"]!, (int)status["ended"]!));
        Assert.Equal("<script>alert('x')</script>", (string?)status["name"]);
        foreach (var (format, mediaType) in ((string, string)[])[("json", "application/json"), ("html", "text/html"), ("md", "text/markdown"), ("csv", "text/csv")])
        {
            using var report = await Client.GetAsync($"{Experiments}/{id}/report?format={format}", Cancellation);
            Assert.Equal((HttpStatusCode.OK, mediaType), (report.StatusCode, report.Content.Headers.ContentType?.MediaType));
            if (format == "html")
                Assert.DoesNotContain("<script", await report.Content.ReadAsStringAsync(Cancellation), StringComparison.OrdinalIgnoreCase);
        }

        using var late = await Client.PostAsync($"{Experiments}/{id}/stop", content: null, Cancellation);
        await ProblemAsync(late, 409, $"/api/experiments/{id}/stop");
    }

    [Theory]
    [InlineData("GET", "api/experiments/{0}", 404, null)]
    [InlineData("GET", "api/experiments/{0}/report", 404, null)]
    [InlineData("POST", "api/experiments/{0}/stop", 404, null)]
    [InlineData("GET", "api/experiments/%2e%2e%2fetc", 404, null)]
    [InlineData("GET", "api/experiments/{0}/other", 404, null)]
    [InlineData("GET", "api/experiments", 405, "POST")]
    [InlineData("POST", "api/experiments/{0}", 405, "GET, HEAD")]
    [InlineData("GET", "api/experiments/{0}/stop", 405, "POST")]
    public async Task AnyPath_UnknownOrWrongMethod_IsSaid(string method, string path, int status, string? allowed)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path.Replace("{0}", NewExperimentId(), StringComparison.Ordinal));
        using var answer = await Client.SendAsync(request, Cancellation);

        await ProblemAsync(answer, status, instance: null);
        Assert.Equal(allowed?.Split(", ") ?? [], answer.Content.Headers.Allow.Order(StringComparer.Ordinal));
    }

    /// <summary>Shorter than a run's: the ids of runs are made from it.</summary>
    private static string NewExperimentId() => NewId()[..30];

    private static string Pair(string? id, string? name = null) => new JsonObject
    {
        ["id"] = id,
        ["name"] = name,
        ["repeats"] = 1,
        ["base"] = new JsonObject { ["documents"] = 100, ["workers"] = 1, ["container"] = new JsonObject { ["throughput"] = 1_000 } },
        ["variants"] = new JsonArray(
            new JsonObject { ["name"] = "Direct" },
            new JsonObject { ["name"] = "Gateway", ["change"] = new JsonObject { ["client"] = new JsonObject { ["connectionMode"] = "Gateway" } } }),
    }.ToJsonString();

    private async Task DropExperimentAsync(string id)
    {
        (await Client.PostAsync($"{Experiments}/{id}/stop", content: null, Cancellation)).Dispose();
        Assert.Contains((string?)(await ExperimentEndedAsync(id))["state"], (string[])["stopped", "complete"]);
    }

    private Task<JsonObject> ExperimentEndedAsync(string id) => EndedAtAsync($"{Experiments}/{id}");
}
