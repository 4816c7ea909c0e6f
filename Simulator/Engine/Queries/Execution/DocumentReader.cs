namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>How far a document comes in a query.</summary>
internal enum DocumentMatch
{
    /// <summary>The index does not find it.</summary>
    NotFound,

    /// <summary>It is loaded, and does not meet the condition.</summary>
    Rejected,

    Met,
}

/// <summary>Decides for one document after the other whether it meets a query's condition, and shows it to expressions.</summary>
internal sealed class DocumentReader(ParsedQuery query, ContainerResource container, DateTimeOffset now) : IDisposable
{
    private readonly ArrayBufferWriter<byte> _json = new();
    private bool _isEntered;

    public ContainerResource Container => container;

    public QueryScope Scope { get; } = query.CreateScope(now);

    /// <summary>The document that the scope has entered, as JSON.</summary>
    public ReadOnlyMemory<byte> Json => _json.WrittenMemory;

    public DocumentMatch Match(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        _isEntered = false;
        QueryCondition condition = query.Condition;
        if (!QueryCondition.AreMet(condition.Filters, body))
            return DocumentMatch.NotFound;
        if (condition.HasExpressions)
            Enter(in record, body);
        return !QueryCondition.AreTrue(condition.Served, Scope) ? DocumentMatch.NotFound
            : QueryCondition.AreMet(condition.Scanned, body) && QueryCondition.AreTrue(condition.Loaded, Scope) ? DocumentMatch.Met
            : DocumentMatch.Rejected;
    }

    /// <summary>Lets expressions see the document that was matched last.</summary>
    public void Enter(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        if (_isEntered)
            return;
        _isEntered = true;
        _json.ResetWrittenCount();
        if (query.Syntax.SeesSystemProperties)
            DocumentWriter.Write(_json, container, in record, body);
        else
            _json.Write(body);
        Scope.Enter(_json.WrittenMemory);
    }

    public void Dispose() => Scope.Dispose();
}
