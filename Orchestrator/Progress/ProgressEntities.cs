using Microsoft.DurableTask.Client;
using ScaleOut.Progress;
using ScaleOut.Specs;

namespace ScaleOut.Orchestrator.Progress;

/// <summary>A run's progress entities, as clients of the engine use them.</summary>
internal static class ProgressEntities
{
    /// <summary>The engine's own operation that takes an entity's state away.</summary>
    private const string Delete = "delete";

    /// <summary>
    /// Sends a message to its fold, without its partitions: they are of the leg in hand alone, so that no status shows them, and those of 50 workers would come near
    /// what an entity may hold.
    /// </summary>
    public static Task FoldProgressAsync(this DurableTaskClient client, WorkerProgress progress, CancellationToken cancellationToken) => client.Entities.SignalEntityAsync(
        RunProgressEntity.IdOf(progress.RunId, RunProgress.FoldOf(progress.Worker)),
        nameof(RunProgressEntity.Fold),
        progress with { Partitions = [] },
        cancellation: cancellationToken);

    /// <summary>What a run's workers have told so far.</summary>
    public static async Task<IReadOnlyList<RunProgress>> ReadProgressAsync(this DurableTaskClient client, RunSpec spec, CancellationToken cancellationToken)
    {
        var folds = await Task.WhenAll(Enumerable.Range(0, RunProgress.FoldsOf(spec.Workers))
            .Select(fold => client.Entities.GetEntityAsync<RunProgress>(RunProgressEntity.IdOf(spec.Id!, fold), cancellation: cancellationToken)));
        return [.. folds.Where(fold => fold is { IncludesState: true }).Select(fold => fold!.State)];
    }

    /// <summary>Forgets a run's progress, once its report says more.</summary>
    public static Task DeleteProgressAsync(this DurableTaskClient client, RunSpec spec, CancellationToken cancellationToken) => Task.WhenAll(
        Enumerable.Range(0, RunProgress.FoldsOf(spec.Workers))
            .Select(fold => client.Entities.SignalEntityAsync(RunProgressEntity.IdOf(spec.Id!, fold), Delete, cancellation: cancellationToken)));
}
