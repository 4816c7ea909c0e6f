using Microsoft.Azure.Cosmos;
using ScaleOut.Specs;
using ScaleOut.Workers.Documents;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// A query, page by page: each attempt asks the SDK for one page. After a 429 the SDK goes on where it stopped; after other errors the
/// query begins again.
/// </summary>
public sealed class QueryOperation : IWorkloadOperation
{
    private readonly OperationContext _context;
    private readonly QuerySpec _query;
    private readonly QueryValues _values;
    private readonly QueryTally _tally;
    private QueryDefinition _definition = null!;
    private QueryRequestOptions _options = null!;
    private FeedIterator? _pages;

    /// <param name="context">What all operations share.</param>
    /// <param name="query">A sound query.</param>
    /// <param name="runId">For random placeholders.</param>
    public QueryOperation(OperationContext context, QuerySpec query, string runId)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(query);
        _context = context;
        _query = query;
        _tally = new QueryTally(context.Partitions);
        _values = new QueryValues(query, context.Documents, runId);
    }

    /// <inheritdoc/>
    public int Partition { get; private set; }

    /// <inheritdoc/>
    public void Prepare(long first, int count)
    {
        Close();
        var document = _context.DocumentOf(first);
        var (id, key) = (_context.Documents.IdOf(document), _context.Documents.KeyOf(document, _context.WrittenInBatchesOf));
        var (definition, only) = _values.From(document, id, key);
        _definition = definition;
        Partition = _context.Partitions.IndexOf(only ?? key);
        _tally.DefaultPartition = Partition;
        _options = new QueryRequestOptions
        {
            PartitionKey = only is null ? null : new PartitionKey(only),
            MaxConcurrency = _query.MaxConcurrency,
            MaxItemCount = _query.PageSize,
            // A container without an index is scanned.
            EnableScanInQuery = true,
        };
    }

    /// <inheritdoc/>
    public async Task<AttemptResponse> TryAsync()
    {
        QueryTally.Current = _tally;
        AttemptResponse response;
        try
        {
            _pages ??= _context.Container.GetItemQueryStreamIterator(_definition, requestOptions: _options);
            using var page = await _pages.ReadNextAsync();
            response = ResponseReading.From(page, ResponseReading.KindOfPage);
            if (response.Kind == AttemptKind.Continued && !_pages.HasMoreResults)
                response = response with { Kind = AttemptKind.Succeeded };
        }
        catch (Exception e) when (ResponseReading.From(e, ResponseReading.KindOfPage) is { } error)
        {
            response = error;
        }

        if (response.Kind is not (AttemptKind.Continued or AttemptKind.Throttled))
            Close();
        return response with { Calls = _tally.Take() };
    }

    /// <inheritdoc/>
    public void Dispose() => Close();

    private void Close()
    {
        _pages?.Dispose();
        _pages = null;
    }
}
