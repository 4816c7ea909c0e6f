namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>An orchestration on Durable Functions. Every call is replayed from the history.</summary>
internal sealed class DurableOrchestrationContext(TaskOrchestrationContext context) : IOrchestrationContext
{
    public string InstanceId => context.InstanceId;

    public DateTime CurrentUtcDateTime => context.CurrentUtcDateTime;

    public Task<T> CallActivityAsync<T>(string name, object? input, ActivityOptions? options = null) =>
        CallAsync(() => context.CallActivityAsync<T>(name, input, options is { MaxAttempts: > 1 } ? WithRetries(options) : null));

    public Task<T> CallSubOrchestratorAsync<T>(string name, object? input, string instanceId) =>
        CallAsync(() => context.CallSubOrchestratorAsync<T>(name, input, new SubOrchestrationOptions(instanceId: instanceId)));

    public Task CreateTimer(TimeSpan delay) => context.CreateTimer(delay, CancellationToken.None);

    public void SetCustomStatus(object status) => context.SetCustomStatus(status);

    public void ContinueAsNew(object input) => context.ContinueAsNew(input);

    public ILogger CreateReplaySafeLogger<T>() => context.CreateReplaySafeLogger<T>();

    private static async Task<T> CallAsync<T>(Func<Task<T>> callAsync)
    {
        try
        {
            return await callAsync();
        }
        catch (TaskFailedException e)
        {
            // A child that was terminated by hand has no details.
            TaskFailureDetails? details = e.FailureDetails;
            throw new OrchestrationTaskException(
                e.TaskName, details?.ErrorType ?? nameof(TaskFailedException), details?.ErrorMessage ?? e.Message, e);
        }
    }

    private static TaskOptions WithRetries(ActivityOptions options) => new(
        new RetryPolicy(options.MaxAttempts, options.FirstRetryInterval, options.BackoffCoefficient, options.MaxRetryInterval)
        {
            HandleFailure = failure => !OrchestrationTaskException.IsDeterministic(failure.ErrorType),
        });
}
