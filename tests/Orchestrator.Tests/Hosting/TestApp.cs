using Microsoft.DurableTask.Client;
using ScaleOut.Tests.Support.Storage;
using ScaleOut.Workers.Containers;
using ScaleOut.Workers.Legs;

namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>The app on a test's host, with a run store in memory, legs that follow a script and containers that only count.</summary>
internal sealed class TestApp : IAsyncDisposable
{
    private static readonly Dictionary<string, string?> WideLimits = new() { ["MAX_RUS"] = "10000000", ["MAX_WORKERS"] = "1000" };

    public MemoryRunStore Store { get; } = new();

    public MemoryRunCatalog Catalog { get; } = new();

    public required ScriptedLegs Legs { get; init; }

    public required ScriptedContainers Containers { get; init; }

    public FunctionsHost Host { get; private set; } = null!;

    public static Task<TestApp> StartAsync(
        Func<LegInput, LegOutput> runLeg, IReadOnlyDictionary<string, string?>? settings = null, int failuresOfEachStep = 0) =>
        StartAsync(leg => Task.FromResult(runLeg(leg)), settings, failuresOfEachStep);

    /// <summary>Starts the app.</summary>
    /// <param name="runLeg">Runs a leg. If it throws, the activity fails.</param>
    /// <param name="settings">Settings that are added to the usual ones or replace them. The usual limits are wide.</param>
    /// <param name="failuresOfEachStep">Number of calls of each container step that fail before one succeeds.</param>
    public static async Task<TestApp> StartAsync(
        Func<LegInput, Task<LegOutput>> runLeg, IReadOnlyDictionary<string, string?>? settings = null, int failuresOfEachStep = 0)
    {
        var containers = new ScriptedContainers(failuresOfEachStep);
        var app = new TestApp { Containers = containers, Legs = new ScriptedLegs(runLeg, containers) };
        app.Legs.Store = app.Store;
        app.Host = await FunctionsHost.StartAsync(
            services =>
            {
                services.AddSingleton<IRunStore>(app.Store);
                services.AddSingleton<IRunCatalog>(app.Catalog);
                services.AddSingleton<ILegRunner>(app.Legs);
                services.AddSingleton<Func<IContainerControl>>(() => containers);
            },
            settings ?? WideLimits);
        return app;
    }

    public Task<(HttpResponseMessage Response, string Text)> GetAsync(string path) => Host.SendAsync(HttpMethod.Get, path);

    public Task<(HttpResponseMessage Response, string Text)> PostAsync(string path, string? body = null) =>
        Host.SendAsync(HttpMethod.Post, path, body);

    /// <summary>Starts a run over HTTP, as its users do.</summary>
    public async Task StartRunAsync(RunSpec spec)
    {
        var (response, text) = await PostAsync("/api/runs", JsonSerializer.Serialize(spec, ScaleOutJson.Compact));
        Assert.True((int)response.StatusCode == 202, $"{(int)response.StatusCode} {text} {string.Join('\n', Host.Warnings)}");
    }

    /// <summary>Runs to the end.</summary>
    public async Task<RunOutcome> RunAsync(RunSpec spec)
    {
        await StartRunAsync(spec);
        return await EndOfAsync(spec.Id!);
    }

    /// <summary>Waits for the end of an orchestration of a run.</summary>
    public async Task<RunOutcome> EndOfAsync(string instanceId) =>
        JsonSerializer.Deserialize<RunOutcome>(await OutputOfAsync(instanceId), ScaleOutJson.Compact)!;

    /// <summary>Waits for the end of an orchestration; its output as JSON.</summary>
    public async Task<string> OutputOfAsync(string instanceId)
    {
        var instance = await Host.EndOfAsync(instanceId);
        Assert.True(
            instance.RuntimeStatus == OrchestrationRuntimeStatus.Completed,
            $"{instance.RuntimeStatus}: {instance.FailureDetails} {instance.FailureDetails?.StackTrace}");
        return instance.SerializedOutput!;
    }

    /// <summary>The status of a run or an experiment, as the interface shows it.</summary>
    public async Task<JsonNode> StatusAsync(string path) => JsonNode.Parse((await GetAsync(path)).Text)!;

    public ValueTask DisposeAsync() => Host.DisposeAsync();
}

/// <summary>
/// Legs that write nothing anywhere; what the script says is in the container's count and, as a real leg's, in the run store.
/// </summary>
internal sealed class ScriptedLegs(Func<LegInput, Task<LegOutput>> runLeg, ScriptedContainers containers) : ILegRunner
{
    private readonly ConcurrentQueue<LegInput> _all = new();

