namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>One page of a query in progress. It sees a partition's documents in the order of scanning, then is completed.</summary>
internal abstract class QueryPage(
    ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge)
{
    /// <summary>Where the next page begins; null if there is none, or if it begins after the visited documents.</summary>
    public QueryContinuation? Next { get; protected set; }

    /// <summary>Whether the documents after the visited ones cannot contribute any results to the query.</summary>
    public bool IsLast { get; protected set; }

    /// <summary>Whether the page must also see the documents before the continuation.</summary>
    public virtual bool StartsAtBeginning => false;

    protected ParsedQuery Query => query;

    protected QueryContinuation From => from;

    protected int PageSize => pageSize;

    protected DocumentReader Reader => reader;

    protected ResultWriter Results => results;

    protected PageCharge Charge => charge;

    public static QueryPage Create(
        ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge) =>
        query.Syntax.IsAggregate ? new GroupedPage(query, from, pageSize, reader, results, charge)
            : query.Syntax.OrderBy.Count > 0 ? new OrderedPage(query, from, pageSize, reader, results, charge)
            : new StreamedPage(query, from, pageSize, reader, results, charge);

    /// <summary>Looks at a document. False if the page needs no more.</summary>
    public abstract bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body);

    /// <summary>Called after the last document; writes the remaining results.</summary>
    public virtual void Complete()
    {
    }

    /// <summary>Writes a result that the query made, of a document or of many.</summary>
    protected void WriteValue(Datum value, bool ofDocument) => charge.ReturnValue(value, results.Write(value), ofDocument);
}

/// <summary>Writes the results of a page, with commas in between.</summary>
internal sealed class ResultWriter(ArrayBufferWriter<byte> output) : IDisposable
{
    /// <summary>Bytes of results that end a page.</summary>
    public const int MaxBytes = 4 * 1024 * 1024;

    private readonly int _begin = output.WrittenCount;
    private Utf8JsonWriter? _writer;

    public int Count { get; private set; }

    public bool IsFull(int pageSize) => Count >= pageSize || output.WrittenCount - _begin >= MaxBytes;

    /// <summary>Begins a result that the caller writes.</summary>
    public ArrayBufferWriter<byte> Begin()
    {
        if (Count++ > 0)
            output.Write(","u8);
        return output;
    }

    public int Write(Datum value)
    {
        var before = output.WrittenCount;
        if (_writer is null)
            _writer = new Utf8JsonWriter(Begin(), DatumJson.Options);
        else
            _writer.Reset(Begin());
        value.WriteTo(_writer);
        _writer.Flush();
        return output.WrittenCount - before;
    }

    public void Dispose() => _writer?.Dispose();
}

