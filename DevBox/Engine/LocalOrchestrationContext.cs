namespace ScaleOut.DevBox.Engine;

/// <summary>An orchestration on the engine of one machine.</summary>
internal sealed class LocalOrchestrationContext(LocalEngine engine, string instanceId) : IOrchestrationContext
{
    public string InstanceId => instanceId;

    public string Version => "";

    public DateTime CurrentUtcDateTime => engine.Clock.UtcNow.UtcDateTime;

    /// <summary>Input to start again with; null when the orchestrator has ended.</summary>
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
