namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A query with the values of its parameters, ready to run.</summary>
internal sealed class ParsedQuery
{
    private const string FirstOfReadMany = "@param_id0";

    private static readonly QuerySyntax All = QueryGrammar.Parse("SELECT * FROM c");

    private readonly IReadOnlyDictionary<string, Datum> _parameters;
    private readonly IReadOnlyDictionary<string, QuerySyntax>? _computed;
    private readonly string? _orderError;

    /// <param name="index">Null if every path counts as indexed.</param>
    /// <exception cref="RequestException">400: a number after TOP, OFFSET or LIMIT is missing or wrong.</exception>
    public ParsedQuery(QuerySyntax syntax, IReadOnlyDictionary<string, Datum> parameters, IndexingPolicy? index = null)
    {
        var start = TimeProvider.System.GetTimestamp();
        Syntax = syntax;
        _parameters = parameters;
        _computed = index?.Computed is { Count: > 0 } computed ? computed : null;
        SeesSystemProperties = syntax.SeesSystemProperties || _computed?.Values.Any(one => one.SeesSystemProperties) == true;
        Top = Count(syntax.Select.Top, "TOP", ("SC2060", "The count value provided for a TOP clause must be an integer."));
        Offset = Count(syntax.Offset, "OFFSET", ("SC2062", "The OFFSET count value exceeds the maximum allowed value."));
        Limit = Count(syntax.Limit, "LIMIT", ("SC2061", "The LIMIT count value exceeds the maximum allowed value."));
        using var scope = CreateScope(DateTimeOffset.UnixEpoch);
        Condition = new QueryCondition(syntax, scope, index);
        OrderPaths = [.. syntax.OrderBy.Select(item => item.Item.Value.Path(withPositions: true)!)];
        LogicalPlanTime = TimeProvider.System.GetElapsedTime(start);
        start = TimeProvider.System.GetTimestamp();
        _orderError = OrderErrorOf(index);
        Lookups = IndexLookups.Count(Condition, scope, syntax.IsAggregate ? 0 : syntax.OrderBy.Count);
        OptimizationTime = TimeProvider.System.GetElapsedTime(start);
    }

    /// <summary>Every document, as a read feed.</summary>
    public static ParsedQuery Everything { get; } = new(All, new Dictionary<string, Datum>());

    public QuerySyntax Syntax { get; }

    public QueryCondition Condition { get; }

    public IReadOnlyList<List<string>> OrderPaths { get; }

    /// <summary>Time to parse the text, or to find it in the cache of parsed queries.</summary>
    public TimeSpan CompileTime { get; init; }

    /// <summary>Time to bind the parameters and to build the condition.</summary>
    public TimeSpan LogicalPlanTime { get; }

    /// <summary>Time to choose the index.</summary>
    public TimeSpan OptimizationTime { get; }

    /// <summary>Look-ups in the index for each page.</summary>
    public int Lookups { get; }

    /// <summary>
    /// Whether the query is charged as a feed, by the point reads of its documents. That is so for a read feed and for the SDK's ReadMany,
    /// which is recognized by the name of a parameter.
    /// </summary>
    public bool IsFeed => ReferenceEquals(this, Everything)
        || (ReturnsDocuments && IsPlain && Syntax.Parameters.Contains(FirstOfReadMany, StringComparer.Ordinal));

    public int? Top { get; }

    public int? Offset { get; }

    public int? Limit { get; }

    /// <summary>Where the SDK resumes an ORDER BY; null for the beginning.</summary>
    public ResumeFilter? Resume { get; init; }

    /// <summary>Whether an expression or result needs more than a document's body.</summary>
    public bool SeesSystemProperties { get; }

    /// <summary>Number of results that are skipped.</summary>
    public long Skip => Offset ?? 0;

    /// <summary>Number of results after which the query ends, including skipped ones.</summary>
    public long End => Top ?? (Limit is { } limit ? Skip + limit : long.MaxValue);

