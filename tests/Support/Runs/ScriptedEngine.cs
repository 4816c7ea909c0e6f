namespace ScaleOut.Tests.Support.Runs;

/// <summary>
/// An engine in memory whose activities follow a script. Its clock moves only when an orchestrator waits. An exception of an activity is a
/// failed task, as on any engine; a cancellation goes through.
/// </summary>
internal class ScriptedEngine
{
    private readonly Dictionary<string, Func<object?, object?>> _activities = [];
    private readonly Dictionary<string, Func<object?, string, Task<object?>>> _orchestrators = [];

    public DateTime UtcNow { get; protected set; } = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    public List<TimeSpan> Waits { get; } = [];

    /// <summary>Version that the orchestrations were started with.</summary>
    public string Version { get; init; } = OrchestrationVersions.Current;
    public RecordingLogger Log { get; } = new();

    public List<(string Activity, ActivityOptions? Options)> ActivityCalls { get; } = [];
    public List<object> Continued { get; } = [];

    public void AddActivity<TInput>(string name, Func<TInput, object?> activity) => _activities[name] = input => activity((TInput)input!);

    public void AddOrchestrator<TInput, TResult>(string name, Func<IOrchestrationContext, TInput, Task<TResult>> orchestrator) =>
        _orchestrators[name] = async (input, id) => await RunAsync(orchestrator, (TInput)input!, id);

    /// <summary>Runs an orchestrator to its end, again and again while it continues as new.</summary>
    public async Task<TResult> RunAsync<TInput, TResult>(
        Func<IOrchestrationContext, TInput, Task<TResult>> orchestrator, TInput input, string instanceId)
    {
        while (true)
        {
            var context = new Context(this, instanceId);
            var result = await orchestrator(context, input);
            if (context.Next is null)
                return result;
            Continued.Add(context.Next);
            input = (TInput)context.Next;
        }
    }

    protected virtual void OnStatus(object status)
    {
    }

    /// <summary>Called for every task that an orchestrator awaits; may make it take longer.</summary>
    protected virtual Task<T> LaterAsync<T>(Task<T> task) => task;

    protected virtual void OnWait(TimeSpan delay)
    {
    }

    protected virtual void OnChild(string name, object? input, string instanceId)
    {
    }

    private static async Task<T> CallAsync<T>(string name, Func<Task<object?>> call)
    {
        try
        {
            return (T)(await call())!;
        }
        catch (Exception e) when (e is not (OperationCanceledException or OrchestrationTaskException))
        {
            throw new OrchestrationTaskException(name, e.GetType().FullName!, e.Message, e);
        }
    }

    private sealed class Context(ScriptedEngine engine, string id) : IOrchestrationContext
    {
        public string InstanceId => id;
        public string Version => engine.Version;
        public DateTime CurrentUtcDateTime => engine.UtcNow;

        public object? Next { get; private set; }

        public Task<T> CallActivityAsync<T>(string name, object? input, ActivityOptions? options = null)
        {
            engine.ActivityCalls.Add((name, options));
            return engine.LaterAsync(CallAsync<T>(name, () => Task.FromResult(engine._activities[name](input))));
        }

        public Task<T> CallSubOrchestratorAsync<T>(string name, object? input, string instanceId)
        {
            engine.OnChild(name, input, instanceId);
            return CallAsync<T>(name, () => engine._orchestrators[name](input, instanceId));
        }

        public Task CreateTimer(TimeSpan delay)
        {
            engine.Waits.Add(delay);
            engine.UtcNow += delay;
            engine.OnWait(delay);
            return engine.LaterAsync(Task.FromResult(true));
        }

        public void SetCustomStatus(object status) => engine.OnStatus(status);

        public void ContinueAsNew(object input) => Next = input;

        public ILogger CreateReplaySafeLogger<T>() => engine.Log;
    }
}
