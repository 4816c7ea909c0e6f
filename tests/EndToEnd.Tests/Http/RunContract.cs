using System.Net.Http.Headers;

namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>
/// What every server of the interface must do, in requests and responses alone. Derived classes name the server: the interface itself, the
/// dev box, or a server at a given address. The runs are small.
/// </summary>
public abstract class RunContract : HttpConversation
{
    /// <summary>The account of the server's runs, which decides the errors that its reader finds.</summary>
    protected virtual RunTarget Target => RunTarget.SimulatedAccount;

    [Fact]
    public async Task Get_LongPathWithEscapes_NamesItsBeginningInWholeEscapes()
    {
        using var response = await Client.GetAsync($"api/runs/{string.Concat(Enumerable.Repeat("%C3%A9", 100))}", Cancellation);

        var instance = (string?)(await ProblemAsync(response, 404, instance: null))["instance"];
        Assert.Matches("^/api/runs/(%[0-9A-F]{2}){60,63}$", instance);
    }

    [Fact]
    public async Task PostRuns_ValidSpec_IsAcceptedWithLinksAndEstimate()
    {
        var id = NewId();
        using var response = await PostAsync("api/runs", Small(id));

        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
        var body = await JsonAsync(response);
        var status = new Uri(Client.BaseAddress!, $"api/runs/{id}").AbsoluteUri;
        Assert.Equal(status, response.Headers.Location?.AbsoluteUri);
        Assert.Equal(
            (id, status, $"{status}/report", $"{status}/stop"),
            ((string?)body["id"], (string?)body["statusUri"], (string?)body["reportUri"], (string?)body["stopUri"]));
        Assert.True(response.Headers.RetryAfter?.Delta > TimeSpan.Zero);
        Assert.Equal(7.05 * 200, (double)body["estimate"]!["requestUnits"]!, 0.01);
        Assert.True(body["estimate"]!.AsObject().ContainsKey("seconds"));
        await DropAsync(id);
    }

    [Fact]
    public async Task PostRuns_NoId_IsGivenOne()
    {
        using var response = await PostAsync("api/runs", """{"documents":200,"workers":1,"container":{"throughput":1000}}""");

        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
        var id = (string)(await JsonAsync(response))["id"]!;
        Assert.Matches("^[a-z0-9][a-z0-9-]{0,39}$", id);
        await DropAsync(id);
    }

    [Fact]
    public async Task PostRuns_IdInUse_IsConflict()
    {
        var id = NewId();
        using var first = await PostAsync("api/runs", Small(id));
        using var second = await PostAsync("api/runs", Small(id));

        Assert.Equal(HttpStatusCode.Accepted, first.StatusCode);
        Assert.Contains(id, (string?)(await ProblemAsync(second, 409, "/api/runs"))["detail"], StringComparison.Ordinal);
        await DropAsync(id);
        using var third = await PostAsync("api/runs", Small(id));
        await ProblemAsync(third, 409, "/api/runs");
    }

