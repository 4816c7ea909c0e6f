using Microsoft.DurableTask;
using ScaleOut.Experiments;
using ScaleOut.Http;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Orchestrations;

namespace ScaleOut.Orchestrator.Experiments;

/// <summary>The durable engine: each run of an experiment is a sub-orchestration whose instance id is the run's, as of any other run, or one of its own when the run is measured anew.</summary>
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
        var attempt = EngineExperiments.AttemptOf(context.InstanceId);
        var claim = attempt == 1
            ? await context.CallActivityAsync<ExperimentRunClaim>(ExperimentFunctionNames.ClaimExperimentRun, run.Spec, RetryPolicies.Preparation)
            : await context.CallActivityAsync<ExperimentRunClaim>(ExperimentFunctionNames.TakeUpExperimentRun, new ExperimentRunAgain(run.Spec, experimentId, attempt), RetryPolicies.Preparation);
        if (claim.IsInUse)
            throw new RunIdInUseException(run.Spec.Id!);
        if (claim.Measured is { } measured)
            return measured;
        try
        {
            return await context.CallSubOrchestratorAsync<RunOutcome>(FunctionNames.RunOrchestrator, run.Spec, new SubOrchestrationOptions(instanceId: claim.InstanceId ?? run.Spec.Id));
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
