using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>What a transaction has changed in one partition, so that it can be taken back.</summary>
internal sealed class UndoLog
{
    private readonly List<(DocumentOperationKind Kind, DocumentKey Key, DocumentRecord Old, byte[]? Body)> _steps = [];

    /// <summary>A document that was not there before.</summary>
    public void Added(DocumentOperationKind kind, DocumentKey key) => _steps.Add((kind, key, default, null));

    /// <summary>A document that is about to be replaced or deleted.</summary>
    public void Changing(DocumentOperationKind kind, in DocumentRecord record, ReadOnlySpan<byte> body) => _steps.Add((kind, record.Key, record, body.ToArray()));

    /// <summary>Takes everything back, the last step first, in the books too.</summary>
    public void RollBack(PhysicalPartition partition)
    {
        for (int i = _steps.Count - 1; i >= 0; i--)
        {
            (DocumentOperationKind kind, DocumentKey key, DocumentRecord old, byte[]? body) = _steps[i];
            if (body is null)
            {
                partition.Store.Remove(partition.Store.Find(key));
                if (kind == DocumentOperationKind.Create)
                    partition.Ledger.Created--;
                else
                    partition.Ledger.UpsertedNew--;
            }
            else if (kind == DocumentOperationKind.Delete)
            {
                partition.Store.Add(old, body);
                partition.Ledger.Deleted--;
            }
            else
            {
                partition.Store.Replace(partition.Store.Find(key), old, body);
                partition.Ledger.Replaced--;
            }
        }
    }
}
