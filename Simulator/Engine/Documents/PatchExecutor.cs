using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Patches;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>
/// Turns a patch of a stored document into the facts of the document that replaces it. The caller holds the partition's lock.
/// </summary>
internal static class PatchExecutor
{
    /// <summary>False with what is wrong, not charged yet; the document stays as it is.</summary>
    public static bool TryPatch(
        ContainerResource container, PhysicalPartition partition, DocumentOperation operation, long address, out OperationResult error)
    {
        PatchSpecification patch = operation.Patch!;
        error = default;
        ReadOnlySpan<byte> body = partition.Store.Body(address);
        if (!patch.Holds(body))
            return Stop(ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage, out error);
        if (DocumentPatcher.Apply(patch, body, out string? reason) is not { } changed)
            return Stop(ServiceStatus.BadRequest, reason!, out error);
        if (changed.Length > StorageLimits.MostBytesOfDocument)
            return Stop(ServiceStatus.TooLarge, StorageLimits.DocumentIsTooLarge, out error);
        DocumentFacts facts = default;
        if (container.Inspector.TryInspect(changed, ref facts, out reason))
            reason = container.Settings.CheckTtl(changed.Span);
        if (reason is not null)
            return Stop(ServiceStatus.BadRequest, reason, out error);
        if (facts.Key != operation.Key)
        {
            return Stop(
                ServiceStatus.BadRequest,
                $"A patch cannot change the document's id or its partition key {container.Settings.PartitionKeyPath}.", out error);
        }

        operation.Facts = facts;
        return true;
    }

    private static bool Stop(int status, string message, out OperationResult error)
    {
        error = OperationResult.Fail(status, message);
        return false;
    }
}
