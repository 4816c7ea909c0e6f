namespace ScaleOut.Orchestrator;

/// <summary>Translates what Durable Functions knows of an orchestration into the project's types.</summary>
internal static class EngineInstances
{
    /// <summary>A run's newest orchestration; null if the engine does not know it.</summary>
    public static async Task<EngineInstance?> FindInstanceAsync(
        this DurableTaskClient client, IRunStore store, string runId, CancellationToken cancellationToken) =>
        // The custom status is only returned together with inputs and outputs.
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

    public static EngineState State(this OrchestrationMetadata instance) => instance.RuntimeStatus switch
    {
        OrchestrationRuntimeStatus.Pending => EngineState.Pending,
        OrchestrationRuntimeStatus.Completed => EngineState.Completed,
        OrchestrationRuntimeStatus.Failed => EngineState.Failed,
        OrchestrationRuntimeStatus.Terminated => EngineState.Terminated,
        _ => EngineState.Running,
    };
}
