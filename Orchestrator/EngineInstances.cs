using System.Text.Json;
using DurableTask.Core.Exceptions;

namespace ScaleOut.Orchestrator;

/// <summary>Converts the metadata of orchestrations from Durable Functions to the project's types.</summary>
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
                Status = StatusOf(instance),
                // The output of one that failed may be a text.
                Outcome = instance is { RuntimeStatus: OrchestrationRuntimeStatus.Completed, SerializedOutput: not null }
                    ? instance.ReadOutputAs<RunOutcome>()
                    : null,
                Failure = instance.FailureDetails?.ErrorMessage,
            }
            : null;

    /// <summary>
    /// Schedules the orchestration of a claimed attempt. If scheduling fails, the claim is withdrawn, so that the next request can claim
    /// the attempt and schedule the same instance. The instance starts only once, even if the failed call did schedule it.
    /// </summary>
    /// <param name="withdrawAsync">Withdraws the claim.</param>
    public static async Task ScheduleAttemptAsync(
        this DurableTaskClient client, TaskName orchestrator, object spec, StartOrchestrationOptions options, Func<Task> withdrawAsync,
        CancellationToken cancellationToken)
    {
        var once = options.WithDedupeStatuses(
            OrchestrationRuntimeStatus.Pending, OrchestrationRuntimeStatus.Running, OrchestrationRuntimeStatus.Suspended);
        try
        {
            await client.ScheduleNewOrchestrationInstanceAsync(orchestrator, spec, once, cancellationToken);
        }
        catch (OrchestrationAlreadyExistsException)
        {
            // An earlier call whose response was lost has scheduled it.
        }
        catch
        {
            await withdrawAsync();
            throw;
        }
    }

    /// <summary>Options of an orchestration with the job's id as a tag, by which the engine's dashboard finds it.</summary>
    /// <param name="tag">Name of the tag.</param>
    public static StartOrchestrationOptions OptionsOf(string instanceId, string tag, string id) =>
        new(instanceId) { Tags = new Dictionary<string, string> { [tag] = id } };

    internal static RunStatus? StatusOf(OrchestrationMetadata instance)
    {
        try
        {
            return instance.SerializedCustomStatus is null ? null : instance.ReadCustomStatusAs<RunStatus>();
        }
        catch (JsonException)
        {
            // An earlier version of the app published it. The present one publishes the next at the latest when a group has ended.
            return null;
        }
    }

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
