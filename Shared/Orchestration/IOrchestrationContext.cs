namespace ScaleOut.Orchestration;

/// <summary>
/// The part of Durable's <c>TaskOrchestrationContext</c> that both engines have, with the same names and meaning. An orchestrator may await
/// only the tasks of this context, so that a durable engine can replay it.
/// </summary>
public interface IOrchestrationContext
{
    /// <summary>Id of this orchestration (<see cref="ChildIds"/>).</summary>
    string InstanceId { get; }

    /// <summary>
    /// Version of the app that started this orchestration (<see cref="OrchestrationVersions"/>); empty if the engine keeps no history.
    /// </summary>
    string Version { get; }

    /// <summary>The engine's clock, UTC; the same at a replay.</summary>
    DateTime CurrentUtcDateTime { get; }

    /// <summary>Runs an activity. An activity may run more than once, and then has to return the same result.</summary>
    /// <exception cref="OrchestrationTaskException">The activity failed, after all retries.</exception>
    Task<T> CallActivityAsync<T>(string name, object? input, ActivityOptions? options = null);

    /// <summary>Runs another orchestrator as a child of this one.</summary>
    /// <exception cref="OrchestrationTaskException">The child failed.</exception>
    Task<T> CallSubOrchestratorAsync<T>(string name, object? input, string instanceId);

    Task CreateTimer(TimeSpan delay);

    /// <summary>Publishes the status of the orchestration, at most 16 KB as JSON.</summary>
    void SetCustomStatus(object status);

    /// <summary>
    /// Starts this orchestration again with another input and an empty history, once it has returned. Its result is dropped.
    /// </summary>
    void ContinueAsNew(object input);

    /// <summary>A logger that is silent while the engine replays.</summary>
    ILogger CreateReplaySafeLogger<T>();
}
