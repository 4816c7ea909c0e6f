using System.Buffers;
using ScaleOut.Simulator.Engine.Charges;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Simulator.Engine.Queries.Execution;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Results;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Sizing.Prediction;

/// <summary>A query as it is sent for a document of a sample.</summary>
/// <param name="Document">Index of the document in the sample.</param>
/// <param name="Body">The request's body, with the text and the values of its parameters.</param>
/// <param name="Key">The partition key that it is limited to; null for none.</param>
internal sealed record SampledQuery(int Document, byte[] Body, string? Key);

/// <summary>
/// What a query takes of an account: the simulated account's charges, and how many documents it loads and returns, as counted in a sample
/// of the documents.
/// </summary>
internal sealed record QueryEffort
{
    /// <summary>RU of a page without its documents.</summary>
    public required double UnitsOfPage { get; init; }

    /// <summary>Whether one physical partition has all that the query asks for.</summary>
    public required bool AsksOnePartition { get; init; }

    /// <summary>How often the query loads the document that its parameters are from, 0 to 1.</summary>
    public double OwnLoaded { get; init; }

    /// <summary>Share of all other documents that it loads.</summary>
    public double LoadedShare { get; init; }

    /// <summary>As <see cref="OwnLoaded"/>, of documents that meet its condition.</summary>
    public double OwnFound { get; init; }

    /// <summary>As <see cref="LoadedShare"/>, of documents that meet its condition.</summary>
    public double FoundShare { get; init; }

    /// <summary>RU of a document that is loaded.</summary>
    public double UnitsOfLoaded { get; init; }

    /// <summary>RU of a result, besides.</summary>
    public double UnitsOfResult { get; init; }

    public double BytesOfResult { get; init; }

    /// <summary>Results after which the query ends; null if only its documents end it.</summary>
    public long? MostResults { get; init; }

    /// <summary>Whether a page loads no more than it returns, so that the query may end before it has asked all partitions.</summary>
    public bool EndsEarly { get; init; }

    /// <summary>Whether the result is one for each partition, as that of an aggregate.</summary>
    public bool IsAggregate { get; init; }

    /// <summary>Most results of a page.</summary>
    public required int PageSize { get; init; }

    /// <summary>Partitions that are asked at the same time.</summary>
    public int AtOnce { get; init; } = 1;

    /// <summary>Pairs of documents and queries that the shares are counted from.</summary>
    public long Pairs { get; init; }

    /// <summary>What the query takes with so many documents on so many partitions.</summary>
    public QueryPages At(double documents, int partitions)
    {
        var others = Math.Max(0, documents - 1);
        var (found, loaded) = (OwnFound + (FoundShare * others), OwnLoaded + (LoadedShare * others));
        var asked = AsksOnePartition ? 1 : partitions;
        var results = found;
        if (MostResults is { } most && found > 0)
        {
            if (EndsEarly)
                asked = Math.Clamp((int)Math.Ceiling(most / (found / asked)), 1, asked);
            // The client asks each partition for as many as the query may return.
            results = EndsEarly ? Math.Min(found, most) : Math.Min(found, most * (double)asked);
            loaded *= results / found;
        }

        if (IsAggregate)
            results = 0;
        var room = Math.Max(1, Math.Min(PageSize, Math.Floor(ResultWriter.MaxBytes / Math.Max(1, BytesOfResult))));
        var each = (int)Math.Max(1, Math.Ceiling(results / asked / room));
        return new QueryPages(
            asked, each, (asked * each * UnitsOfPage) + (loaded * UnitsOfLoaded) + (results * UnitsOfResult), loaded, results,
            results * BytesOfResult / (asked * each))
        {
            AtOnce = Math.Clamp(AtOnce, 1, asked),
        };
    }

    /// <summary>Counts what queries load and return in a sample.</summary>
    /// <param name="spec">Its container, charges, consistency and query.</param>
    /// <param name="documents">The sample, as JSON.</param>
    /// <param name="queries">The query as it is sent for some of the documents.</param>
    /// <param name="keys">The partition key of each document; null if the query is not limited to one.</param>
    /// <exception cref="FormatException">The account rejects the query, or it cannot be counted.</exception>
    public static QueryEffort From(
        RunSpec spec, IReadOnlyList<byte[]> documents, IEnumerable<SampledQuery> queries, IReadOnlyList<string>? keys,
        CancellationToken cancellationToken = default)
    {
        try
        {
            return new QueryCount(spec, documents, keys).Count(queries, cancellationToken);
        }
        catch (RequestException e)
        {
            throw new FormatException(e.Message, e);
        }
    }
}

