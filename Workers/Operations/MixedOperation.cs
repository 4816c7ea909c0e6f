namespace ScaleOut.Workers.Operations;

/// <summary>An operation of a mix: what is done with a document follows from its number.</summary>
internal sealed class MixedOperation : IWorkloadOperation
{
    private readonly MixPattern _pattern;
    private readonly Dictionary<WorkloadKind, IWorkloadOperation> _operations;
    private IWorkloadOperation _current;

    /// <param name="create">Makes the operation of a kind, once for each kind that occurs.</param>
    public MixedOperation(MixSpec mix, Func<WorkloadKind, IWorkloadOperation> create)
    {
        _pattern = MixPattern.For(mix);
        _operations = mix.Weights.ToDictionary(one => one.Kind, one => create(one.Kind));
        _current = _operations.Values.First();
    }

    public int Part { get; private set; }

    public int Partition => _current.Partition;

    public int? PartDocuments => _current.PartDocuments;

    public int PartBytes => _current.PartBytes;

    public bool NextPart() => _current.NextPart();

    public void Prepare(long first, int count)
    {
        var kind = _pattern.KindOf(first);
        (Part, _current) = ((int)kind, _operations[kind]);
        _current.Prepare(first, count);
    }

    public Task SendAsync() => _current.SendAsync();

    public AttemptResponse Read() => _current.Read();

    public void Dispose()
    {
        foreach (var operation in _operations.Values)
            operation.Dispose();
    }
}
