using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>One page of a query under way. It is shown the documents of a partition in the order of scanning, and then completed.</summary>
internal abstract class QueryPage(ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results)
{
    /// <summary>Bytes of the documents that were loaded, for which the page is charged.</summary>
    public long LoadedBytes { get; protected set; }

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

    public static QueryPage Create(ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results) =>
        query.Syntax.IsAggregate ? new GroupedPage(query, from, pageSize, reader, results)
            : query.Syntax.OrderBy.Count > 0 ? new OrderedPage(query, from, pageSize, reader, results)
            : new StreamedPage(query, from, pageSize, reader, results);

    /// <summary>Looks at a document; false when the page needs no more.</summary>
    public abstract bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body);

    /// <summary>Writes what is left to be written, after the last document.</summary>
    public virtual void Complete()
    {
    }
}
