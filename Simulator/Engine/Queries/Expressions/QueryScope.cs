namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary>
/// The values that expressions of one request use: parameters, the document, the row of FROM, and aggregates. It limits the rows, and the
/// text and the elements that functions make, of one document. Not thread-safe.
/// </summary>
/// <param name="computed">The queries of the container's computed properties, by name; null for none.</param>
/// <param name="functions">The container's user-defined functions; null if the query calls none, or is only planned.</param>
internal sealed class QueryScope(
    IReadOnlyDictionary<string, Datum> parameters, QuerySyntax syntax, DateTimeOffset now,
    IReadOnlyDictionary<string, QuerySyntax>? computed = null, IUserFunctions? functions = null) : IDisposable
{
    /// <summary>Largest number of rows of FROM, and of characters and array elements that functions make, of one document.</summary>
    private const int MaxProduced = 4 * 1024 * 1024;

    private const int MaxPatterns = 100;

    private static readonly JsonDocumentOptions Options = new() { MaxDepth = 256 };

    private readonly Dictionary<(string Pattern, RegexOptions Options), Regex?> _patterns = [];
    private readonly Dictionary<Subquery, HashSet<UInt128>> _known =
        syntax.DistinctSources.ToDictionary(one => one, _ => new HashSet<UInt128>());

    private ReadOnlyMemory<byte> _json;
    private JsonDocument? _document;
    private long _producedBefore;
    private bool _isComputing;

    /// <summary>The start of the request, the same for all of its documents.</summary>
    public DateTimeOffset Now => now;

    /// <summary>The current row: the values of the sources of FROM, by <see cref="FromSource.Slot"/>.</summary>
    public Datum[] Bindings { get; } = new Datum[syntax.Slots];

    /// <summary>Number of rows, characters and elements that were made so far, of all documents.</summary>
    public long Produced { get; private set; }

    /// <summary>Results of the aggregates, by <see cref="Aggregate.Slot"/>.</summary>
    public Datum[] Aggregates { get; set; } = [];

    /// <summary>Values that replace expressions for every document: the keys of a group. Null for none.</summary>
    public Dictionary<Expression, Datum>? Substitutes { get; set; }

    public IUserFunctions? Functions => functions;

    /// <summary>The document, parsed on first use.</summary>
    public Datum Root => Datum.From((_document ??= JsonDocument.Parse(_json, Options)).RootElement);

    /// <summary>Whether a property of the document is a computed one. The query of a computed property sees no other ones.</summary>
    public bool IsComputed(string name) => !_isComputing && computed?.ContainsKey(name) == true;

    /// <summary>The value of a computed property.</summary>
    public Datum Compute(string name)
    {
        _isComputing = true;
        var value = computed![name].Select.Projection.Evaluate(this);
        _isComputing = false;
        return value;
    }

    /// <summary>Undefined for a parameter without a value.</summary>
    public Datum Parameter(string name) => parameters.GetValueOrDefault(name);

    /// <summary>Enters another document, which must not change until the next one is entered.</summary>
    public void Enter(ReadOnlyMemory<byte> json)
    {
        _document?.Dispose();
        _document = null;
        _json = json;
        _producedBefore = Produced;
        Array.Clear(Bindings);
    }

    /// <summary>The results of all documents so far, of a subquery with DISTINCT over all of them; null for another subquery.</summary>
    public HashSet<UInt128>? KnownResults(Subquery subquery) => _known.GetValueOrDefault(subquery);

    /// <exception cref="RequestException">400: the query makes too much of one document.</exception>
    public void Produce(long amount)
    {
        if (amount > MaxProduced - (Produced - _producedBefore))
            throw RequestException.Rejected($"The query makes more than {MaxProduced} rows, characters and elements of one document.");
        Produced += amount;
    }

    /// <summary>A pattern, which is compiled once for a request. Null if it is malformed or needs backtracking.</summary>
    public Regex? Pattern(string pattern, RegexOptions options)
    {
        if (_patterns.TryGetValue((pattern, options), out var known))
            return known;
        if (_patterns.Count == MaxPatterns)
            _patterns.Clear();
        Regex? made = null;
        try
        {
            made = new Regex(pattern, options | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            // The pattern is malformed, or has look-arounds or back references, which take unlimited time.
        }

        return _patterns[(pattern, options)] = made;
    }

    public void Dispose()
    {
        _document?.Dispose();
        functions?.Dispose();
    }
}

/// <summary>Properties that come from a document's record instead of its body.</summary>
internal static class SystemProperties
{
    private static readonly string[] Names = ["_rid", "_self", "_etag", "_ts", "_attachments"];

    public static bool Contains(string name) => Names.Contains(name);

    /// <summary>The number of a document, which its resource id ends with; null for another text.</summary>
    public static long? NumberOf(string rid)
    {
        Span<byte> bytes = stackalloc byte[16];
        return Convert.TryFromBase64String(rid.Replace('-', '/'), bytes, out var written) && written == bytes.Length
            ? BinaryPrimitives.ReadInt64LittleEndian(bytes[8..])
            : null;
    }

    /// <summary>Whether a query uses system properties. FROM alone, which names the document, does not use it.</summary>
    public static bool AreUsedBy(QuerySyntax query) =>
        query.AllExpressions().Except(query.Sources.Select(source => source.Collection.Value).OfType<Root>()).Any(AreUsedBy);

    /// <summary>Whether an expression uses system properties: by name, or because it takes the whole document.</summary>
    private static bool AreUsedBy(Expression expression)
    {
        if (expression is Root root)
            return root.IsDocument;
        if (expression is Subquery subquery)
            return AreUsedBy(subquery.Syntax);
        if (expression is Member { Owner: Root { IsDocument: true } } member)
        {
            return member.Name is Constant { Value: { Type: DatumType.Text } name }
                ? Contains(name.Text)
                : member.Name is not Constant || AreUsedBy(member.Name);
        }

        return expression.Parts.Any(AreUsedBy);
    }
}
