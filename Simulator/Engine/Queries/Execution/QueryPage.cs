using ScaleOut.Simulator.Engine.Queries.Values;
using ScaleOut.Simulator.Engine.Storage;

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
