using ScaleOut.Api.Specs;

namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>Lists with results, comparisons and conditions.</summary>
public sealed class ListAndCompareTests(ScriptedServer server) : HttpConversation, IClassFixture<ScriptedServer>
{
    protected override HttpClient Client => server.Client;

    [Fact]
    public async Task EndedRun_ListAndStatus_HaveRateLatencyAndVerdict()
    {
        var id = await EndedRunAsync();

        var listed = Assert.Single((await GetAsync($"api/runs?search={id}"))["runs"]!.AsArray())!;
        var status = await GetAsync($"api/runs/{id}");

        Assert.True((double)listed["perSecond"]! > 0);
        Assert.Equal((double)status["perSecond"]!["documents"]!, (double)listed["perSecond"]!);
        Assert.Equal((double)status["latencyMs"]!["p99"]!, (double)listed["p99Ms"]!);
        Assert.InRange((double)status["latencyMs"]!["p50"]!, 0, (double)status["latencyMs"]!["p99"]!);
        Assert.Equal((string?)status["boundBy"], (string?)listed["boundBy"]);
        Assert.Equal(status["invalid"]!.AsArray().Select(one => (string?)one), listed["invalid"]!.AsArray().Select(one => (string?)one));
        Assert.StartsWith($"Bound by {status["boundBy"]}", (string?)status["verdict"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task List_SearchAndState_HasTheMatchesOnAllPages()
    {
        var mark = Guid.NewGuid().ToString("N")[..8];
        var running = new List<string>();
        for (var i = 0; i < 3; i++)
        {
            await EndedRunAsync($"Nightly {mark} {i}");
            running.Insert(0, NewId());
            (await PostAsync("api/runs", $$"""{"name":"{{mark}} on",{{Large(running[0])[1..]}}""")).Dispose();
        }

        Assert.Equal(3, (await GetAsync($"api/runs?search=nightly+{mark.ToUpperInvariant()}"))["runs"]!.AsArray().Count);
        Assert.Empty((await GetAsync($"api/runs?search={mark}&state=failed"))["runs"]!.AsArray());
        var found = new List<string>();
        var next = new Uri(Client.BaseAddress!, $"api/runs?search={mark}&state=running&pageSize=2");
        while (true)
        {
            var page = await GetAsync(next.PathAndQuery.TrimStart('/'));
            found.AddRange(page["runs"]!.AsArray().Select(run => (string)run!["id"]!));
            if ((string?)page["nextUri"] is not { } uri)
                break;
            next = new Uri(uri);
        }

        Assert.Equal(running, found);
    }

    [Fact]
    public async Task List_InvalidParameters_AreNamedAllAtOnce()
    {
        using var response = await Client.GetAsync("api/experiments?pageSize=0&state=lost", Cancellation);
        Assert.Equal(["pageSize", "state"], (await ErrorsAsync(response, "/api/experiments")).Select(error => error.Key));
    }

    [Fact]
    public async Task Experiments_Started_AreListedWithTheirProgressAndNotAmongRuns()
    {
        var (id, status) = await EndedExperimentAsync();

        var listed = Assert.Single((await GetAsync($"api/experiments?search={id}"))["experiments"]!.AsArray())!;

        Assert.Equal(
            (id, (string?)status["state"], 2, 2),
            ((string?)listed["id"], (string?)listed["state"], (int)listed["runs"]!, (int)listed["ended"]!));
        Assert.NotNull(listed["outcome"]);
        Assert.DoesNotContain(id, (await GetAsync("api/runs?pageSize=100"))["runs"]!.AsArray().Select(run => (string?)run!["id"]));
    }

    [Fact]
    public async Task Compare_TwoRuns_EqualsTheComparisonOfTheirReports()
    {
        var (a, b) = (await EndedRunAsync(), await EndedRunAsync());

        var comparison = await GetAsync($"api/compare?a={a}&b={b}");

        var expected = ReportFile.Compare(
            ReportFile.Read(await Client.GetByteArrayAsync($"api/runs/{a}/report", Cancellation)),
            ReportFile.Read(await Client.GetByteArrayAsync($"api/runs/{b}/report", Cancellation)))!;
        Assert.Equal((a, b), ((string?)comparison["a"], (string?)comparison["b"]));
        Assert.Equal(expected.Result, comparison["result"]!.AsArray().Select(sentence => (string)sentence!));
        Assert.Equal(
            expected.Rows.Select(row => (row.Figure, row.A, row.B)),
            comparison["rows"]!.AsArray().Select(row => ((string)row!["figure"]!, (double?)row["a"], (double?)row["b"])));
    }

    [Fact]
    public async Task Compare_NothingToCompare_NamesTheReasonForEach()
    {
        var run = await EndedRunAsync();
        var (experiment, _) = await EndedExperimentAsync();

        using var unknown = await Client.GetAsync("api/compare?a=nothing&b=..%2Fetc", Cancellation);
        using var kinds = await Client.GetAsync($"api/compare?a={run}&b={experiment}", Cancellation);

        Assert.Equal(["a", "b"], (await ErrorsAsync(unknown, "/api/compare")).Select(error => error.Key));
        Assert.Contains("of one kind", (string?)(await ErrorsAsync(kinds, "/api/compare"))["b"]![0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("documents.failed>0", false)]
    [InlineData("documents.inserted>=200", true)]
    public async Task FailIf_RunIsComplete_SaysWhetherItHolds(string condition, bool holds)
    {
        var id = NewId();
        (await PostAsync($"api/runs?failIf={Uri.EscapeDataString(condition)}", Small(id))).Dispose();

        var before = (await GetAsync($"api/runs/{id}"))["failIf"]!;
        await EndedAsync(id);
        var after = (await GetAsync($"api/runs/{id}"))["failIf"]!;

        Assert.Equal((condition, null), ((string?)before["condition"], (bool?)before["holds"]));
        Assert.Equal((condition, holds), ((string?)after["condition"], (bool?)after["holds"]));
        Assert.Null((await GetAsync($"api/runs/{await EndedRunAsync()}"))["failIf"]);
    }

    [Theory]
    [InlineData("api/runs", """{"documents":0}""", "throttledShar>1", "documents", "throttledShare")]
    [InlineData("api/experiments", """{"base":{"documents":0},"variants":[{"name":"a"}]}""", "p99>", "base.documents", "position")]
    public async Task FailIf_Invalid_IsNamedBesideTheErrorsOfTheSpec(string path, string spec, string condition, string other, string says)
    {
        using var response = await PostAsync($"{path}?failIf={Uri.EscapeDataString(condition)}", spec);
        var errors = await ErrorsAsync(response, $"/{path}");
        Assert.Equal([other, "failIf"], errors.Select(error => error.Key).OrderByDescending(key => key == other));
        Assert.Contains(says, (string?)errors["failIf"]![0], StringComparison.Ordinal);
    }

    [Fact]
    public void FailIfNames_OfASearch_IncludeTheRate() => Assert.Contains("rate", FailIfNames.OfLimit);

    private async Task<(string Id, JsonObject Status)> EndedExperimentAsync()
    {
        var id = NewId()[..30];
        var spec =
            $$"""
            {"id":"{{id}}","repeats":1,"base":{"documents":100,"workers":1,"container":{"throughput":1000} },
             "variants":[{"name":"a"},{"name":"b","change":{"client":{"connectionMode":"Gateway"} } }]}
            """;
        (await PostAsync("api/experiments", spec)).Dispose();
        return (id, await EndedAtAsync($"api/experiments/{id}"));
    }

    private async Task<string> EndedRunAsync(string? name = null)
    {
        var id = NewId();
        (await PostAsync("api/runs", Small(id, name))).Dispose();
        await EndedAsync(id);
        return id;
    }
}