/// <summary>Results in the order of scanning, with DISTINCT, TOP and OFFSET LIMIT.</summary>
internal sealed class StreamedPage(
    ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge)
    : QueryPage(query, from, pageSize, reader, results, charge)
{
    private readonly HashSet<UInt128>? _distinct = query.Syntax.Select.IsDistinct ? [] : null;

    /// <summary>DISTINCT must skip the values that earlier pages returned.</summary>
    public override bool StartsAtBeginning => _distinct is not null || Query.Syntax.DistinctSources.Count > 0;

    /// <summary>Number of results so far, including skipped ones and those of earlier pages.</summary>
    public long Passed { get; private set; } = from.Passed;

    public override bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        // This also ends a query that can have no results, such as LIMIT 0.
        if (Passed >= Query.End)
            return End();
        var match = Reader.Match(in record, body);
        var isNew = record.Sequence > From.AfterSequence;
        if (isNew && match != DocumentMatch.NotFound)
            Charge.Load(body.Length, match == DocumentMatch.Met);
        if (match != DocumentMatch.Met)
            return true;
        if (!Query.ReturnsDocuments || _distinct is not null)
            Reader.Enter(in record, body);
        var passedRows = !isNew ? int.MaxValue : record.Sequence == From.AfterSequence + 1 ? From.Row : 0;
        for (var row = 0; Reader.NextRow(); row++)
        {
            if (Passed >= Query.End)
                return End();
            if (isNew && Results.IsFull(PageSize))
            {
                Next = new QueryContinuation(From.Partition, record.Sequence - 1, Passed, Row: row);
                return false;
            }

            if (isNew && row >= passedRows)
                Charge.Row();
            var value = Datum.Undefined;
            if (!Query.ReturnsDocuments || _distinct is not null)
            {
                value = Query.Syntax.Select.Projection.Evaluate(Reader.Scope);
                if (!value.IsDefined || _distinct?.Add(DatumHash.From(value)) == false)
                    continue;
            }

            if (row < passedRows || Passed++ < Query.Skip)
                continue;
            if (Query.ReturnsDocuments)
            {
                DocumentWriter.Write(Results.Begin(), Reader.Container, in record, body);
                Charge.ReturnDocument(body.Length);
            }
            else
            {
                WriteValue(value, ofDocument: true);
            }
        }

        return Passed >= Query.End ? End() : !isNew || !Results.IsFull(PageSize);
    }

    /// <summary>Writes the results of a query without documents.</summary>
    public override void Complete()
    {
        if (Query.Syntax.ReadsDocuments)
            return;
        IsLast = true;
        var hasRows = Query.Condition.Matches([], Reader.Scope) && Reader.FindRow();
        for (var row = 0; hasRows && Reader.NextRow() && Passed < Query.End; row++)
        {
            var value = Query.Syntax.Select.Projection.Evaluate(Reader.Scope);
            if (!value.IsDefined || _distinct?.Add(DatumHash.From(value)) == false || row < From.Row || Passed++ < Query.Skip)
                continue;
            if (Results.IsFull(PageSize))
            {
                Next = new QueryContinuation(From.Partition, From.AfterSequence, Passed - 1, Row: row);
                return;
            }

            WriteValue(value, ofDocument: false);
        }
    }

    private bool End()
    {
        IsLast = true;
        return false;
    }
}

/// <summary>Decides for each document whether it meets a query's condition, and shows it to expressions.</summary>
/// <param name="callTime">The time that all calls of the container's functions may take together.</param>
internal sealed class DocumentReader(ParsedQuery query, ContainerResource container, DateTimeOffset now, TimeSpan callTime) : IDisposable
{
    private readonly ArrayBufferWriter<byte> _json = new();
    private bool _isEntered;
    private IEnumerator<bool>? _rows;
    private bool _isAtRow;

    public ContainerResource Container => container;

    public QueryScope Scope { get; } = query.CreateScope(
        now,
        query.Syntax.UserCalls.Count > 0
            ? new UserFunctions(container.Scripts, ScriptLimits.Default with { Time = callTime }) : null);

    /// <summary>The document in the scope, as JSON.</summary>
    public ReadOnlyMemory<byte> Json => _json.WrittenMemory;

    public DocumentMatch Match(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        _isEntered = false;
        var condition = query.Condition;
        if (!QueryCondition.AreMet(condition.Filters, body))
            return DocumentMatch.NotFound;
        if (condition.HasExpressions || query.Syntax.IteratesRows)
            Enter(in record, body);
        var match = condition.MatchBeyondFilters(body, Scope);
        return match != DocumentMatch.Met || FindRow() ? match
            : condition.ServesRows ? DocumentMatch.NotFound : DocumentMatch.Rejected;
    }

    /// <summary>Finds the first row of the document in the scope. False if it has none.</summary>
    public bool FindRow()
    {
        _rows = query.Syntax.IteratesRows ? query.Condition.Rows(Scope).GetEnumerator() : null;
        return _isAtRow = _rows?.MoveNext() != false;
    }

    /// <summary>Enters the next row, which is at first the one that was found.</summary>
    public bool NextRow()
    {
        var isFirst = _isAtRow;
        _isAtRow = false;
        return isFirst || _rows?.MoveNext() == true;
    }

    /// <summary>Makes the document that was matched last visible to expressions.</summary>
    public void Enter(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        if (_isEntered)
            return;
        _isEntered = true;
        _json.ResetWrittenCount();
        if (query.SeesSystemProperties)
            DocumentWriter.Write(_json, container, in record, body);
        else
            _json.Write(body);
        Scope.Enter(_json.WrittenMemory);
    }

    public void Dispose() => Scope.Dispose();
}
