using System.Text.Json.Serialization;

namespace ScaleOut.Tests.EndToEnd.Orchestrations;

/// <summary>
/// Histories of orchestrations, recorded by the version that their folder is named after. A durable engine replays such a history after a
/// new version of the app was deployed, so every orchestrator must await the same things in the same order. An orchestrator that fails here
/// needs a branch on <see cref="IOrchestrationContext.Version"/>, a new <see cref="OrchestrationVersions.Current"/>, and histories of that.
/// </summary>
public sealed class HistoryTests
{
    /// <summary>Set to 1, this variable records the missing histories of the current version.</summary>
    private const string Record = "SCALEOUT_RECORD_HISTORIES";

    private static readonly string Folder =
        Path.Combine(RepositoryFiles.Root, "tests", "EndToEnd.Tests", "Orchestrations", "Histories");

    private static readonly JsonSerializerOptions Indented = new(ScaleOutJson.Compact) { WriteIndented = true };

    private static readonly RunSpec Spec = new() { Id = "test", Documents = 600, Workers = 2 };

    /// <summary>The runs that are recorded for each version. Each of them awaits different activities.</summary>
    private static readonly Dictionary<string, Func<ScriptedRun>> Scenarios = new()
    {
        ["waits-and-loses"] = () =>
        {
            var lost = 0;
            return new ScriptedRun(leg => leg.Assignment.Worker == 1 && lost++ == 0
                ? throw new LegLostException("killed")
                : ScriptedLeg.Insert(leg, 200))
            { AdmissionsBefore = 2, Count = () => 600 };
        },
        ["errs-once"] = () =>
        {
            var erred = 0;
            return new ScriptedRun(leg => leg.Assignment.Worker == 1 && erred++ == 0
                ? throw new KeyNotFoundException("an SDK's")
                : ScriptedLeg.Insert(leg, 20))
            { Count = () => 600 };
        },
        ["misses-legs"] = () => new ScriptedRun(ScriptedLeg.Finish) { MissesLegs = true, Count = () => 600 },
        ["cannot-prepare"] = () => new ScriptedRun(ScriptedLeg.Finish) { PreparationError = new IOException("down") },
        ["stopped-in-line"] = () => new ScriptedRun(ScriptedLeg.Finish) { AdmissionsBefore = 1, StoppedWhileWaiting = true },
        ["cannot-clean-up"] = () => new ScriptedRun(ScriptedLeg.Finish)
        {
            VerificationError = new IOException("down"), CleanUpError = new IOException("locked"),
        },
    };

