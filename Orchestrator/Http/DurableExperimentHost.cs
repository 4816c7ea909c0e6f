using Microsoft.DurableTask;
using Microsoft.DurableTask.Client;
using ScaleOut.Experiments;
using ScaleOut.Http;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Experiments;
using ScaleOut.Storage;

namespace ScaleOut.Orchestrator.Http;

/// <summary>Experiments are orchestrations that have those of their runs as children.</summary>
internal sealed class DurableExperimentHost(DurableTaskClient client, IRunStore store) : IExperimentHost
{
    /// <inheritdoc/>
    public Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var options = new StartOrchestrationOptions(EngineExperiments.InstanceIdOf(spec.Id!));
        return client.ScheduleNewOrchestrationInstanceAsync(ExperimentFunctionNames.ExperimentOrchestrator, spec, options, cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (await FindAsync(id, cancellationToken) is not var (state, status, _))
            return StopAnswer.Unknown;
        if (state is not (EngineState.Pending or EngineState.Running))
            return StopAnswer.Ended;
        await new ExperimentFiles(store, id).RequestStopAsync(cancellationToken);
        if (status?.RunId is { } run)
            await new RunFiles(store, run).RequestStopAsync(cancellationToken);
        return StopAnswer.Stopping;
    }

    /// <inheritdoc/>
    public async Task<HostedExperiment?> ReadStatusAsync(string id, CancellationToken cancellationToken)
    {
        if (await FindAsync(id, cancellationToken) is not var (state, status, failure))
            return null;
        var stopping = state is EngineState.Pending or EngineState.Running && await new ExperimentFiles(store, id).IsStopRequestedAsync(cancellationToken);
        return EngineExperiments.Of(state, status, failure, stopping);
    }

    private async Task<(EngineState State, ExperimentStatus? Status, string? Failure)?> FindAsync(string id, CancellationToken cancellationToken) =>
        await client.GetInstanceAsync(EngineExperiments.InstanceIdOf(id), getInputsAndOutputs: true, cancellationToken) is { } instance
            ? (instance.State(), instance.SerializedCustomStatus is null ? null : instance.ReadCustomStatusAs<ExperimentStatus>(), instance.FailureDetails?.ErrorMessage)
            : null;
}
