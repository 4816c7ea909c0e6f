using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>Adds up what a page of a query, or of a feed that is read as one, is charged for its documents.</summary>
internal sealed class PageCharge(RequestCharges charges, ParsedQuery query)
{
    private readonly bool _isFeed = query.IsFeed;
    private double _documents;
    private RequestUnits _reads;

    /// <summary>What the page costs with the documents so far.</summary>
    public RequestUnits Total => _isFeed ? charges.Feed(_reads) : charges.QueryPage(query.Lookups, _documents);

    /// <summary>A document is loaded, whether it is returned or not; a feed is charged by what it returns alone.</summary>
    public void Load(int bodyBytes)
    {
        if (!_isFeed)
            _documents += charges.QueryLoaded(bodyBytes);
    }

    /// <summary>A whole document is returned.</summary>
    public void ReturnDocument(int bodyBytes)
    {
        if (_isFeed)
            _reads += charges.Read(bodyBytes);
        else
            _documents += charges.QueryReturned(bodyBytes);
    }

    /// <summary>A result that the query made is returned.</summary>
    public void ReturnValue(int resultBytes) => _documents += charges.QueryReturned(resultBytes);
}
