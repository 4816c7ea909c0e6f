namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>An orchestration on Durable Functions. Every call is replayed from the history.</summary>
internal sealed class DurableOrchestrationContext(TaskOrchestrationContext context) : IOrchestrationContext
{
    /// <summary>
    /// Maximum number of calls with the full input. A further call is needed only if the previous call did not store the input. The
    /// orchestration's history contains the input of every call.
    /// </summary>
    private const int MaxSends = 3;

    /// <summary>Type of the exception in which the Functions host wraps what ended the call of a function.</summary>
    private const string HostFailure = "Microsoft.Azure.WebJobs.Host.FunctionInvocationException";

    public string InstanceId => context.InstanceId;

    // The version is null if the host does not set one.
    public string Version => context.Version ?? "";

    public DateTime CurrentUtcDateTime => context.CurrentUtcDateTime;

    public Task<T> CallActivityAsync<T>(string name, object? input, ActivityOptions? options = null) =>
        CallAsync(() => options is { MaxAttempts: > 1, Retry: { } retry } && OrchestrationVersions.IsAtLeast(Version, "1.1")
            ? CallWithRetryAsync<T>(name, input, options, retry)
            : context.CallActivityAsync<T>(name, input, options is { MaxAttempts: > 1 } ? WithRetries(options, FirstFailure) : null));

    public Task<T> CallSubOrchestratorAsync<T>(string name, object? input, string instanceId) =>
        CallAsync(() => context.CallSubOrchestratorAsync<T>(name, input, new SubOrchestrationOptions(instanceId: instanceId)));

    public Task CreateTimer(TimeSpan delay) => context.CreateTimer(delay, CancellationToken.None);

    public void SetCustomStatus(object status) => context.SetCustomStatus(status);

    public void ContinueAsNew(object input) => context.ContinueAsNew(input);

    public ILogger CreateReplaySafeLogger<T>() => context.CreateReplaySafeLogger<T>();

    /// <summary>How many failures the first one counts as having before it. Before version 1.2, no SDK's error was tried again.</summary>
    private int FirstFailure => OrchestrationVersions.IsAtLeast(Version, "1.2") ? 0 : 1;

    private async Task<T> CallWithRetryAsync<T>(string name, object? input, ActivityOptions options, ActivityRetry retry)
    {
        for (var sent = 1; ; sent++)
        {
            try
            {
                return await context.CallActivityAsync<T>(name, input);
            }
            catch (TaskFailedException e) when (!OrchestrationTaskException.IsDeterministic(TypeOf(e), FirstFailure))
            {
                // The orchestration's history has the error. The activity is called again with the input of the retry.
                await context.CreateTimer(options.FirstRetryInterval, CancellationToken.None);
            }

            try
            {
                return await context.CallActivityAsync<T>(retry.Name, retry.Input, WithRetries(options, failures: 1));
            }
            catch (TaskFailedException e) when (TypeOf(e) == typeof(InputNotKeptException).FullName && sent < MaxSends)
            {
                // The input was not kept, so it is sent again.
            }
        }
    }

    private static async Task<T> CallAsync<T>(Func<Task<T>> callAsync)
    {
        try
        {
            return await callAsync();
        }
        catch (TaskFailedException e)
        {
            throw new OrchestrationTaskException(e.TaskName, TypeOf(e), MessageOf(e), e);
        }
    }

    /// <summary>
    /// The message of a failure. If the worker's process has ended, the failure is the host's own: it names the function, and its inner
    /// failure says why.
    /// </summary>
    private static string MessageOf(TaskFailedException e)
    {
        var details = (TaskFailureDetails?)e.FailureDetails;
        while (details is { ErrorType: HostFailure, InnerFailure: { } inner })
            details = inner;
        return details?.ErrorMessage ?? e.Message;
    }

    /// <summary>A child that was terminated by hand has no details.</summary>
    private static string TypeOf(TaskFailedException e) =>
        (TaskFailureDetails?)e.FailureDetails is { } details ? TypeOf(details) : nameof(TaskFailedException);

    /// <summary>
    /// The type of a failure. The durable extension wraps the error of an input that cannot be read in an
    /// <see cref="InvalidOperationException"/>, which by itself may be transient.
    /// </summary>
    private static string TypeOf(TaskFailureDetails details) =>
        details.ErrorType == typeof(InvalidOperationException).FullName && details.InnerFailure is { } inner
            && OrchestrationTaskException.IsDeterministic(inner.ErrorType)
                ? inner.ErrorType
                : details.ErrorType;

    /// <param name="failures">Failures so far. A replay makes the same calls from the beginning, and counts the same.</param>
    private static TaskOptions WithRetries(ActivityOptions options, int failures) => new(
        new RetryPolicy(options.MaxAttempts, options.FirstRetryInterval, options.BackoffCoefficient, options.MaxRetryInterval)
        {
            HandleFailure = failure => !OrchestrationTaskException.IsDeterministic(TypeOf(failure), failures++),
        });
}
