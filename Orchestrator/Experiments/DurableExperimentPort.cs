using Microsoft.DurableTask;
using ScaleOut.Experiments;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Orchestrations;

namespace ScaleOut.Orchestrator.Experiments;

/// <summary>The durable engine: each run of an experiment is a sub-orchestration whose instance id is the run's, as of any other run.</summary>
internal sealed class DurableExperimentPort(TaskOrchestrationContext context, string experimentId) : IExperimentPort
{
    /// <inheritdoc/>
    public DateTimeOffset UtcNow => new(DateTime.SpecifyKind(context.CurrentUtcDateTime, DateTimeKind.Utc));

    /// <inheritdoc/>
    public string? WhyNotTestable(ExperimentRun run) => InstanceLimits.WhyNotTestable(run.Spec);

    /// <inheritdoc/>
    public Task<bool> IsStopRequestedAsync() =>
        context.CallActivityAsync<bool>(ExperimentFunctionNames.IsExperimentStopRequested, experimentId, RetryPolicies.Conclusion);

    /// <inheritdoc/>
    public async Task<RunOutcome> RunAsync(ExperimentRun run)
    {
        var claim = await context.CallActivityAsync<ExperimentRunClaim>(ExperimentFunctionNames.ClaimExperimentRun, run.Spec, RetryPolicies.Preparation);
        if (claim.IsInUse)
            throw new RunIdInUseException(run.Spec.Id!);
        if (claim.Measured is { } measured)
            return measured;
        try
        {
            return await context.CallSubOrchestratorAsync<RunOutcome>(FunctionNames.RunOrchestrator, run.Spec, new SubOrchestrationOptions(instanceId: run.Spec.Id));
        }
        catch (TaskFailedException e)
        {
            throw new InvalidOperationException(e.FailureDetails.ErrorMessage, e);
        }
    }

    /// <inheritdoc/>
    public Task DelayAsync(TimeSpan delay) => context.CreateTimer(delay, CancellationToken.None);

    /// <inheritdoc/>
    public Task<ExperimentOutcome> SaveReportAsync(ExperimentEnding ending) =>
        context.CallActivityAsync<ExperimentOutcome>(ExperimentFunctionNames.SaveExperimentReport, ending, RetryPolicies.Conclusion);

    /// <inheritdoc/>
    public void PublishStatus(ExperimentStatus status) => context.SetCustomStatus(status);
}