/// <summary>What one query takes.</summary>
/// <param name="Partitions">Physical partitions that it asks.</param>
/// <param name="PagesEach">Pages from each of them, one after the other.</param>
/// <param name="Units">RU of all pages.</param>
/// <param name="Loaded">Documents that are loaded.</param>
/// <param name="Results">Results that are returned.</param>
/// <param name="BytesOfPage">Bytes that a page returns.</param>
internal sealed record QueryPages(
    int Partitions, int PagesEach, double Units, double Loaded, double Results, double BytesOfPage)
{
    /// <summary>Pages that are asked for at the same time, of different partitions.</summary>
    public int AtOnce { get; init; } = 1;

    public int Pages => Partitions * PagesEach;

    /// <summary>Requests that follow one another.</summary>
    public int Rounds => PagesEach * ((Partitions + AtOnce - 1) / AtOnce);
}

/// <summary>Evaluates queries on a sample of documents.</summary>
internal sealed class QueryCount
{
    /// <summary>Documents that are evaluated at most, which takes some seconds.</summary>
    private const long MaxEvaluated = 1_000_000;

    private readonly IReadOnlyList<byte[]> _documents;
    private readonly IReadOnlyList<string>? _keys;
    private readonly RequestCharges _charges;
    private readonly IndexingPolicy _index;
    private readonly IReadOnlyList<string> _keyPath;
    private readonly QuerySpec _asked;
    private readonly Dictionary<string, ILookup<string, int>> _groups = new(StringComparer.Ordinal);
    private readonly ArrayBufferWriter<byte> _output = new();

    private double _loadedUnits;
    private double _resultUnits;
    private long _resultBytes;
    private (long Own, long Other) _loaded;
    private (long Own, long Other) _found;

    public QueryCount(RunSpec spec, IReadOnlyList<byte[]> documents, IReadOnlyList<string>? keys)
    {
        (_documents, _keys, _asked) = (documents, keys, spec.Workload.Query!);
        var charges = new RequestCharges(ChargeSpec.ModelOf(spec.Simulation?.Charges));
        _charges = spec.AsksTwoReplicas() ? charges.Strong : charges;
        var container = spec.Container;
        _index = IndexingPolicy.Create(container.Indexing, container.PolicyIncludedPaths, container.ExcludedPaths);
        _keyPath = container.KeyPathsFor(spec.Document) is [var only] ? PropertyPath.Parse(only) ?? [] : [];
    }

    /// <exception cref="RequestException">The account rejects the query.</exception>
    /// <exception cref="FormatException">The query cannot be counted.</exception>
    public QueryEffort Count(IEnumerable<SampledQuery> queries, CancellationToken cancellationToken)
    {
        var (evaluated, asked, first) = (0L, 0L, (ParsedQuery?)null);
        foreach (var sampled in queries)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var query = QueryParser.ParseRequest(sampled.Body, _index);
            if (first is null)
                Check(first = query);
            asked++;
            evaluated += 1 + Count(query, sampled);
            if (evaluated >= MaxEvaluated)
                break;
        }

