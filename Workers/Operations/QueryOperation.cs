using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// A query, page by page: each attempt asks the SDK for one page. After a 429 the SDK goes on where it stopped. After other errors the
/// query begins again.
/// </summary>
internal sealed class QueryOperation(OperationContext context, QuerySpec query, string runId)
    : AccountCall<ResponseMessage>, IWorkloadOperation
{
    private readonly QueryValues _values = new(query, context.Documents, runId);
    private readonly QueryTally _tally = new(context.Partitions);
    private QueryDefinition _definition = null!;
    private QueryRequestOptions _options = null!;
    private FeedIterator? _pages;

    public int Partition { get; private set; }

    public void Prepare(long first, int count)
    {
        Close();
        var document = context.DocumentOf(first);
        var (id, key) = (context.Documents.IdOf(document), context.Documents.KeyOf(document, context.WrittenInBatchesOf));
        var values = context.Documents.KeyValuesOf(document, key);
        var (definition, only) = _values.From(document, id, key, values);
        _definition = definition;
        Partition = context.Partitions.IndexOf(only ?? values);
        _tally.DefaultPartition = Partition;
        _options = new QueryRequestOptions
        {
            PartitionKey = only is null ? null : OperationContext.KeyFrom(only),
            MaxConcurrency = query.MaxConcurrency,
            MaxItemCount = query.PageSize,
            // For a container without an index.
            EnableScanInQuery = true,
        };
    }

    public override AttemptResponse Read()
    {
        var response = base.Read();
        if (response.Kind is not (AttemptKind.Continued or AttemptKind.Throttled))
            Close();
        return response with { Calls = _tally.Take() };
    }

    public void Dispose() => Close();

    protected override async Task<ResponseMessage> CallAsync()
    {
        // In an asynchronous method, so that the tally is this call's alone.
        QueryTally.Current = _tally;
        _pages ??= context.Container.GetItemQueryStreamIterator(_definition, requestOptions: _options);
        return await _pages.ReadNextAsync();
    }

    protected override AttemptResponse ReadResponse(ResponseMessage response)
    {
        using (response)
        {
            var page = ResponseReading.From(response, ResponseReading.KindOfPage);
            return page.Kind == AttemptKind.Continued && !_pages!.HasMoreResults ? page with { Kind = AttemptKind.Succeeded } : page;
        }
    }

    protected override AttemptResponse? ReadError(Exception error) => ResponseReading.From(error, ResponseReading.KindOfPage);

    private void Close()
    {
        _pages?.Dispose();
        _pages = null;
    }
}

/// <summary>
/// Counts the requests of one operation's queries in the SDK's handlers. Thread-safe, because the SDK asks several partitions at once.
/// </summary>
internal sealed class QueryTally(PartitionRanges partitions)
{
    private static readonly AsyncLocal<QueryTally?> Holder = new();

    private readonly Lock _gate = new();
    private Counts[] _pages = new Counts[partitions.Count];
    private long _requests;
    private long _items;

    /// <summary>The tally of the operation that the current code works for; null if it is not a query.</summary>
    public static QueryTally? Current
    {
        get => Holder.Value;
        set => Holder.Value = value;
    }

    /// <summary>Where charges without a partition are counted.</summary>
    public int DefaultPartition { get; set; }

    public void Count(RequestMessage request, ResponseMessage response)
    {
        var isPlan = request.Headers["x-ms-cosmos-is-query-plan-request"] is not null;
        var partition = partitions.IndexOfRange(RangeOf(response.Headers) ?? request.Headers["x-ms-documentdb-partitionkeyrangeid"])
            ?? DefaultPartition;
        var charge = ResponseReading.ChargeOf(response.Headers.RequestCharge);
        var isThrottled = !isPlan && (int)response.StatusCode == 429;
        lock (_gate)
        {
            _requests++;
            _pages[partition] += new Counts
            {
                Attempts = isPlan ? 0 : 1,
                Throttled = isThrottled ? 1 : 0,
                RequestUnits = isThrottled ? RequestUnits.Zero : charge,
                ThrottledRequestUnits = isThrottled ? charge : RequestUnits.Zero,
            };
            if (isPlan)
                return;
            if (long.TryParse(response.Headers["x-ms-item-count"], NumberStyles.None, CultureInfo.InvariantCulture, out var items))
                _items += items;
        }
    }

    /// <summary>What was counted since the last call.</summary>
    public QueryCalls Take()
    {
        lock (_gate)
        {
            var calls = new QueryCalls(_requests, _items, _pages);
            (_requests, _items, _pages) = (0, 0, new Counts[partitions.Count]);
            return calls;
        }
    }

    /// <summary>The range in a session token, such as 3 in <c>3:-1#17</c>.</summary>
    private static string? RangeOf(Headers headers)
    {
        var token = headers.Session;
        var end = token?.IndexOf(':', StringComparison.Ordinal) ?? -1;
        return end > 0 ? token![..end] : headers["x-ms-documentdb-partitionkeyrangeid"];
    }
}

