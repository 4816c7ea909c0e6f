namespace ScaleOut.Orchestrator;

/// <summary>What Durable Functions knows of a run or an experiment, in the project's own words.</summary>
internal static class EngineInstances
{
    /// <summary>A run's newest orchestration, or null.</summary>
    public static async Task<EngineInstance?> FindInstanceAsync(
        this DurableTaskClient client, IRunStore store, string runId, CancellationToken cancellationToken) =>
        // Without inputs and outputs the custom status would not come either.
        await client.GetInstanceAsync(
            await InstanceIdOfAsync(store, runId, cancellationToken), getInputsAndOutputs: true, cancellationToken) is { } instance
            ? new EngineInstance
            {
                Id = instance.InstanceId,
                State = instance.State(),
                CreatedAt = instance.CreatedAt,
                UpdatedAt = instance.LastUpdatedAt,
                Status = instance.SerializedCustomStatus is null ? null : instance.ReadCustomStatusAs<OrchestrationStatus>(),
                Failure = instance.FailureDetails?.ErrorMessage,
            }
            : null;

    private static async Task<string> InstanceIdOfAsync(IRunStore store, string runId, CancellationToken cancellationToken) =>
        (await new RunFiles(store, runId).ReadResumptionAsync(cancellationToken))?.InstanceId ?? runId;

    /// <summary>The state of an orchestration.</summary>
    public static EngineState State(this OrchestrationMetadata instance) => instance.RuntimeStatus switch
    {
        OrchestrationRuntimeStatus.Pending => EngineState.Pending,
        OrchestrationRuntimeStatus.Completed => EngineState.Completed,
        OrchestrationRuntimeStatus.Failed => EngineState.Failed,
        OrchestrationRuntimeStatus.Terminated => EngineState.Terminated,
        _ => EngineState.Running,
    };
}
