using System.Runtime.InteropServices;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Several operations in one request.</summary>
internal abstract class BatchWork : DocumentWork
{
    private readonly List<DocumentOperation> _operations = [];
    private int _count;

    /// <summary>The operations in their order.</summary>
    public ReadOnlySpan<DocumentOperation> Operations => CollectionsMarshal.AsSpan(_operations)[.._count];

    public override OperationKind Kind => OperationKind.Batch;

    /// <summary>Whether each operation has a result of its own to show.</summary>
    public bool HasOperationResults => Result.Status is ServiceStatus.Ok or ServiceStatus.MultiStatus;

    /// <summary>The next operation to fill.</summary>
    public DocumentOperation Add()
    {
        if (_count == _operations.Count)
            _operations.Add(new DocumentOperation());
        DocumentOperation operation = _operations[_count++];
        operation.Reset();
        return operation;
    }

    /// <summary>Forgets the operations of the last request; their objects are used again.</summary>
    public void Clear() => _count = 0;
}
