namespace ScaleOut.Workers.Operations;

/// <summary>
/// A user action: operations one after the other, each of which is a part. A step that fails ends it. The steps that address a document
/// address the same one. Each insert or upsert writes a document of its own, so that an action that is done again writes the same.
/// </summary>
internal sealed class ActionOperation : IWorkloadOperation
{
    private readonly IReadOnlyList<(IWorkloadOperation Operation, int? Written)> _steps;
    private readonly long _firstWritten;
    private readonly int _written;
    private bool _failed;

    /// <param name="firstWritten">Number of the first document that an action writes.</param>
    /// <param name="create">Makes the operation of a kind, once for each step.</param>
    public ActionOperation(IReadOnlyList<WorkloadKind> steps, long firstWritten, Func<WorkloadKind, IWorkloadOperation> create)
    {
        var written = 0;
        _steps = [.. steps.Select(kind => (create(kind), kind.Rise() > 0 ? written++ : (int?)null))];
        (_firstWritten, _written) = (firstWritten, written);
    }

    public bool IsAction => true;

    public int Part { get; private set; }

    public int Partition => Current.Partition;

    public int PartBytes => Current.PartBytes;

    private IWorkloadOperation Current => _steps[Part].Operation;

    public void Prepare(long first, int count)
    {
        (Part, _failed) = (0, false);
        foreach (var (operation, written) in _steps)
            operation.Prepare(written is { } ordinal ? _firstWritten + (first * _written) + ordinal : first, count);
    }

    public Task SendAsync() => Current.SendAsync();

    public AttemptResponse Read()
    {
        var response = Current.Read();
        _failed = response.Kind == AttemptKind.Failed;
        return response;
    }

    public bool NextPart()
    {
        if (_failed || Part + 1 == _steps.Count)
            return false;
        Part++;
        return true;
    }

    public void Dispose()
    {
        foreach (var (operation, _) in _steps)
            operation.Dispose();
    }
}
