namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>Adds up the charge of a page of a query or feed.</summary>
/// <param name="hasKey">Whether the request names a partition key, which the index finds as if it were a condition.</param>
internal sealed class PageCharge(RequestCharges charges, ParsedQuery query, bool hasKey)
{
    private readonly bool _isFeed = query.IsFeed;
    private readonly bool _isFound = hasKey || query.Lookups > 0;
    private readonly bool _isEvaluated = query.Condition.LoadsDocuments || query.Syntax.IsAggregate;
    private readonly bool _iteratesRows = query.Syntax.IteratesRows;
    private double _documents = query.Syntax.UserCalls.Count > 0 ? RequestCharges.UserFunctions : 0;
    private RequestUnits _reads;
    private (int Count, long Bytes) _loaded;
    private (int Count, long Bytes) _returned;
    private int _met;

    /// <summary>The page's charge so far.</summary>
    public RequestUnits Total => _isFeed ? charges.Feed(_reads) : charges.QueryPage(Lookups, _documents);

    private int Lookups => query.Lookups + (hasKey ? 1 : 0)
        + (query.CountsDocuments && !query.Condition.LoadsDocuments ? QueryCharges.LookupsOfCount : 0);

    /// <summary>
    /// The page's header of query metrics. Measured times are rounded up to 0.01 ms, so that none of them is reported as zero.
    /// </summary>
    public string Metrics(TimeSpan physicalPlan, TimeSpan execution)
    {
        var total = query.CompileTime + query.LogicalPlanTime + query.OptimizationTime + physicalPlan + execution;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"totalExecutionTimeInMs={Milliseconds(total)};"
            + $"queryCompileTimeInMs={Milliseconds(query.CompileTime)};queryLogicalPlanBuildTimeInMs={Milliseconds(query.LogicalPlanTime)};"
            + $"queryPhysicalPlanBuildTimeInMs={Milliseconds(physicalPlan)};"
            + $"queryOptimizationTimeInMs={Milliseconds(query.OptimizationTime)};"
            + $"VMExecutionTimeInMs={Milliseconds(execution)};"
            + $"indexLookupTimeInMs=0.00;documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;userFunctionExecuteTimeInMs=0.00;"
            + $"retrievedDocumentCount={_loaded.Count};retrievedDocumentSize={_loaded.Bytes};outputDocumentCount={_returned.Count};"
            + $"outputDocumentSize={_returned.Bytes};writeOutputTimeInMs=0.00;"
            + $"indexUtilizationRatio={(_loaded.Count == 0 ? 0 : (double)_met / _loaded.Count):F2}");
    }

    private static string Milliseconds(TimeSpan time) =>
        (Math.Ceiling(time.TotalMilliseconds * 100) / 100).ToString("F2", CultureInfo.InvariantCulture);

    /// <summary>Counts a loaded document, returned or not. A feed is charged only for what it returns.</summary>
    /// <param name="isMet">Whether it meets the query's condition.</param>
    public void Load(int bodyBytes, bool isMet)
    {
        _loaded = (_loaded.Count + 1, _loaded.Bytes + bodyBytes);
        _met += isMet ? 1 : 0;
        if (!_isFeed)
            _documents += charges.Model.Query.OfLoaded(charges.Model.StoredBytes(bodyBytes), _isFound, _isEvaluated);
    }

    public void ReturnDocument(int bodyBytes)
    {
        _returned = (_returned.Count + 1, _returned.Bytes + bodyBytes);
        if (_isFeed)
            _reads += charges.Read(bodyBytes);
        else
            _documents += charges.Model.Query.OfWhole(charges.Model.StoredBytes(bodyBytes));
    }

    /// <summary>Counts a row, if rows are not whole documents.</summary>
    public void Row()
    {
        if (_iteratesRows)
            _documents += charges.Model.Query.Row;
    }

    /// <summary>Counts a result that the query made. One that is made of no document or of many costs nothing.</summary>
    public void ReturnValue(Datum value, int resultBytes, bool ofDocument)
    {
        _returned = (_returned.Count + 1, _returned.Bytes + resultBytes);
        if (!ofDocument)
            return;
        var properties = value.Type switch
        {
            DatumType.Object => value.Properties().Count(),
            DatumType.Array => value.Length,
            _ => 1,
        };
        _documents += charges.Model.Query.OfProjected(resultBytes, properties, _isEvaluated);
    }
}