    /// <summary>Whether results are whole documents as stored.</summary>
    public bool ReturnsDocuments =>
        Syntax is { IsAggregate: false, IteratesRows: false, Select.Projection: Root };

    /// <summary>Whether the query's result is the concatenation of its partitions' results.</summary>
    public bool IsPlain => Syntax is { ReadsDocuments: false }
        or { IsAggregate: false, OrderBy.Count: 0, Select: { IsDistinct: false, Top: null }, Offset: null, DistinctSources.Count: 0 };

    /// <summary>Whether the query only counts documents in one group, which the index does alone.</summary>
    public bool CountsDocuments => Syntax is { IsAggregate: true, IteratesRows: false, GroupBy.Count: 0 }
        && Syntax.Aggregates.All(aggregate => aggregate is { Kind: AggregateKind.Count, Argument: Constant { Value.IsDefined: true } });

    public QueryScope CreateScope(DateTimeOffset now, IUserFunctions? functions = null) =>
        new(_parameters, Syntax, now, _computed, functions);

    /// <summary>The partition key that an equality of the query fixes; null for none.</summary>
    public PartitionKeyIdentity? FixedPartitionKey(ContainerSettings settings) =>
        Equality(settings.PartitionKeySegments) is { } filter
            ? PartitionKeyIdentity.From(settings.Version, filter.Value.AsPartitionKey())
            : null;

    /// <summary>The condition that a property has one value; null if there is none.</summary>
    public QueryFilter? Equality(IReadOnlyList<string> path) => Condition.Filters.Concat(Condition.Scanned)
        .FirstOrDefault(one => one.Comparison == BinaryOperator.Equal && one.Path.SequenceEqual(path));

    /// <summary>The hash of the id that an indexed equality of the query fixes; null for none.</summary>
    public ulong? FixedIdHash() =>
        Condition.Filters.Find(
            one => one is { Comparison: BinaryOperator.Equal, Path: ["id"], Value.Kind: PartitionKeyKind.Text }) is { } filter
            ? DocumentKey.HashId(filter.Value.Text)
            : null;

    /// <summary>Whether a JSON object meets the condition.</summary>
    public bool Matches(byte[] json) => Select(json) is not null;

    /// <summary>The result for a JSON object; null if it does not meet the condition or has no result.</summary>
    public byte[]? Select(byte[] json)
    {
        using var scope = CreateScope(TimeProvider.System.GetUtcNow());
        scope.Enter(json);
        if (!Condition.Matches(json, scope) || !Condition.Rows(scope).Any())
            return null;
        if (ReturnsDocuments)
            return json;
        var value = Syntax.Select.Projection.Evaluate(scope);
        return value.IsDefined ? Encoding.UTF8.GetBytes(DatumJson.ToText(value)) : null;
    }

    /// <summary>Checks that an index serves ORDER BY. The service does so on a partition, after the gateway's checks.</summary>
    /// <exception cref="RequestException">400: ORDER BY needs another index.</exception>
    public void CheckOrder()
    {
        if (_orderError is not null)
            throw RequestException.Rejected(_orderError);
    }

    private string? OrderErrorOf(IndexingPolicy? index) =>
        Syntax.OrderBy.Any(item => item.Item.Value.IsOfElement()) ? "Order-by over correlated collections is not supported."
        : index is null || OrderPaths.Count == 0 ? null
        : OrderPaths.Count > 1
            ? index.FindComposite(OrderPaths, [.. Syntax.OrderBy.Select(item => item.IsDescending)]) is null
                ? "The order by query does not have a corresponding composite index that it can be served from." : null
        : index.Holds(OrderPaths[0]) ? null : "The index path corresponding to the specified order-by item is excluded.";

