namespace ScaleOut.DevBox.Orchestration;

/// <summary>
/// Runs activities and orchestrators by their names within this process. The engine keeps no history: an orchestration that is run again
/// after a crash relies on the items that its activities stored. The engine does not retry, because a user sees an error at once and can
/// resume.
/// </summary>
/// <param name="time">The wall clock, read once; null for the system's.</param>
internal sealed class LocalEngine(ILogger logger, TimeProvider? time = null)
{
    private readonly Dictionary<string, Func<object?, Task<object?>>> _activities = [];
    private readonly Dictionary<string, Func<LocalOrchestrationContext, object?, Task<object?>>> _orchestrators = [];

    /// <summary>Waits for a timer of an orchestrator. The wait may end early if there is nothing to wait for any more.</summary>
    public Func<TimeSpan, Task> DelayAsync { get; init; } = Task.Delay;

    /// <summary>Receives what orchestrators publish as their status.</summary>
    public Action<object> OnStatus { get; init; } = _ => { };

    public ILogger Logger => logger;

    /// <summary>The clock of all orchestrations; an adjustment of the wall clock does not change their order.</summary>
    public AnchoredClock Clock { get; } = new(time ?? TimeProvider.System);

    public void AddActivity<TInput, TResult>(string name, Func<TInput, Task<TResult>> activity) =>
        _activities.Add(name, async input => await activity((TInput)input!));

    /// <summary>Registers an orchestrator. A result of null means that it continues as new.</summary>
    public void AddOrchestrator<TInput, TResult>(string name, Func<IOrchestrationContext, TInput, Task<TResult?>> orchestrator)
        where TResult : class =>
        _orchestrators.Add(name, async (context, input) => await orchestrator(context, (TInput)input!));

    /// <summary>Runs an orchestration to its end.</summary>
    /// <exception cref="Exception">The exception of the activity that failed.</exception>
    public async Task<T> RunAsync<T>(string name, object input, string instanceId)
    {
        try
        {
            return (T)(await RunOrchestratorAsync(name, input, instanceId))!;
        }
        catch (OrchestrationTaskException e) when (e.InnerException is { } cause)
        {
            ExceptionDispatchInfo.Throw(cause);
            throw;
        }
    }

    internal Task<object?> RunActivityAsync(string name, object? input) => CallAsync(name, () => _activities[name](input));

    internal Task<object?> RunChildAsync(string name, object? input, string instanceId) =>
        CallAsync(name, () => RunOrchestratorAsync(name, input, instanceId));

    private static async Task<object?> CallAsync(string name, Func<Task<object?>> callAsync)
    {
        try
        {
            return await callAsync();
        }
        catch (Exception e) when (e is not (OperationCanceledException or OrchestrationTaskException))
        {
            throw new OrchestrationTaskException(name, e.GetType().FullName!, e.Message, e);
        }
    }

    private async Task<object?> RunOrchestratorAsync(string name, object? input, string instanceId)
    {
        while (true)
        {
            var context = new LocalOrchestrationContext(this, instanceId);
            var result = await _orchestrators[name](context, input);
            if (context.NextInput is not { } next)
                return result;
            input = next;
        }
    }
}

/// <summary>An orchestration on the engine of one machine.</summary>
internal sealed class LocalOrchestrationContext(LocalEngine engine, string instanceId) : IOrchestrationContext
{
    public string InstanceId => instanceId;

    public string Version => "";

    public DateTime CurrentUtcDateTime => engine.Clock.UtcNow.UtcDateTime;

    /// <summary>Input to start the orchestrator again with; null if it has ended.</summary>
    public object? NextInput { get; private set; }

    public async Task<T> CallActivityAsync<T>(string name, object? input, ActivityOptions? options = null) =>
        (T)(await engine.RunActivityAsync(name, input))!;

    public async Task<T> CallSubOrchestratorAsync<T>(string name, object? input, string instanceId) =>
        (T)(await engine.RunChildAsync(name, input, instanceId))!;

    public Task CreateTimer(TimeSpan delay) => engine.DelayAsync(delay);

    public void SetCustomStatus(object status) => engine.OnStatus(status);

    public void ContinueAsNew(object input) => NextInput = input;

    public ILogger CreateReplaySafeLogger<T>() => engine.Logger;
}
