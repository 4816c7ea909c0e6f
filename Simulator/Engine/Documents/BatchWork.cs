namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Several operations in one request.</summary>
internal abstract class BatchWork : DocumentWork
{
    /// <summary>Documents that one response returns, as a page does.</summary>
    private const int MostResponseBytes = 4 * 1024 * 1024;

    private readonly List<DocumentOperation> _operations = [];
    private int _count;

    /// <summary>The operations in their order.</summary>
    public ReadOnlySpan<DocumentOperation> Operations => CollectionsMarshal.AsSpan(_operations)[.._count];

    public override OperationKind Kind => OperationKind.Batch;

    /// <summary>Whether each operation has a result of its own to show.</summary>
    public bool HasOperationResults => Result.Status is ServiceStatus.Ok or ServiceStatus.MultiStatus;

    protected override int ServedOperations
    {
        get
        {
            int served = 0;
            foreach (DocumentOperation operation in Result.IsThrottled ? [] : Operations)
                served += operation.Result.IsThrottled ? 0 : 1;
            return served;
        }
    }

    protected override long ServedBytes
    {
        get
        {
            long bytes = 0;
            foreach (DocumentOperation operation in Operations)
                bytes += operation.Kind == OperationKind.Read ? operation.Output.Length : operation.Body.Length;
            return bytes;
        }
    }

    /// <summary>Whether the operation went well, or found what the client has already.</summary>
    protected static bool IsGood(in OperationResult result) => result.IsSuccess || result.Status == ServiceStatus.NotModified;

    /// <summary>Whether documents of so many bytes do not fit into the response.</summary>
    protected static bool IsTooLarge(int bytes) => bytes > MostResponseBytes;

    /// <summary>Turns an operation into one that failed because its document does not fit into the response. It stays charged.</summary>
    protected static void FailAsTooLarge(DocumentOperation operation)
    {
        operation.Output = default;
        operation.Result = OperationResult.Fail(
            ServiceStatus.TooLarge, "Response size is too large: a batch may return 4 MB.", ServiceStatus.BatchResponseTooLarge) with
        {
            Charge = operation.Result.Charge,
            Lsn = operation.Result.Lsn,
        };
    }

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