    [Fact]
    public async Task PostRuns_SameIdAtOnce_OneWins()
    {
        var id = NewId();
        var responses = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => PostAsync("api/runs", Small(id))));

        Assert.Single(responses, response => response.StatusCode == HttpStatusCode.Accepted);
        Assert.Equal(5, responses.Count(response => response.StatusCode == HttpStatusCode.Conflict));
        await DropAsync(id);
    }

    /// <summary>One invalid spec of each kind; <see cref="RunContractTests"/> has all of them.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("""{"documents":1,"documents":2}""")]
    [InlineData("""{"legDuration":"5x"}""")]
    [InlineData("""{"workers":0,"client":{"connectionMode":"Tcp"},"colour":"red"}""")]
    public Task PostRuns_InvalidSpec_NamesEveryErrorByField(string plan) => AssertEveryErrorIsNamedAsync(plan);

    [Fact]
    public async Task PostRuns_ManyErrors_AreAllNamed()
    {
        using var response = await PostAsync(
            "api/runs", """{"documents":0,"workers":-1,"client":{"concurrency":"x"},"container":{"throughput":450},"nonsense":1}""");

        var errors = await ErrorsAsync(response, "/api/runs");
        Assert.Equal(
            ["client.concurrency", "container.throughput", "documents", "nonsense", "workers"],
            errors.Select(error => error.Key).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task PostRuns_NotUtf8_IsAnError()
    {
        using var content = new ByteArrayContent([.. "{\""u8, 0xFF, .. "\":1}"u8]);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        using var response = await Client.PostAsync("api/runs", content, Cancellation);
        Assert.NotNull((await ErrorsAsync(response, "/api/runs"))[""]);
    }

    [Theory]
    [InlineData("text/plain")]
    [InlineData("application/x-www-form-urlencoded")]
    [InlineData("multipart/form-data; boundary=x")]
    [InlineData("application/json; charset=utf-16")]
    [InlineData(null)]
    public async Task PostRuns_OtherMediaType_IsUnsupported(string? mediaType)
    {
        using var content = new ByteArrayContent(Encoding.UTF8.GetBytes(Small(NewId())));
        content.Headers.ContentType = mediaType is null ? null : MediaTypeHeaderValue.Parse(mediaType);
        using var response = await Client.PostAsync("api/runs", content, Cancellation);
        await ProblemAsync(response, 415, "/api/runs");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task PostRuns_BodyTooLong_IsRejected(bool announced)
    {
        var text = "{\"name\":\"" + new string('x', 1_100_000) + "\"}";
        using HttpContent content = announced ? new StringContent(text, Encoding.UTF8, "application/json") : new UnannouncedContent(text);
        using var response = await Client.PostAsync("api/runs", content, Cancellation);
        await ProblemAsync(response, 413, "/api/runs");
    }

    [Fact]
    public async Task GetRuns_Pages_HoldEveryRunNewestFirst()
    {
        var ids = new List<string>();
        for (var i = 0; i < 5; i++)
        {
            ids.Insert(0, NewId());
            using var started = await PostAsync("api/runs", Small(ids[0]));
            Assert.Equal(HttpStatusCode.Accepted, started.StatusCode);
        }

        var listed = new List<string>();
        var page = new Uri(Client.BaseAddress!, "api/runs?pageSize=2");
        for (var pages = 0; pages < 50 && ids.Except(listed).Any(); pages++)
        {
            var body = await GetAsync(page.AbsoluteUri);
            var runs = body["runs"]!.AsArray();
            Assert.InRange(runs.Count, 0, 2);
            listed.AddRange(runs.Select(run => (string)run!["id"]!));
            Assert.All(runs, run => Assert.NotNull(run!["state"]));
            if ((string?)body["nextUri"] is not { } next)
                break;
            page = new Uri(next);
        }

        Assert.Equal(ids, listed.Where(ids.Contains));
        Assert.Equal(listed.Distinct(), listed);
        foreach (var id in ids)
            await DropAsync(id);
    }

    [Theory]
    [InlineData("pageSize=0", "pageSize")]
    [InlineData("pageSize=101", "pageSize")]
    [InlineData("pageSize=-1", "pageSize")]
    [InlineData("pageSize=x", "pageSize")]
    [InlineData("continuation=nonsense", "continuation")]
    [InlineData("continuation=..%2F..%2Fetc%2Fpasswd", "continuation")]
    public async Task GetRuns_InvalidParameter_IsNamed(string query, string parameter)
    {
        using var response = await Client.GetAsync($"api/runs?{query}", Cancellation);
        Assert.Equal([parameter], (await ErrorsAsync(response, "/api/runs")).Select(error => error.Key));
    }

    [Fact]
    public async Task GetRun_FromStartToEnd_ReportsHowFarItIs()
    {
        var id = NewId();
        (await PostAsync("api/runs", Small(id, "A <b>name</b>"))).Dispose();

        var first = await GetAsync($"api/runs/{id}");
        var last = await EndedAsync(id);

        Assert.Equal((id, "A <b>name</b>", 200), ((string?)first["id"], (string?)first["name"], (long)first["asked"]!));
        Assert.Equal(("complete", 200), ((string?)last["state"], (long)last["done"]!));
        Assert.Empty(last["reasons"]!.AsArray());
    }

    [Fact]
    public async Task GetReport_Finished_ComesInEveryForm()
    {
        var id = NewId();
        (await PostAsync("api/runs", Small(id, "<script>alert('x')</script> & \"quotes\""))).Dispose();
        await EndedAsync(id);

        Assert.Equal(id, (string?)(await JsonAsync(await ReportAsync(id, "")))["id"]);
        Assert.Equal(id, (string?)(await JsonAsync(await ReportAsync(id, "?format=json", "application/json")))["id"]);
        using var html = await ReportAsync(id, "?format=html", "text/html");
        var page = await html.Content.ReadAsStringAsync(Cancellation);
        Assert.DoesNotContain("<script>alert", page, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("&lt;script", page, StringComparison.Ordinal);
        Assert.Contains("default-src 'none'", Assert.Single(html.Headers.GetValues("Content-Security-Policy")), StringComparison.Ordinal);
        using var markdown = await ReportAsync(id, "?format=md", "text/markdown");
        Assert.DoesNotMatch(@"(?<!\\)<script", await markdown.Content.ReadAsStringAsync(Cancellation));
        await ReportAsync(id, "?format=csv", "text/csv");
    }

    [Fact]
    public async Task GetReport_RunIsUnderWay_IsConflictUntilItHasEnded()
    {
        var id = NewId();
        (await PostAsync("api/runs", Large(id))).Dispose();
        using var early = await Client.GetAsync($"api/runs/{id}/report", Cancellation);
        await BegunAsync(id);
        (await StopAsync(id)).Dispose();

        await ProblemAsync(early, 409, $"/api/runs/{id}/report");
        Assert.True(early.Headers.RetryAfter?.Delta > TimeSpan.Zero);
        await EndedAsync(id);
        await ReportAsync(id, "");
    }

    [Fact]
    public async Task GetReport_UnknownForm_NamesTheKnownForms()
    {
        using var response = await Client.GetAsync($"api/runs/{NewId()}/report?format=pdf", Cancellation);
        var problem = await ProblemAsync(response, 400, null);
        Assert.Contains("html", (string?)problem["errors"]!["format"]![0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task PostStop_Running_EndsAsStoppedWithAReport()
    {
        var id = NewId();
        (await PostAsync("api/runs", Large(id))).Dispose();

        await BegunAsync(id);
        using var response = await StopAsync(id);

        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
        Assert.Equal($"/api/runs/{id}", response.Headers.Location?.AbsolutePath);
        Assert.Equal("stopped", (string?)(await EndedAsync(id))["state"]);
        Assert.Equal("stopped", (string?)(await JsonAsync(await ReportAsync(id, "")))["state"]);
        using var again = await StopAsync(id);
        await ProblemAsync(again, 409, $"/api/runs/{id}/stop");
    }

    [Theory]
    [InlineData("GET", "api/runs/{0}")]
    [InlineData("GET", "api/runs/{0}/report")]
    [InlineData("POST", "api/runs/{0}/stop")]
    public async Task AnyRun_UnknownId_IsNotFound(string method, string path)
    {
        path = path.Replace("{0}", NewId(), StringComparison.Ordinal);
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        using var response = await Client.SendAsync(request, Cancellation);
        await ProblemAsync(response, 404, "/" + path);
    }

    [Theory]
    [InlineData("..")]
    [InlineData("..%2F..%2Fetc%2Fpasswd")]
    [InlineData("%2e%2e%2f%2e%2e%2fspec.json")]
    [InlineData("..%5C..%5Cwindows")]
    [InlineData("%2Fetc%2Fpasswd")]
    [InlineData("a%00b")]
    [InlineData("Upper")]
    [InlineData("-leading")]
    [InlineData("%3Cscript%3E")]
    [InlineData("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]
    public async Task AnyRun_HostileId_IsNotFoundAndHarmless(string id)
    {
        foreach (var suffix in (string[])["", "/report", "/report?format=html"])
        {
            using var response = await Client.GetAsync($"api/runs/{id}{suffix}", Cancellation);
            // A server may reject such a path before the interface sees it.
            Assert.True(response.StatusCode is HttpStatusCode.NotFound or HttpStatusCode.BadRequest, $"{response.StatusCode}");
            Assert.DoesNotContain("root:", await response.Content.ReadAsStringAsync(Cancellation), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("DELETE", "api/runs", "GET, HEAD, POST")]
    [InlineData("PUT", "api/runs/some", "GET, HEAD")]
    [InlineData("POST", "api/runs/some", "GET, HEAD")]
    [InlineData("POST", "api/runs/some/report", "GET, HEAD")]
    [InlineData("GET", "api/runs/some/stop", "POST")]
    public async Task AnyPath_WrongMethod_NamesTheRightOnes(string method, string path, string allowed)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        using var response = await Client.SendAsync(request, Cancellation);
        await ProblemAsync(response, 405, "/" + path);
        Assert.Equal(allowed.Split(", "), response.Content.Headers.Allow.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("api")]
    [InlineData("api/nothing")]
    [InlineData("api/runs/some/other")]
    [InlineData("api/runs/some/report/more")]
    public async Task AnyPath_Unknown_IsNotFound(string path)
    {
        using var response = await Client.GetAsync(path, Cancellation);
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
    }

    [Fact]
    public async Task HeadRuns_Always_HasNoBody()
    {
        using var request = new HttpRequestMessage(HttpMethod.Head, "api/runs");
        using var response = await Client.SendAsync(request, Cancellation);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Empty(await response.Content.ReadAsByteArrayAsync(Cancellation));
    }

    [Fact]
    public async Task AnyResponse_Always_ForbidsSniffingAndCaching()
    {
        using var response = await Client.GetAsync("api/runs", Cancellation);
        Assert.Equal(["nosniff"], response.Headers.GetValues("X-Content-Type-Options"));
        Assert.True(response.Headers.CacheControl?.NoStore);
    }

    protected async Task AssertEveryErrorIsNamedAsync(string plan)
    {
        var expected = RunSpecReader.Read(plan, Target).Errors;
        Assert.NotEmpty(expected);

        using var response = await PostAsync("api/runs", plan);

        var errors = await ErrorsAsync(response, "/api/runs");
        foreach (var path in expected.GroupBy(error => error.Path))
        {
            var messages = Assert.IsType<JsonArray>(errors[path.Key]).Select(message => (string?)message).ToList();
            Assert.All(path, error => Assert.Contains(error.Message, messages));
        }
    }
}
