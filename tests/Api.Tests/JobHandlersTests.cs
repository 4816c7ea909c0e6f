namespace ScaleOut.Tests.Api;

/// <summary>What a client cannot cause: broken hosts and stores, and the server's own rules.</summary>
public sealed class JobHandlersTests : HttpConversation, IAsyncDisposable
{
    private const string Secret = "AccountEndpoint=https://x/;AccountKey=c2VjcmV0";

    private readonly MemoryRunStore _store = new();
    private ApiServer _server = null!;

    protected override HttpClient Client => _server.Client;

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [Theory]
    [InlineData("runs", """{"id":"broken","documents":10,"workers":1}""")]
    [InlineData("experiments", """{"id":"broken","base":{"documents":100,"workers":1},"variants":[{"name":"a"},{"name":"b"}]}""")]
    public async Task Post_HostBreaks_HidesTheCauseAndTheJobHasFailed(string jobs, string spec)
    {
        var broken = new InvalidOperationException(Secret);
        var experiments = new ScriptedExperimentHost(_store) { Broken = broken };
        _server = await ApiServer.StartAsync(_store, runs: new ScriptedHost(_store) { Broken = broken }, experiments: experiments);

        using var response = await PostAsync($"api/{jobs}", spec);

        var problem = await ProblemAsync(response, 500, $"/api/{jobs}");
        Assert.DoesNotContain("AccountKey", problem.ToJsonString(), StringComparison.Ordinal);
        Assert.Equal(["nosniff"], response.Headers.GetValues("X-Content-Type-Options"));
        Assert.Equal(Secret, Assert.Single(_server.Log.Errors).Message);
        var status = await EndedAtAsync($"api/{jobs}/broken");
        Assert.Equal("failed", (string?)status["state"]);
        if (jobs == "experiments")
            Assert.Contains("could not be started", (string?)status["reasons"]![0], StringComparison.Ordinal);
        using var report = await Client.GetAsync($"api/{jobs}/broken/report", Cancellation);
        await ProblemAsync(report, 409, $"/api/{jobs}/broken/report");
        Assert.Null(report.Headers.RetryAfter);
    }

    [Fact]
    public async Task GetRun_SpecIsDamaged_NamesTheItemAndTheListHasTheRun()
    {
        var catalog = new MemoryRunCatalog();
        _server = await ApiServer.StartAsync(_store, catalog);
        await _store.WriteAsync("torn", "spec.json", "{"u8.ToArray(), Cancellation);
        await _store.WriteAsync("torn", "ended.json", "{}"u8.ToArray(), Cancellation);
        await catalog.AddAsync(new RunListing("torn", null, DateTimeOffset.UnixEpoch), Cancellation);

        using var response = await Client.GetAsync("api/runs/torn", Cancellation);
        var run = (await GetAsync("api/runs"))["runs"]![0]!;

        var problem = await ProblemAsync(response, 409, "/api/runs/torn");
        Assert.StartsWith("torn/spec.json is damaged: it is no valid JSON", (string?)problem["detail"], StringComparison.Ordinal);
        Assert.Equal(("torn", "interrupted"), ((string?)run["id"], (string?)run["state"]));
        // The list is read every few seconds. It names the item once, and no log has the stack trace, which says nothing about the item.
        await GetAsync("api/runs");
        Assert.Empty(_server.Log.Errors);
        Assert.Single(_server.Log.Lines, line => line.Contains("torn/ended.json", StringComparison.Ordinal));
        await _store.WriteAsync("torn", "ended.json", ReadOnlyMemory<byte>.Empty, Cancellation);
        await GetAsync("api/runs");
        Assert.Equal(2, _server.Log.Lines.Count(line => line.Contains("torn/ended.json", StringComparison.Ordinal)));
    }