    /// <summary>Legs in the order of their calls, including repeated calls.</summary>
    public IReadOnlyCollection<LegInput> All => _all;

    public IRunStore Store { get; set; } = null!;

    /// <summary>Adds measurements to the result of a leg. By default it adds none.</summary>
    public Func<LegInput, LegResult, LegResult> Measure { get; set; } = (_, result) => result;

    public async Task<LegOutput> RunAsync(LegInput leg, CancellationToken cancellationToken)
    {
        var files = new RunFiles(Store, leg.Assignment.RunId);
        var isStopped = await files.IsStopRequestedAsync(cancellationToken);
        if ((await files.ReadOrDiscardEarlierOutputAsync(leg, isStopped, cancellationToken)).Output is { } taken)
            return taken;

        _all.Enqueue(leg);
        var startedAt = DateTimeOffset.UtcNow;
        var output = await runLeg(leg);
        containers.Add(leg.Assignment.Container.Name, output.Counts.Inserted);
        await files.CreateResultIfAbsentAsync(
            Measure(leg, new()
            {
                Output = output,
                Range = new(leg.Assignment.Slice, leg.Next, []),
                Attempt = 1,
                StartedAt = startedAt,
                EndedAt = DateTimeOffset.UtcNow,
                AttemptLatency = new(),
                OperationLatency = new(),
                Machine = new() { InstanceId = "fake", ProcessId = 1, Cores = 1, MemoryBytes = 1 },
            }),
            cancellationToken);
        return output;
    }
}

/// <summary>Containers that know how many documents they hold.</summary>
/// <param name="failuresOfEachStep">Calls of each step that fail before one does not.</param>
internal sealed class ScriptedContainers(int failuresOfEachStep) : IContainerControl
{
    private readonly ConcurrentDictionary<string, long> _documents = new();
    private readonly ConcurrentDictionary<string, int> _calls = new();

    /// <summary>The error of deleting a container; null if it succeeds.</summary>
    public Exception? DeletionError { get; set; }

    /// <summary>Errors of the next calls that prepare a container.</summary>
    public ConcurrentQueue<Exception> PreparationErrors { get; } = new();

    /// <summary>Why no container can be prepared; null if one can.</summary>
    public string? Rejection { get; set; }

    /// <summary>Whether the app's identity may change RU/s.</summary>
    public bool MayChangeThroughput { get; set; } = true;

    /// <summary>Names of the containers that were deleted.</summary>
    public ConcurrentQueue<string> Deleted { get; } = new();

    public void Add(string container, long documents) => _documents.AddOrUpdate(container, documents, (_, there) => there + documents);

    public async Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        FailAtFirst(nameof(PrepareAsync));
        if (PreparationErrors.TryDequeue(out var error))
            throw error;
        if (Rejection is { } rejection)
            return new Preparation { Rejections = [rejection] };
        if (await new RunFiles(store, spec.Id!).ReadPreparedAsync(cancellationToken) is { } kept)
            return new Preparation { Container = kept };
        var target = new ContainerTarget("scaleout", $"run-{spec.Id}", "/PartitionKey");
        _documents[target.Name] = 0;
        var prepared = new PreparedContainer
        {
            RunId = spec.Id,
            Target = target,
            Created = true,
            Simulated = false,
            CountBefore = 0,
            BudgetPerSecond = 60_000,
        };
        return new Preparation { Container = await new RunFiles(store, spec.Id!).CreatePreparedIfAbsentAsync(prepared, cancellationToken) };
    }

    public Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        FailAtFirst(nameof(VerifyAsync));
        return Task.FromResult(new Verification(_documents[container.Target.Name] - container.CountBefore));
    }

    public Task<bool> ChangeThroughputAsync(ThroughputChange change, CancellationToken cancellationToken) => Task.FromResult(true);

    public Task<bool> MayChangeThroughputAsync(string database, CancellationToken cancellationToken) =>
        Task.FromResult(MayChangeThroughput);

    public Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        FailAtFirst(nameof(CleanUpAsync));
        if (DeletionError is { } error)
            throw error;
        Deleted.Enqueue(container.Target.Name);
        return Task.CompletedTask;
    }

    public Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken) => Task.FromResult(true);

    public void Dispose()
    {
        // One instance for all calls.
    }

    private void FailAtFirst(string step)
    {
        if (_calls.AddOrUpdate(step, 1, (_, calls) => calls + 1) <= failuresOfEachStep)
            throw new TimeoutException($"{step} took too long.");
    }
}