/// <summary>Counts the requests that the SDK sends for a query.</summary>
internal sealed class QueryCallHandler : RequestHandler
{
    public override async Task<ResponseMessage> SendAsync(RequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken);
        QueryTally.Current?.Count(request, response);
        return response;
    }
}

/// <summary>The requests that the SDK sent for a query.</summary>
/// <param name="Requests">Count of requests: one for each query plan, and one for each page of a physical partition.</param>
/// <param name="Partitions">By physical partition: each page is an attempt; query plans are only charged.</param>
public sealed record QueryCalls(long Requests, long Items, IReadOnlyList<Counts> Partitions);

/// <summary>A query's text with the values of its parameters for each document. Not thread-safe.</summary>
public sealed class QueryValues
{
    private readonly string _text;
    private readonly IDocumentSource _documents;
    private readonly PlaceholderValues? _partitionKey;
    private readonly bool _asksWholeKey;
    private readonly IReadOnlyList<Parameter> _parameters;
    private byte[] _buffer = [];

    public QueryValues(QuerySpec query, IDocumentSource documents, string runId)
    {
        _text = query.Text;
        _documents = documents;
        if (query.PartitionKey is { } key)
        {
            var parts = Parse(key);
            _partitionKey = new PlaceholderValues(runId, parts);
            _asksWholeKey = parts is [{ Kind: PlaceholderKind.Key }];
        }

        _parameters = [.. (query.Parameters ?? []).Select(parameter => Compile(parameter, runId))];
    }

    /// <summary>
    /// The query for a document, and the partition key that it is limited to, if any. Of a hierarchical key, <c>{{key}}</c> alone is the
    /// whole key; any other text is the value of the first level.
    /// </summary>
    /// <param name="key">The key that the document is written with.</param>
    /// <param name="values">The values of its partition key.</param>
    internal (QueryDefinition Query, IReadOnlyList<string>? PartitionKey) From(
        long document, string id, string key, IReadOnlyList<string> values)
    {
        var query = new QueryDefinition(_text);
        foreach (var parameter in _parameters)
            query.WithParameter(parameter.Name, parameter.Fixed ?? ValueOf(parameter, document, id, key, values[0]));
        return (query, _partitionKey is null ? null : _asksWholeKey ? values : [TextOf(_partitionKey, document, id, key, values[0])]);
    }

    /// <summary>The query for a document as the body of a request, and the partition key that it is limited to, if any.</summary>
    /// <inheritdoc cref="From"/>
    public (byte[] Body, IReadOnlyList<string>? PartitionKey) BodyFrom(long document, string id, string key, IReadOnlyList<string> values)
    {
        var (query, only) = From(document, id, key, values);
        var parameters = query.GetQueryParameters().Select(one => new { name = one.Name, value = one.Value });
        return (JsonSerializer.SerializeToUtf8Bytes(new { query = query.QueryText, parameters }), only);
    }

    private static IReadOnlyList<TemplatePart> Parse(string text) =>
        TextTemplate.Parse(text, (_, message) => throw new FormatException(message), ofDocument: true);

    private static Parameter Compile(QueryParameterSpec parameter, string runId)
    {
        using var value = JsonDocument.Parse(parameter.Value);
        if (value.RootElement.ValueKind != JsonValueKind.String)
            return new Parameter(parameter.Name, ScalarOf(value.RootElement), null, null);
        var parts = Parse(value.RootElement.GetString()!);
        return new Parameter(parameter.Name, null, new PlaceholderValues(runId, parts), parts is [var only] ? only : null);
    }

    /// <summary>A placeholder alone keeps its type; anything else is a text.</summary>
    private object ValueOf(Parameter parameter, long document, string id, string key, string firstKey)
    {
        if (parameter.Only is { Kind: PlaceholderKind.Field } field)
            return ScalarOf(FieldOf(document, key, field.Text));
        var text = TextOf(parameter.Text!, document, id, key, firstKey);
        if (parameter.Only is not { IsScalar: true })
            return text;
        using var value = JsonDocument.Parse(text);
        return ScalarOf(value.RootElement);
    }

    private string TextOf(PlaceholderValues text, long document, string id, string key, string firstKey) =>
        text.From(document, id, firstKey, name => ScalarOf(FieldOf(document, key, name)).ToString()!);

    private JsonElement FieldOf(long document, string key, string name)
    {
        if (_buffer.Length == 0)
            _buffer = new byte[_documents.MaxBytes];
        var length = _documents.Write(document, key, _buffer);
        using var json = JsonDocument.Parse(_buffer.AsMemory(0, length));
        return json.RootElement.TryGetProperty(name, out var value)
            ? value.Clone()
            : throw new DocumentException("workload.query", $"the documents have no field {JsonSerializer.Serialize(name)}");
    }

    private static object ScalarOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.Number when value.TryGetInt64(out var whole) => whole,
        JsonValueKind.Number => value.GetDouble(),
        JsonValueKind.True or JsonValueKind.False => value.GetBoolean(),
        _ => value.GetRawText(),
    };

    private sealed record Parameter(string Name, object? Fixed, PlaceholderValues? Text, TemplatePart? Only);
}