    /// <summary>The size of a chunk is no number, or one that no server can hold.</summary>
    [Theory]
    [InlineData("zz")]
    [InlineData("FFFFFFFFFFFFFFFFFF")]
    public async Task Post_WithAnImpossibleChunk_Is400(string size)
    {
        _server = await ApiServer.StartAsync(_store);
        var response = await RawRequest.SendAsync(
            Client.BaseAddress!.Port,
            $"POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:{Client.BaseAddress.Port}\r\nContent-Type: application/json\r\n"
            + $"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{size}\r\n");
        Assert.StartsWith("HTTP/1.1 400 ", response, StringComparison.Ordinal);
        Assert.Contains("application/problem+json", response, StringComparison.Ordinal);
        Assert.Empty(_server.Log.Errors);
    }

    [Fact]
    public async Task GetReport_ChangedForm_NamesIt()
    {
        _server = await ApiServer.StartAsync(_store);
        var sample = new RunSample { Seconds = 5 };
        var files = new RunFiles(_store, sample.Spec.Id!);
        await files.TryClaimAsync(sample.Spec, Cancellation);
        await ReportSaver.SaveAsync(_store, sample.Ending(), Cancellation);
        foreach (var name in RunForms.Kind.Forms.Select(form => form.FileName))
        {
            var path = $"api/runs/sample/report?format={name.Split('.')[1]}";
            using var whole = await Client.GetAsync(path, Cancellation);
            Assert.True(whole.IsSuccessStatusCode, name);
            var content = (await _store.ReadAsync("sample", name, Cancellation))!;
            content[^3] ^= 1;
            await _store.WriteAsync("sample", name, content, Cancellation);

            using var changed = await Client.GetAsync(path, Cancellation);

            var problem = await ProblemAsync(changed, 409, "/api/runs/sample/report");
            Assert.StartsWith($"sample/{name} is damaged: ", (string?)problem["detail"], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task GetRun_NobodyExecutesIt_IsInterrupted()
    {
        _server = await ApiServer.StartAsync(_store);
        await new RunFiles(_store, "left").TryClaimAsync(new RunSpec { Id = "left" }, Cancellation);
        Assert.Equal("interrupted", (string?)(await GetAsync("api/runs/left"))["state"]);
    }

    [Fact]
    public async Task PostRuns_OverLimits_NamesThemBesideAllOtherErrors()
    {
        var rules = new HostRules
        {
            RequestUnitsPerSecond = new SettingLimit("MAX_RUS", 20_000), Workers = new SettingLimit("MAX_WORKERS", 2),
        };
        _server = await ApiServer.StartAsync(_store, rules: rules);

        using var response = await PostAsync("api/runs", """{"documents":0,"workers":3}""");

        var errors = await ErrorsAsync(response, "/api/runs");
        Assert.Equal(["container.throughput", "documents", "workers"], errors.Select(error => error.Key).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task PostRuns_RulesOfTheServer_AreInTheClaimedSpec()
    {
        _server = await ApiServer.StartAsync(_store, rules: new HostRules { LegDuration = TimeSpan.FromMinutes(5) });

        (await PostAsync("api/runs", """{"id":"long-legs","documents":10,"workers":1}""")).Dispose();
        (await PostAsync("api/runs", """{"id":"short-legs","documents":10,"workers":1,"legDuration":"00:00:10"}""")).Dispose();

        Assert.Equal(TimeSpan.FromMinutes(5), (await ClaimedAsync("long-legs")).LegDuration);
        Assert.NotNull((await ClaimedAsync("long-legs")).Simulation);
        Assert.Equal(TimeSpan.FromSeconds(10), (await ClaimedAsync("short-legs")).LegDuration);
    }

    [Fact]
    public async Task PostRuns_RateThatTheThroughputCannotServe_IsStartedWithAWarning()
    {
        _server = await ApiServer.StartAsync(_store);

        using var wanting = await PostAsync(
            "api/runs", """{"documents":10,"workers":1,"client":{"rate":5000},"container":{"throughput":400}}""");
        using var modest = await PostAsync("api/runs", """{"documents":10,"workers":1}""");

        var warning = Assert.Single((await JsonAsync(wanting))["warnings"]!.AsArray());
        Assert.StartsWith("client.rate: 5,000 operations per second", (string?)warning, StringComparison.Ordinal);
        Assert.False((await JsonAsync(modest)).AsObject().ContainsKey("warnings"));
    }

    [Fact]
    public async Task PostRuns_TelemetryBeyondTheQuotaOfADay_IsStartedWithAWarning()
    {
        var rules = new HostRules { TelemetryGigabytesPerDay = new SettingLimit("TELEMETRY_DAILY_QUOTA_GB", 1) };
        _server = await ApiServer.StartAsync(_store, rules: rules);

        using var large = await PostAsync("api/runs", """{"documents":200000000,"workers":2,"container":{"throughput":20000}}""");
        using var small = await PostAsync("api/runs", """{"documents":100000,"workers":20,"container":{"throughput":20000}}""");

        var warning = Assert.Single(
            (await JsonAsync(large))["warnings"]!.AsArray(),
            one => ((string?)one)!.StartsWith("TELEMETRY_DAILY_QUOTA_GB: ", StringComparison.Ordinal));
        Assert.Contains("only 1 GB of a day are kept", (string?)warning, StringComparison.Ordinal);
        Assert.False((await JsonAsync(small)).AsObject().ContainsKey("warnings"));
    }

    /// <summary>What this server cannot do is said at once, and nothing is made.</summary>
    [Theory]
    [InlineData("runs", """{"id":"much",SPEC}""", "")]
    [InlineData("experiments", """{"id":"much","base":{SPEC},"variants":[{"name":"a"},{"name":"b"}]}""", "variants[0].change.")]
    public async Task Post_WhatTheDeploymentCannotHave_IsAllRejectedBeforeAnythingIsMade(string jobs, string spec, string path)
    {
        var rules = new HostRules
        {
            WorkersAtOnce = new SettingLimit("WORKER_CAPACITY", 8),
            TelemetryGigabytesPerDay = new SettingLimit("TELEMETRY_DAILY_QUOTA_GB", 1),
            MayChangeThroughputAsync = _ => Task.FromResult(false),
        };
        _server = await ApiServer.StartAsync(_store, rules: rules);
        const string fields = """
            "documents":200000000,"workers":100,
            "container":{"throughput":20000,"throughputSteps":[{"afterSeconds":10,"throughput":30000}]}
            """;

        using var response = await PostAsync($"api/{jobs}", spec.Replace("SPEC", fields, StringComparison.Ordinal));

        var errors = (await ProblemAsync(response, 400, $"/api/{jobs}"))["errors"]!.AsObject();
        Assert.Equal(2, errors[path + "workers"]!.AsArray().Count);
        var text = errors[path + "workers"]!.ToJsonString();
        Assert.Contains("WORKER_CAPACITY", text, StringComparison.Ordinal);
        Assert.Contains("TELEMETRY_DAILY_QUOTA_GB", text, StringComparison.Ordinal);
        Assert.Contains("throughputSettings/write", errors[path + "container.throughputSteps"]!.ToJsonString(), StringComparison.Ordinal);
        Assert.Empty(await _store.ListAsync("much", "", Cancellation));
    }

    /// <summary>The account is asked only about what the spec wants.</summary>
    [Fact]
    public async Task PostRuns_NoThroughputSteps_DoesNotAskForTheRight()
    {
        var asked = 0;
        var rules = new HostRules { MayChangeThroughputAsync = _ => Task.FromResult(asked++ < 0) };
        _server = await ApiServer.StartAsync(_store, rules: rules);

        using var without = await PostAsync("api/runs", """{"name":"no throughputSteps","documents":10,"workers":1}""");
        using var with = await PostAsync(
            "api/runs",
            """{"documents":10,"workers":1,"container":{"throughputSteps":[{"afterSeconds":10,"throughput":30000}]}}""");

        Assert.Equal((202, 400, 1), ((int)without.StatusCode, (int)with.StatusCode, asked));
    }

    [Fact]
    public async Task PostRuns_ConditionThatFailsTheBetterRuns_IsStartedWithAWarning()
    {
        _server = await ApiServer.StartAsync(_store);

        using var inverted = await PostAsync("api/runs?failIf=p99%3C20ms", """{"documents":10,"workers":1}""");
        using var meant = await PostAsync("api/runs?failIf=p99%3E%3D20ms", """{"documents":10,"workers":1}""");

        Assert.Equal(
            "a run fails when the condition holds, so 'p99<20ms' fails the better runs; did you mean p99>=20ms?",
            (string?)Assert.Single((await JsonAsync(inverted))["warnings"]!.AsArray()));
        Assert.False((await JsonAsync(meant)).AsObject().ContainsKey("warnings"));
    }

    [Fact]
    public async Task PostRuns_OtherAccount_RejectsASimulation()
    {
        _server = await ApiServer.StartAsync(_store, rules: new HostRules { Target = RunTarget.OtherAccount });

        using var rejected = await PostAsync("api/runs", """{"documents":10,"workers":1,"simulation":{}}""");
        (await PostAsync("api/runs", """{"id":"real","documents":10,"workers":1}""")).Dispose();

        await ProblemAsync(rejected, 400, "/api/runs");
        Assert.Null((await ClaimedAsync("real")).Simulation);
    }

    [Theory]
    [InlineData(RunTarget.OtherAccount, true, 1.0)]
    [InlineData(RunTarget.OtherAccount, false, null)]
    [InlineData(RunTarget.SimulatedAccount, true, null)]
    public async Task PostRuns_Prices_GiveACostIfTheAccountIsBilled(RunTarget target, bool prices, double? expected)
    {
        var list = new PriceList { Currency = "EUR", RequestUnitPerSecondHour = 0.001, GigabyteSecond = 0 };
        var rules = new HostRules { Target = target, Simulated = target == RunTarget.SimulatedAccount, Prices = prices ? list : null };
        _server = await ApiServer.StartAsync(_store, rules: rules);

        using var response = await PostAsync("api/runs", """{"documents":1000,"workers":1,"container":{"throughput":1000}}""");

        var cost = (await JsonAsync(response))["estimate"]!.AsObject()["cost"];
        Assert.Equal(expected, (double?)cost?["amount"]);
        Assert.Equal(expected is null ? null : "EUR", (string?)cost?["currency"]);
    }

    [Fact]
    public async Task PostExperiments_OverALimit_NamesTheVariant()
    {
        _server = await ApiServer.StartAsync(_store, rules: new HostRules { Workers = new SettingLimit("MAX_WORKERS", 2) });

        using var response = await PostAsync(
            "api/experiments", """{"base":{"documents":100,"workers":1},"variants":[{"name":"a"},{"name":"b","change":{"workers":3}}]}""");

        Assert.Equal(["variants[1].change.workers"], (await ErrorsAsync(response, "/api/experiments")).Select(error => error.Key));
    }

    [Fact]
    public async Task PostRuns_ClientDisconnects_IsNoErrorAndTheServerGoesOn()
    {
        _server = await ApiServer.StartAsync(_store);
        using (var socket = new Socket(SocketType.Stream, ProtocolType.Tcp))
        {
            var address = Client.BaseAddress!;
            await socket.ConnectAsync(address.Host, address.Port, Cancellation);
            var head =
                $"POST /api/runs HTTP/1.1\r\nHost: {address.Authority}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{";
            await socket.SendAsync(Encoding.ASCII.GetBytes(head), Cancellation);
        }

        Assert.Empty((await GetAsync("api/runs"))["runs"]!.AsArray());
        Assert.Empty(_server.Log.Errors);
    }

    private async Task<RunSpec> ClaimedAsync(string id) =>
        RunSpecReader.Read(Encoding.UTF8.GetString((await new RunFiles(_store, id).ReadSpecAsync(Cancellation))!)).Value!;
}