    /// <param name="isTooLarge">The service's error for a number in the text that is too large.</param>
    private int? Count(CountSyntax? count, string clause, (string Code, string Message) isTooLarge)
    {
        if (count is null)
            return null;
        if (count.Value > int.MaxValue)
            throw RequestException.InQuery(isTooLarge.Code, count.Place, isTooLarge.Message);
        var value = count.Parameter is null ? Datum.From(count.Value!.Value)
            : _parameters.TryGetValue(count.Parameter, out var given) ? given
            : throw RequestException.Rejected($"The query's parameter {count.Parameter} has no value.");
        return value is { Type: DatumType.Number, Number: >= 0 and <= int.MaxValue } && value.Number == Math.Floor(value.Number)
            ? (int)value.Number
            : throw RequestException.Rejected($"The number after {clause} must be an integer from 0 to {int.MaxValue}.");
    }
}

/// <summary>Parses queries, and caches the syntax of recent texts.</summary>
internal static class QueryParser
{
    private const int MaxKnown = 500;

    /// <summary>Characters of a text that is kept.</summary>
    private const int MaxKnownLength = 8 * 1024;

    private static readonly ConcurrentDictionary<string, QuerySyntax> Known = new(StringComparer.Ordinal);

    /// <summary>Parses the body of a query request: <c>{"query": "...", "parameters": [{"name": "@v", "value": ...}]}</c>.</summary>
    /// <param name="index">The container's index; null if it does not matter.</param>
    /// <exception cref="RequestException">400: malformed, or beyond what is simulated.</exception>
    public static ParsedQuery ParseRequest(ReadOnlyMemory<byte> body, IndexingPolicy? index = null)
    {
        return RequestException.ReadJson(body, "The request payload is no object with a query and its parameters.", Read, isRejected: true);

        ParsedQuery Read(JsonElement root)
        {
            var text = root.GetProperty("query").GetString() ?? "";
            var parameters = new Dictionary<string, Datum>(StringComparer.Ordinal);
            if (root.TryGetProperty("parameters", out var list) && list.ValueKind == JsonValueKind.Array)
            {
                foreach (var parameter in list.EnumerateArray())
                {
                    var name = parameter.GetProperty("name").GetString() ?? "";
                    if (!QueryTokenizer.IsParameter(name))
                    {
                        throw RequestException.OfQuery(
                            $"Invalid query. Specified parameter name '{name}' is invalid. Parameter names should be in the format of "
                            + "symbol '@' followed by a valid identifier. E.g. @param1");
                    }

                    var given = parameter.TryGetProperty("value", out var value) ? Datum.From(value).Detached() : Datum.Undefined;
                    if (!parameters.TryAdd(name, given))
                        throw RequestException.OfQuery($"Invalid query. Specified duplicate parameter name '{name}'.");
                }
            }

            var resume = root.TryGetProperty("resumeFilter", out var filter) && filter.ValueKind == JsonValueKind.Object
                ? ResumeFilter.Read(filter)
                : null;
            return Parse(text, parameters, resume, index);
        }
    }

    /// <exception cref="RequestException">400: malformed, or beyond what is simulated.</exception>
    public static ParsedQuery Parse(
        string text, IReadOnlyDictionary<string, Datum> parameters, ResumeFilter? resume = null, IndexingPolicy? index = null)
    {
        var start = TimeProvider.System.GetTimestamp();
        if (!Known.TryGetValue(text, out var syntax))
        {
            syntax = QueryGrammar.Parse(text);
            if (Known.Count >= MaxKnown)
                Known.Clear();
            if (text.Length <= MaxKnownLength)
                Known[text] = syntax;
        }

        var compileTime = TimeProvider.System.GetElapsedTime(start);
        if (resume is not null && resume.Values.Count != syntax.OrderBy.Count)
            throw RequestException.BadRequest("The resume filter must have one value for each ORDER BY item.");
        return new ParsedQuery(syntax, parameters, index) { Resume = resume, CompileTime = compileTime };
    }
}
