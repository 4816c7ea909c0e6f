using Microsoft.DurableTask;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>The durable engine: activities with retries, and a sub-orchestration for each group and worker. Every call is replayed from the history.</summary>
internal sealed class DurableRunPort(TaskOrchestrationContext context) : IRunPort
{
    /// <inheritdoc/>
    public string RunInstanceId => ChildIds.Root(context.InstanceId);

    /// <inheritdoc/>
    public DateTimeOffset UtcNow => new(DateTime.SpecifyKind(context.CurrentUtcDateTime, DateTimeKind.Utc));

    /// <inheritdoc/>
    public async Task<Preparation> PrepareContainerAsync(RunSpec spec)
    {
        try
        {
            return await context.CallActivityAsync<Preparation>(FunctionNames.PrepareContainer, spec, RetryPolicies.Preparation);
        }
        catch (TaskFailedException e)
        {
            // So that there is a report, and an alert, of a run that could not begin.
            return new Preparation { Refusals = [ReasonOf(e)] };
        }
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(WorkerGroup group) =>
        await ChildAsync<WorkerOutcome[]>(FunctionNames.GroupOrchestrator, group, ChildIds.Group(RunInstanceId, group.First));

    /// <inheritdoc/>
    public Task<WorkerOutcome> RunWorkerAsync(WorkerState worker) =>
        ChildAsync<WorkerOutcome>(FunctionNames.WorkerOrchestrator, worker, ChildIds.Worker(RunInstanceId, worker.Assignment.Worker));

    /// <inheritdoc/>
    public async Task<LegOutput> RunLegAsync(LegInput leg)
    {
        try
        {
            return await context.CallActivityAsync<LegOutput>(FunctionNames.RunLeg, leg, RetryPolicies.Leg);
        }
        catch (TaskFailedException e)
        {
            throw new LegLostException(ReasonOf(e), e);
        }
    }

    /// <inheritdoc/>
    public async Task<Verification> VerifyAsync(PreparedContainer container)
    {
        try
        {
            return await context.CallActivityAsync<Verification>(FunctionNames.VerifyContainer, container, RetryPolicies.Conclusion);
        }
        catch (TaskFailedException e)
        {
            return new Verification(Verified: null, ReasonOf(e));
        }
    }

    /// <inheritdoc/>
    public Task<RunOutcome> SaveReportAsync(RunEnding ending) =>
        context.CallActivityAsync<RunOutcome>(FunctionNames.SaveReport, PayloadLimits.Fit(ending), RetryPolicies.Conclusion);

    /// <inheritdoc/>
    public async Task CleanUpAsync(PreparedContainer container)
    {
        try
        {
            await context.CallActivityAsync(FunctionNames.CleanUp, container, RetryPolicies.Conclusion);
        }
        catch (TaskFailedException e)
        {
            throw new InvalidOperationException(ReasonOf(e), e);
        }
    }

    /// <inheritdoc/>
    public Task DelayAsync(TimeSpan delay) =>
        // A timer that fires at once would still take two events of the history.
        delay > TimeSpan.Zero ? context.CreateTimer(delay, CancellationToken.None) : Task.CompletedTask;

    /// <inheritdoc/>
    public void PublishStatus(RunStatus status) => context.SetCustomStatus(PayloadLimits.Fit(status));

    private async Task<T> ChildAsync<T>(string name, object input, string instanceId)
    {
        try
        {
            return await context.CallSubOrchestratorAsync<T>(name, input, new SubOrchestrationOptions(instanceId: instanceId));
        }
        catch (TaskFailedException e)
        {
            throw new InvalidOperationException(ReasonOf(e), e);
        }
    }

    /// <summary>What went wrong, without the engine's words around it.</summary>
    private static string ReasonOf(TaskFailedException e) => e.FailureDetails.ErrorMessage;
}