    /// <summary>The experiments that are recorded for each version.</summary>
    private static readonly Dictionary<string, Func<ScriptedExperiment>> Experiments = new()
    {
        ["experiment-pauses-and-fails"] = () => new ScriptedExperiment(
            ExperimentSample.From(3, 2) with { Pause = TimeSpan.FromSeconds(5) },
            run => run.Variant == 0 ? RunState.Failed : RunState.Complete)
        { NotTestable = [1] },
        ["experiment-stopped"] = () => new ScriptedExperiment(ExperimentSample.From(2, 2), _ => RunState.Complete) { StopAfter = 2 },
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static TheoryData<string> Files => [.. Directory.GetFiles(Folder, "*.json", SearchOption.AllDirectories)
        .Select(path => Path.GetRelativePath(Folder, path).Replace('\\', '/')).Order(StringComparer.Ordinal)];

    [Fact]
    public async Task History_CurrentVersion_IsThereForEachScenario()
    {
        var folder = Path.Combine(Folder, OrchestrationVersions.Current);
        Func<Task<string>> RecordOf(Func<ScriptedRun> create) => () => RecordAsync(create());
        Func<Task<string>> RecordOfExperiment(Func<ScriptedExperiment> create) => () => RecordAsync(create());
        var all = Scenarios.Select(one => (one.Key, RecordOf(one.Value)))
            .Concat(Experiments.Select(one => (one.Key, RecordOfExperiment(one.Value))));
        foreach (var (name, recordAsync) in all)
        {
            var path = Path.Combine(folder, name + ".json");
            if (Environment.GetEnvironmentVariable(Record) == "1" && !File.Exists(path))
            {
                Directory.CreateDirectory(folder);
                await File.WriteAllTextAsync(path, await recordAsync(), Cancellation);
            }

            Assert.True(File.Exists(path), $"{path} is missing; record it with {Record}=1.");
        }
    }

    [Theory, MemberData(nameof(Files))]
    public async Task History_OfAnyVersion_IsReplayed(string file)
    {
        var histories = JsonSerializer.Deserialize<List<History>>(
            await File.ReadAllTextAsync(Path.Combine(Folder, file), Cancellation), ScaleOutJson.Compact)!;

        Assert.NotEmpty(histories);
        foreach (var history in histories)
        {
            var context = new Replay(history, file.Split('/')[0]);
            var outcome = history.Orchestrator switch
            {
                FunctionNames.RunOrchestrator => JsonOf(await RunOrchestrator.RunAsync(context, InputOf<RunSpec>(history))),
                FunctionNames.WorkerOrchestrator => JsonOf(await WorkerOrchestrator.RunAsync(context, InputOf<LegInput>(history))),
                ExperimentFunctionNames.ExperimentOrchestrator => JsonOf(await RunAsync(context, TurnOf(history, context.Version))),
                _ => throw new InvalidOperationException(history.Orchestrator),
            };
            context.AssertAtItsEnd();
            Assert.True(JsonElement.DeepEquals(history.Outcome, outcome), outcome.GetRawText());
            // Histories before 1.2 do not have it.
            if (history.Next is { } next)
                Assert.True(JsonElement.DeepEquals(next, context.NextInput), context.NextInput.GetRawText());
        }
    }

    private static async Task<string> RecordAsync(ScriptedRun run)
    {
        var histories = new List<History>();
        run.AddOrchestrator<LegInput, WorkerOutcome?>(FunctionNames.WorkerOrchestrator, (context, input) =>
            RecordAsync(histories, FunctionNames.WorkerOrchestrator, context, input, WorkerOrchestrator.RunAsync));
        await run.RunAsync<RunSpec, RunOutcome?>(
            (context, input) => RecordAsync(histories, FunctionNames.RunOrchestrator, context, input, RunOrchestrator.RunAsync),
            Spec,
            "test");
        return JsonSerializer.Serialize(histories, Indented) + "\n";
    }

    private static async Task<string> RecordAsync(ScriptedExperiment experiment)
    {
        var histories = new List<History>();
        await experiment.RunAsync<ExperimentTurn, ExperimentOutcome?>(
            (context, input) => RecordAsync(histories, ExperimentFunctionNames.ExperimentOrchestrator, context, input, RunAsync),
            new ExperimentTurn(experiment.Spec),
            ExperimentIds.InstanceId(experiment.Spec.Id!));
        return JsonSerializer.Serialize(histories, Indented) + "\n";
    }

    private static async Task<TResult> RecordAsync<TInput, TResult>(
        List<History> histories, string name, IOrchestrationContext context, TInput input,
        Func<IOrchestrationContext, TInput, Task<TResult>> orchestrator)
    {
        var recording = new Recording(context);
        var history = new History(name, context.InstanceId, context.CurrentUtcDateTime, JsonOf(input), recording.Events);
        histories.Add(history);
        var outcome = await orchestrator(recording, input);
        history.Outcome = JsonOf(outcome);
        history.Next = recording.Next;
        return outcome;
    }

    private static Task<ExperimentOutcome?> RunAsync(IOrchestrationContext context, ExperimentTurn turn) =>
        ExperimentOrchestrator.RunAsync(context, turn, RunPlanner.From(turn.Spec, context.Version));

    private static ExperimentTurn TurnOf(History history, string version) => OrchestrationVersions.IsAtLeast(version, "1.2")
        ? InputOf<ExperimentTurn>(history)
        : new ExperimentTurn(InputOf<ExperimentSpec>(history));

    private static T InputOf<T>(History history) => history.Input.Deserialize<T>(ScaleOutJson.Compact)!;

    private static JsonElement JsonOf<T>(T value) => JsonSerializer.SerializeToElement(value, ScaleOutJson.Compact);

    /// <summary>One orchestration, from its start to its end or to where it continues as new.</summary>
    private sealed record History(string Orchestrator, string InstanceId, DateTime StartedAt, JsonElement Input, List<Event> Events)
    {
        public JsonElement Outcome { get; set; }

        /// <summary>The input that it continues as new with; null if it has ended.</summary>
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public JsonElement? Next { get; set; }
    }

    /// <summary>A call of an orchestrator and its result.</summary>
    private sealed record Event(string Called)
    {
        public JsonElement? Result { get; set; }

        /// <summary>Type and message of an error; null if the call succeeded.</summary>
        public string[]? Failure { get; set; }

        /// <summary>The engine's clock at the end of the call.</summary>
        public DateTime EndedAt { get; set; }
    }

    /// <summary>Writes down what an orchestrator calls.</summary>
    private sealed class Recording(IOrchestrationContext context) : IOrchestrationContext
    {
        public List<Event> Events { get; } = [];
        public JsonElement? Next { get; private set; }

        public string InstanceId => context.InstanceId;
        public string Version => context.Version;
        public DateTime CurrentUtcDateTime => context.CurrentUtcDateTime;

        public Task<T> CallActivityAsync<T>(string name, object? input, ActivityOptions? options = null) =>
            RecordAsync($"activity {name}", () => context.CallActivityAsync<T>(name, input, options));

        public Task<T> CallSubOrchestratorAsync<T>(string name, object? input, string instanceId) =>
            RecordAsync($"child {name} {instanceId}", () => context.CallSubOrchestratorAsync<T>(name, input, instanceId));

        public async Task CreateTimer(TimeSpan delay) => await RecordAsync($"timer {delay}", async () =>
        {
            await context.CreateTimer(delay);
            return true;
        });

        public void SetCustomStatus(object status) => context.SetCustomStatus(status);

        public void ContinueAsNew(object input)
        {
            Next = JsonOf(input);
            context.ContinueAsNew(input);
        }

        public ILogger CreateReplaySafeLogger<T>() => context.CreateReplaySafeLogger<T>();

        private async Task<T> RecordAsync<T>(string called, Func<Task<T>> callAsync)
        {
            var recorded = new Event(called);
            Events.Add(recorded);
            try
            {
                var result = await callAsync();
                recorded.Result = JsonOf(result);
                return result;
            }
            catch (OrchestrationTaskException e)
            {
                recorded.Failure = [e.ErrorType, e.Message];
                throw;
            }
            finally
            {
                recorded.EndedAt = context.CurrentUtcDateTime;
            }
        }
    }

    /// <summary>Gives an orchestrator the results of a history, as long as it makes the calls of the history.</summary>
    private sealed class Replay(History history, string version) : IOrchestrationContext
    {
        private int _next;

        public string InstanceId => history.InstanceId;
        public string Version => version;

        public DateTime CurrentUtcDateTime { get; private set; } = history.StartedAt;

        /// <summary>The input that the orchestrator continues as new with.</summary>
        public JsonElement NextInput { get; private set; }

        public Task<T> CallActivityAsync<T>(string name, object? input, ActivityOptions? options = null) =>
            Next<T>($"activity {name}", name);

        public Task<T> CallSubOrchestratorAsync<T>(string name, object? input, string instanceId) =>
            Next<T>($"child {name} {instanceId}", name);

        public Task CreateTimer(TimeSpan delay) => Next<bool>($"timer {delay}", "timer");

        public void SetCustomStatus(object status)
        {
        }

        public void ContinueAsNew(object input) => NextInput = JsonOf(input);

        public ILogger CreateReplaySafeLogger<T>() => NullLogger.Instance;

        public void AssertAtItsEnd() => Assert.Equal(history.Events.Count, _next);

        private Task<T> Next<T>(string called, string name)
        {
            var recorded = history.Events.ElementAtOrDefault(_next++);
            Assert.Equal(recorded?.Called ?? "nothing more", called);
            CurrentUtcDateTime = DateTime.SpecifyKind(recorded!.EndedAt, DateTimeKind.Utc);
            return recorded.Failure is [var type, var message]
                ? Task.FromException<T>(new OrchestrationTaskException(name, type, message))
                : Task.FromResult(recorded.Result is { } result ? result.Deserialize<T>(ScaleOutJson.Compact)! : default!);
        }
    }
}