        var pairs = asked * (_documents.Count - 1);
        double Share(long count) => count / (double)Math.Max(1, pairs);
        double Mean(double sum, long count) => count == 0 ? 0 : sum / count;
        var (loaded, found) = (_loaded.Own + _loaded.Other, _found.Own + _found.Other);
        return new QueryEffort
        {
            UnitsOfPage = ChargeOf(first!).Total.Value,
            AsksOnePartition = _keys is not null || first!.Equality(_keyPath) is not null,
            OwnLoaded = Mean(_loaded.Own, asked), LoadedShare = Share(_loaded.Other),
            OwnFound = Mean(_found.Own, asked), FoundShare = Share(_found.Other),
            UnitsOfLoaded = Mean(_loadedUnits, loaded), UnitsOfResult = Mean(_resultUnits, found),
            BytesOfResult = Mean(_resultBytes, found),
            MostResults = first!.End == long.MaxValue ? null : first.End,
            EndsEarly = first.Syntax is { IsAggregate: false, OrderBy.Count: 0 },
            IsAggregate = first.Syntax.IsAggregate,
            PageSize = _asked.PageSize ?? QuerySpec.DefaultPageSize,
            AtOnce = _asked.MaxConcurrency switch { null or 0 => 1, < 0 => int.MaxValue, var some => some.Value },
            Pairs = pairs,
        };
    }

    private static void Check(ParsedQuery query)
    {
        query.CheckOrder();
        var syntax = query.Syntax;
        var what = syntax.Select.IsDistinct ? "DISTINCT" : syntax.GroupBy.Count > 0 ? "GROUP BY"
            : syntax is { ReadsDocuments: true, IteratesRows: true } ? "JOIN or parts of documents in FROM"
            : query.Offset is > 0 ? "OFFSET" : query.IsFeed ? "the parameters of ReadMany" : null;
        if (what is not null)
            throw new FormatException($"queries with {what} are not sized");
    }

    private PageCharge ChargeOf(ParsedQuery query) => new(_charges, query, _keys is not null);

    /// <summary>Counts one query; returns how many documents it was evaluated on.</summary>
    private int Count(ParsedQuery query, SampledQuery sampled)
    {
        var own = sampled.Document;
        var (loads, returns) = (ChargeOf(query), ChargeOf(query));
        var empty = loads.Total.Value;
        var isLoaded = !query.CountsDocuments || query.Condition.LoadsDocuments;
        var candidates = CandidatesOf(query, sampled.Key);
        using var scope = query.CreateScope(DateTimeOffset.UnixEpoch);
        using var results = new ResultWriter(_output);
        foreach (var one in candidates)
        {
            var body = _documents[one];
            var condition = query.Condition;
            if (!QueryCondition.AreMet(condition.Filters, body))
                continue;
            scope.Enter(body);
            var match = condition.MatchBeyondFilters(body, scope);
            if (match == DocumentMatch.NotFound)
                continue;
            var isMet = match == DocumentMatch.Met;
            if (isLoaded)
            {
                loads.Load(body.Length, isMet);
                _loaded = one == own ? (_loaded.Own + 1, _loaded.Other) : (_loaded.Own, _loaded.Other + 1);
            }

            if (!isMet)
                continue;
            _found = one == own ? (_found.Own + 1, _found.Other) : (_found.Own, _found.Other + 1);
            if (!query.Syntax.IsAggregate)
                _resultBytes += Return(query, scope, body, returns, results);
        }

        _loadedUnits += loads.Total.Value - empty;
        _resultUnits += returns.Total.Value - empty;
        return candidates.Count;
    }

    /// <summary>Charges a result; returns its bytes.</summary>
    private int Return(ParsedQuery query, QueryScope scope, byte[] body, PageCharge charge, ResultWriter results)
    {
        if (query.ReturnsDocuments)
        {
            charge.ReturnDocument(body.Length);
            return body.Length;
        }

        if (query.Syntax.Select.Projection.Evaluate(scope) is not { IsDefined: true } value)
            return 0;
        _output.ResetWrittenCount();
        var bytes = results.Write(value);
        charge.ReturnValue(value, bytes, ofDocument: true);
        return bytes;
    }

    /// <summary>The documents that the query may find: those of its partition key, or of a text that it asks for.</summary>
    private IReadOnlyCollection<int> CandidatesOf(ParsedQuery query, string? key)
    {
        if (_keys is not null)
            return [.. GroupsOf("", one => _keys[one])[key!]];
        if (query.Condition.Filters.Find(one => one is { Comparison: BinaryOperator.Equal, Value.Kind: PartitionKeyKind.Text }) is not
            { } filter)
            return [.. Enumerable.Range(0, _documents.Count)];
        var path = new JsonPath("", filter.Path);
        return [.. GroupsOf(string.Join('/', filter.Path.Prepend("")), TextAt)[Encoding.UTF8.GetString(filter.Value.Text)]];

        string TextAt(int one) => path.TryFind(_documents[one], out var reader) && reader.TokenType == JsonTokenType.String
            ? reader.GetString()!
            : "";
    }

    private ILookup<string, int> GroupsOf(string name, Func<int, string> textOf)
    {
        if (!_groups.TryGetValue(name, out var groups))
            _groups[name] = groups = Enumerable.Range(0, _documents.Count).ToLookup(textOf, StringComparer.Ordinal);
        return groups;
    }
}
