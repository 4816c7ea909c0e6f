using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>
/// One wire request's worth of document operations: a single one, a batch, or a query page. A front end prepares it, hands it to the
/// <see cref="OperationPipeline"/> and writes what came of it; that is all a front end has to do with documents.
/// </summary>
internal abstract class DocumentWork
{
    /// <summary>The container; set before preparing.</summary>
    public ContainerResource Container { get; set; } = null!;

    public abstract OperationKind Kind { get; }

    public abstract bool IsWrite { get; }

    /// <summary>Ordinal of the physical partition it goes to; null for several or none.</summary>
    public abstract int? Partition { get; }

    /// <summary>The answer as a whole.</summary>
    public abstract OperationResult Result { get; }

    /// <summary>Does it under the partition's lock and budget, and records it.</summary>
    public abstract void Execute(long nowTicks);

    /// <summary>
    /// Called when a partition turned the work away because of a split: whether it may be executed again, on the partition that has the key now or on the
    /// same one once it has completed the split. False when the client has to ask for the ranges first.
    /// </summary>
    public abstract bool TryRoute();

    /// <summary>Answers with a fault's status.</summary>
    /// <param name="status">Null for a connection that is closed instead of answering.</param>
    /// <param name="subStatus">0 for none.</param>
    /// <param name="executed">Whether the operations were done all the same.</param>
    /// <param name="nowTicks">Time of the account's clock.</param>
    public abstract void Fail(int? status, int subStatus, bool executed, long nowTicks);
}
