using ScaleOut.Orchestrator.Experiments;
using ScaleOut.Tests.Support.Storage;
using ScaleOut.Workers.Containers;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>
/// A start that cannot have its account or its container changes nothing that is kept, and goes on when it can. Containers are prepared on
/// the way that a test chooses; legs go through the door, which is open unless a test shuts it.
/// </summary>
public abstract class UnusableAccount : IAsyncLifetime
{
    private const string Id = "again";
    private const string Run = "again-v01-r01";
    private protected const string Single = "single";

    private static readonly Door[] Doors =
    [
        new("rejects the key (401)", 401),
        new("Set it right.", 403, Text: "The authorization token is not valid at the current time."),
        new("forbids this (403)", 403, Text: "blocked by the firewall"),
        new("throttles (429/3200)", 429, SubStatus: 3200),
        new("is not ready (503)", 503),
        new("did not respond in time (408)", 408),
    ];

    private protected readonly MemoryRunStore _store = new();
    private protected SimulatedAccount _account = null!;
    private AccountRelay _relay = null!;
    private LoopbackServer _door = null!;
    private protected AccountConnection _good = null!;
    private protected AccountConnection _way = null!;
    private protected Door? _shut;
    private TaskCompletionSource? _writesHeld;
    private int _underway;
    private protected FunctionsHost _host = null!;

