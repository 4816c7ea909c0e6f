using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask.Entities;
using ScaleOut.Progress;

namespace ScaleOut.Orchestrator.Progress;

/// <summary>What up to 50 workers of a run have told, kept by the engine.</summary>
public sealed class RunProgressEntity : TaskEntity<RunProgress>
{
    /// <summary>Its name; histories hold it.</summary>
    public const string Name = "RunProgress";

    /// <summary>The entity of one fold of a run.</summary>
    public static EntityInstanceId IdOf(string runId, int fold) => new(Name, FormattableString.Invariant($"{runId}.{fold}"));

    /// <summary>Receives what is sent to entities of this kind.</summary>
    [Function(Name)]
    public static Task DispatchAsync([EntityTrigger(EntityName = Name)] TaskEntityDispatcher dispatcher) => dispatcher.DispatchAsync<RunProgressEntity>();

    /// <summary>Takes a message.</summary>
    public void Fold(WorkerProgress message) => State = State.Fold(message);

    /// <inheritdoc/>
    protected override RunProgress InitializeState(TaskEntityOperation entityOperation) => new();
}
