using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>What a transaction has changed in one partition, so that it can be taken back.</summary>
internal sealed class UndoLog
{
    private readonly List<(OperationKind Kind, DocumentKey Key, DocumentRecord Old, byte[]? Body)> _steps = [];

    /// <summary>A document that was not there before.</summary>
    public void Added(OperationKind kind, DocumentKey key) => _steps.Add((kind, key, default, null));

    /// <summary>A document that is about to be replaced or deleted.</summary>
    public void Changing(OperationKind kind, in DocumentRecord record, ReadOnlySpan<byte> body) => _steps.Add((kind, record.Key, record, body.ToArray()));

    /// <summary>Takes everything back, the last step first, in the ledger too.</summary>
    public void RollBack(PhysicalPartition partition)
    {
        for (int i = _steps.Count - 1; i >= 0; i--)
        {
            (OperationKind kind, DocumentKey key, DocumentRecord old, byte[]? body) = _steps[i];
            if (body is null)
            {
                partition.Store.Remove(partition.Store.Find(key));
                if (kind == OperationKind.Create)
                    partition.Counter.Created--;
                else
                    partition.Counter.UpsertedNew--;
            }
            else if (kind == OperationKind.Delete)
            {
                partition.Store.Add(old, body);
                partition.Counter.Deleted--;
            }
            else
            {
                partition.Store.Replace(partition.Store.Find(key), old, body);
                partition.Counter.Replaced--;
            }
        }
    }
}
