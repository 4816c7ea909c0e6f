namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>One page of a query under way. It is shown the documents of a partition in the order of scanning, and then completed.</summary>
internal abstract class QueryPage(
    ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge)
{
    /// <summary>Where the next page begins; null when there is none, or when it is behind the documents that were visited.</summary>
    public QueryContinuation? Next { get; protected set; }

    /// <summary>Whether what stands behind the documents that were visited does not matter any more.</summary>
    public bool IsLast { get; protected set; }

    /// <summary>Whether it has to see the documents in front of the continuation too.</summary>
    public virtual bool StartsAtBeginning => false;

    protected ParsedQuery Query => query;

    protected QueryContinuation From => from;

    protected int PageSize => pageSize;

    protected DocumentReader Reader => reader;

    protected ResultWriter Results => results;

    /// <summary>Counts the documents that the page is charged for.</summary>
    protected PageCharge Charge => charge;

    public static QueryPage Create(
        ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge) =>
        query.Syntax.IsAggregate ? new GroupedPage(query, from, pageSize, reader, results, charge)
            : query.Syntax.OrderBy.Count > 0 ? new OrderedPage(query, from, pageSize, reader, results, charge)
            : new StreamedPage(query, from, pageSize, reader, results, charge);

    /// <summary>Looks at a document; false when the page needs no more.</summary>
    public abstract bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body);

    /// <summary>Writes what is left to be written, after the last document.</summary>
    public virtual void Complete()
    {
    }

    /// <summary>Writes a result that the query made.</summary>
    protected void WriteValue(Datum value) => charge.ReturnValue(results.Write(value));
}

/// <summary>Adds up what a page of a query, or of a feed that is read as one, is charged for its documents.</summary>
internal sealed class PageCharge(RequestCharges charges, ParsedQuery query)
{
    private readonly bool _isFeed = query.IsFeed;
    private double _documents;
    private RequestUnits _reads;
    private (int Count, long Bytes) _loaded;
    private (int Count, long Bytes) _returned;
    private int _met;

    /// <summary>What the page costs with the documents so far.</summary>
    public RequestUnits Total => _isFeed ? charges.Feed(_reads) : charges.QueryPage(query.Lookups, _documents);

    /// <summary>What the header of query metrics says of the page.</summary>
    public string Metrics(double milliseconds) => string.Create(
        CultureInfo.InvariantCulture,
        $"totalExecutionTimeInMs={milliseconds:F2};queryCompileTimeInMs=0.00;queryLogicalPlanBuildTimeInMs=0.00;"
        + $"queryPhysicalPlanBuildTimeInMs=0.00;queryOptimizationTimeInMs=0.00;VMExecutionTimeInMs={milliseconds:F2};"
        + $"indexLookupTimeInMs=0.00;documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;userFunctionExecuteTimeInMs=0.00;"
        + $"retrievedDocumentCount={_loaded.Count};retrievedDocumentSize={_loaded.Bytes};outputDocumentCount={_returned.Count};"
        + $"outputDocumentSize={_returned.Bytes};writeOutputTimeInMs=0.00;"
        + $"indexUtilizationRatio={(_loaded.Count == 0 ? 0 : (double)_met / _loaded.Count):F2}");

    /// <summary>A document is loaded, whether it is returned or not; a feed is charged by what it returns alone.</summary>
    /// <param name="isMet">Whether it meets the query's condition.</param>
    public void Load(int bodyBytes, bool isMet)
    {
        _loaded = (_loaded.Count + 1, _loaded.Bytes + bodyBytes);
        _met += isMet ? 1 : 0;
        if (!_isFeed)
            _documents += charges.QueryLoaded(bodyBytes);
    }

    /// <summary>A whole document is returned.</summary>
    public void ReturnDocument(int bodyBytes)
    {
        _returned = (_returned.Count + 1, _returned.Bytes + bodyBytes);
        if (_isFeed)
            _reads += charges.Read(bodyBytes);
        else
            _documents += charges.QueryReturned(bodyBytes);
    }

    /// <summary>A result that the query made is returned.</summary>
    public void ReturnValue(int resultBytes)
    {
        _returned = (_returned.Count + 1, _returned.Bytes + resultBytes);
        _documents += charges.QueryReturned(resultBytes);
    }
}