    private protected static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _account = await SimulatedAccount.StartAsync(new AccountSettings { Latency = LatencyProfile.None }, Cancellation);
        _relay = new AccountRelay(_account);
        _door = await LoopbackServer.StartAsync(ServeAsync);
        _way = _good = _account.Connection();
        _host = await FunctionsHost.StartAsync(
            services =>
            {
                services.AddSingleton<IRunStore>(_store);
                services.AddSingleton<IRunCatalog>(new MemoryRunCatalog());
                services.AddSingleton<IProgressSink>(new NoProgress());
                services.AddSingleton<Func<IContainerControl>>(() => new ContainerControl(_way));
            },
            new Dictionary<string, string?>
            {
                ["COSMOS_CONNECTION_STRING"] = $"AccountEndpoint={_door.Endpoint};AccountKey={_account.Key}",
                ["COSMOS_SIMULATED"] = "true",
            });
    }

    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await _host.DisposeAsync();
        await _door.DisposeAsync();
        _relay.Dispose();
        await _account.DisposeAsync();
    }

    /// <summary>Resumes an experiment once in each way that cannot use the account, and then in one that can.</summary>
    /// <param name="container">Where the documents of its run are: see <see cref="BeginAsync"/>.</param>
    private protected async Task ResumeInEachWayAsync(string container)
    {
        if (container == "named")
            await CreateAsync("shop", "books");
        await BeginAsync(container);
        var (kept, there) = (await KeptAsync(Run), Containers());
        var attempt = 1;
        foreach (var (reason, use) in Unusable(container))
        {
            use();
            await ResumeAsync(++attempt);

            Assert.Contains(reason, await ReasonAsync(), StringComparison.Ordinal);
            Assert.Equal(kept, await KeptAsync(Run));
            Assert.Equal(there, Containers());
        }

        (_way, _shut) = (_good, null);
        await ResumeAsync(++attempt);

        var outcome = (await new RunFiles(_store, Run).ReadEndedAsync(Cancellation))!.Outcome;
        // The report says that the named container already had documents of the run.
        var state = container == "named" ? RunState.Incomplete : RunState.Complete;
        Assert.Equal((state, 300L), (outcome.State, outcome.Counts.Inserted + outcome.Counts.AlreadyPresent));
        Assert.All(_account.ReadLedger().Containers, one => Assert.True(one.Deleted || one.Name == "books", one.Name));
    }

    /// <summary>Reasons why the account or the container cannot be used, and how each is caused.</summary>
    private protected IEnumerable<(string Reason, Action Use)> Unusable(string container)
    {
        yield return ("without a key", () => _way = _good with { Endpoint = _account.HttpEndpoint, Key = null });
        yield return ("rejects the key (401)", () => _way = _good with { Key = Convert.ToBase64String(new byte[64]) });
        yield return ("nothing listens at that port", () => _way = _good with { Endpoint = ClosedPort.New() });
        // An interrupted run gets time to end at each attempt, so it is tried with two of the doors only.
        foreach (var door in container == "left" ? Doors.Take(2) : Doors)
            yield return (door.Reason, () => Shut(door));
        if (container == "named")
            yield return ("there is no container books", () => Shut(new("", 404, At: "/colls/books")));
        if (container == "deleted")
            yield return ("could not be created", () => Shut(new("", 403, At: "/colls")));
    }

    private protected void Shut(Door door) =>
        (_way, _shut) = (_good with { Endpoint = _door.Endpoint, CertificateThumbprint = null }, door);

    /// <summary>An experiment whose first run has written documents and was stopped or interrupted.</summary>
    private async Task BeginAsync(string container)
    {
        var spec = new ExperimentSpec
        {
            Id = Id,
            Base = new JsonObject
            {
                ["documents"] = 300,
                ["workers"] = 1,
                ["client"] = new JsonObject { ["connectionMode"] = "Gateway", ["rate"] = 200 },
                ["container"] = container == "named"
                    ? new JsonObject { ["database"] = "shop", ["name"] = "books" }
                    : new JsonObject { ["throughput"] = 4_000 },
            },
            Variants = [new() { Name = "a" }, new() { Name = "b", Change = new JsonObject { ["seed"] = 7 } }],
            Repeats = 1,
        };
        spec = spec with
        {
            Seed = Enumerable.Range(1, 100).First(seed => new GridPlanner(spec with { Seed = seed }).All[0].Spec.Id == Run),
        };
        var (started, text) = await _host.SendAsync(
            HttpMethod.Post, "/api/experiments", JsonSerializer.Serialize(spec, ScaleOutJson.Compact));
        Assert.True((int)started.StatusCode == 202, text);
        while (_account.ReadLedger().Documents.Created == 0)
            await Task.Delay(20, Cancellation);
        if (container != "left")
        {
            // So that the stop comes before the last document, however busy the machine is. What is held never reaches the account.
            _writesHeld = new(TaskCreationOptions.RunContinuationsAsynchronously);
            await _host.SendAsync(HttpMethod.Post, $"/api/experiments/{Id}/stop");
            await EndAsync(1);
            _writesHeld.SetResult();
            while (Volatile.Read(ref _underway) > 0)
                await Task.Delay(20, Cancellation);
            _writesHeld = null;
            return;
        }

        await InterruptAsync(ExperimentIds.InstanceId(Id), Run, ChildIds.Worker(Run, 0));
        await FirstLegAsync(Run);
    }

    /// <summary>A run that was interrupted in its first leg, or that could not start.</summary>
    private protected async Task BeginRunAsync(string container)
    {
        if (container == "none")
            _way = _good with { Key = Convert.ToBase64String(new byte[64]) };
        var spec = new RunSpec
        {
            Id = Single,
            Documents = 900,
            Workers = 1,
            LegDuration = TimeSpan.FromSeconds(3),
            Client = new ClientSpec { ConnectionMode = ConnectionMode.Gateway, Rate = 200 },
            Container = container == "named" ? new() { Database = "shop", Name = "books" } : new() { Throughput = 4_000 },
        };
        var (started, text) = await _host.SendAsync(HttpMethod.Post, "/api/runs", JsonSerializer.Serialize(spec, ScaleOutJson.Compact));
        Assert.True((int)started.StatusCode == 202, text);
        if (container == "none")
        {
            await _host.EndOfAsync(Single);
            return;
        }

        while (_account.ReadLedger().Documents.Created == 0)
            await Task.Delay(20, Cancellation);
        await InterruptAsync(Single, ChildIds.Worker(Single, 0));
        await FirstLegAsync(Single);
    }

    private async Task InterruptAsync(params string[] instances)
    {
        foreach (var instance in instances)
        {
            await _host.Engine.TerminateInstanceAsync(instance, Cancellation);
            await _host.EndOfAsync(instance);
        }
    }

    /// <summary>Nothing ends an activity, so a leg goes on to its end.</summary>
    private async Task FirstLegAsync(string runId)
    {
        while ((await _store.ListAsync(runId, LegNames.Result(0, 1), Cancellation)).Count == 0)
            await Task.Delay(20, Cancellation);
    }

    private protected async Task<RunOutcome> ResumeRunAsync(int attempt)
    {
        var (resumed, text) = await _host.SendAsync(HttpMethod.Post, $"/api/runs/{Single}/resume");
        Assert.True((int)resumed.StatusCode == 202, text);
        var ended = await _host.EndOfAsync(ChildIds.Attempt(Single, attempt));
        Assert.True(ended.FailureDetails is null, ended.FailureDetails?.ToString());
        return JsonSerializer.Deserialize<RunOutcome>(ended.SerializedOutput!, ScaleOutJson.Compact)!;
    }

    private async Task ResumeAsync(int attempt)
    {
        var (resumed, text) = await _host.SendAsync(HttpMethod.Post, $"/api/experiments/{Id}/resume");
        Assert.True((int)resumed.StatusCode == 202, text);
        await EndAsync(attempt);
    }

    private async Task EndAsync(int attempt)
    {
        var ended = await _host.EndOfAsync(ExperimentIds.InstanceId(Id, attempt));
        Assert.True(ended.FailureDetails is null, ended.FailureDetails?.ToString());
    }

    /// <summary>The run in the experiment's report.</summary>
    private async Task<string> ReasonAsync() => JsonNode.Parse(
        (await new ExperimentFiles(_store, Id).ReadReportAsync("report.json", Cancellation))!)!.ToJsonString();

    /// <summary>
    /// All items of a run except the claim of its container (which an attempt to create the container removes), the last attempt, and why
    /// that attempt could not start.
    /// </summary>
    private protected async Task<SortedDictionary<string, string>> KeptAsync(string runId)
    {
        var items = new SortedDictionary<string, string>(StringComparer.Ordinal);
        var hasBegun = await new RunFiles(_store, runId).HasAsync(RunFiles.PreparedName, Cancellation);
        foreach (var name in await _store.ListAsync(runId, "", Cancellation))
        {
            var isOfAttempt = name == RunFiles.ContainerClaimName
                || (runId == Single && (name == "resumption.json" || name.StartsWith("attempts/", StringComparison.Ordinal)));
            var isReport = name == "ended.json" || name.StartsWith("report", StringComparison.Ordinal);
            if (!isOfAttempt && (hasBegun || !isReport))
                items[name] = Convert.ToHexString((await _store.ReadAsync(runId, name, Cancellation))!);
        }

        return items;
    }

    private protected List<(string Name, bool Deleted, long Documents)> Containers() =>
        [.. _account.ReadLedger().Containers.Select(one => (one.Name, one.Deleted, one.DocumentCount))];

    private protected async Task CreateAsync(string database, string name)
    {
        using var client = CosmosClientFactory.CreateControl(_good);
        var made = await client.CreateDatabaseIfNotExistsAsync(database, cancellationToken: Cancellation);
        await made.Database.CreateContainerAsync(name, "/PartitionKey", throughput: 4_000, cancellationToken: Cancellation);
    }

    /// <summary>A relay to the account that rejects some requests.</summary>
    private async Task ServeAsync(HttpContext context)
    {
        var path = context.Request.Path.Value!;
        if (_shut is { } door && path.EndsWith(door.At, StringComparison.Ordinal))
        {
            context.Response.StatusCode = door.Status;
            context.Response.Headers["x-ms-substatus"] = $"{door.SubStatus}";
            // Longer than any client waits.
            context.Response.Headers["x-ms-retry-after-ms"] = "600000";
            await context.Response.WriteAsJsonAsync(new { code = "Shut", message = door.Text }, context.RequestAborted);
            return;
        }

        Interlocked.Increment(ref _underway);
        try
        {
            if (_writesHeld is { } held && context.Request.Method == "POST" && path.EndsWith("/docs", StringComparison.Ordinal))
            {
                await held.Task.WaitAsync(context.RequestAborted);
                context.Response.StatusCode = 403;
                return;
            }

            await _relay.PassOnAsync(context);
        }
        finally
        {
            Interlocked.Decrement(ref _underway);
        }
    }

    /// <summary>The response to requests whose path ends with this.</summary>
    private protected sealed record Door(string Reason, int Status, int SubStatus = 0, string Text = "", string At = "");
}
