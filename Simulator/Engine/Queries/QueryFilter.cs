namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Compares the value at a path with a scalar, on a body's bytes.</summary>
internal sealed record QueryFilter(IReadOnlyList<string> Path, BinaryOperator Comparison, QueryValue Value)
{
    private readonly JsonPath _path = new("", Path);
    private readonly bool _wantsText = Comparison == BinaryOperator.Equal && Value.Kind == PartitionKeyKind.Text;

    /// <summary>Whether a document's body meets the filter. A body without the property never does.</summary>
    public bool Matches(ReadOnlySpan<byte> body)
    {
        if (_wantsText && LacksText(body))
            return false;
        return _path.TryFind(body, out var reader) && Compare(ref reader);
    }

    /// <summary>
    /// Whether the text cannot occur, because its bytes do not and nothing is escaped. Searching bytes takes a fraction of the time of
    /// reading properties, and a query looks at every document of its partition.
    /// </summary>
    private bool LacksText(ReadOnlySpan<byte> body) => body.IndexOf(Value.Text) < 0 && !body.Contains((byte)'\\');

    private bool Compare(ref Utf8JsonReader reader)
    {
        var scratch = ArrayPool<byte>.Shared.Rent(reader.ValueIsEscaped ? reader.ValueSpan.Length : 0);
        try
        {
            // A value that is no scalar differs from every scalar.
            return PartitionKeyValue.TryRead(ref reader, scratch, out var actual)
                ? Value.Holds(Comparison, actual)
                : Comparison == BinaryOperator.NotEqual;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which is valid JSON but not UTF-8.
            var text = SurrogateText.Unescape(Encoding.UTF8.GetString(reader.ValueSpan));
            return Value.Holds(Comparison, PartitionKeyValue.From(text));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(scratch);
        }
    }
}

/// <summary>
/// Where the SDK resumes an ORDER BY on a partition: at the last returned values. For an array or object, the SDK sends a hash.
/// </summary>
/// <param name="Document">The number of the last returned document; null if this partition did not return it.</param>
/// <param name="IsExcluded">Whether documents with exactly these values were returned already.</param>
internal sealed record ResumeFilter(IReadOnlyList<ResumeValue> Values, long? Document, bool IsExcluded)
{
    /// <exception cref="FormatException">Malformed.</exception>
    public static ResumeFilter Read(JsonElement filter)
    {
        long? document = null;
        if (filter.TryGetProperty("rid", out var rid) && rid.ValueKind == JsonValueKind.String)
        {
            document = SystemProperties.NumberOf(rid.GetString()!)
                ?? throw new FormatException("The resume filter's rid is not the resource id of a document.");
        }

        return new ResumeFilter(
            [.. filter.GetProperty("value").EnumerateArray().Select(ResumeValue.Read)],
            document,
            filter.TryGetProperty("exclude", out var exclude) && exclude.GetBoolean());
    }
}

/// <summary>A value to resume at: a scalar, undefined, or the hash of an array or object.</summary>
internal readonly record struct ResumeValue(Datum Scalar, DatumType Type, UInt128 Hash)
{
    public static ResumeValue Read(JsonElement value)
    {
        if (value.ValueKind == JsonValueKind.Array)
            return new ResumeValue(Datum.Undefined, DatumType.Undefined, 0);
        if (value.ValueKind != JsonValueKind.Object)
            return From(Datum.From(value).Detached());
        var isArray = value.GetProperty("type").GetString() == "array";
        var hash = new UInt128((ulong)value.GetProperty("high").GetInt64(), (ulong)value.GetProperty("low").GetInt64());
        return new ResumeValue(Datum.Undefined, isArray ? DatumType.Array : DatumType.Object, hash);
    }

    public static ResumeValue From(Datum scalar) => new(scalar, scalar.Type, 0);

    public int CompareTo(Datum other)
    {
        if (Type is not (DatumType.Array or DatumType.Object))
            return DatumComparison.CompareAll(Scalar, other);
        return Type != other.Type ? Type.CompareTo(other.Type) : DatumHash.Compare(Hash, DatumHash.From(other));
    }
}

/// <summary>The result of matching a document with a query's condition.</summary>
internal enum DocumentMatch
{
    /// <summary>The index does not find the document.</summary>
    NotFound,

    /// <summary>The document is loaded, and does not meet the condition.</summary>
    Rejected,

    Met,
}

/// <summary>
/// WHERE as conditions that must all hold: those that an index serves, those that need loaded documents, and those of a row of FROM.
/// </summary>
internal sealed class QueryCondition
{
    private readonly QuerySyntax _syntax;
    private readonly List<Expression> _ofRows = [];

    /// <param name="index">Null for an index of everything.</param>
    public QueryCondition(QuerySyntax syntax, QueryScope scope, IndexingPolicy? index)
    {
        _syntax = syntax;
        foreach (var condition in syntax.Where is { } where ? Operands(where.Value) : [])
        {
            if (Filter(condition, scope) is { } filter)
                (index?.Holds(filter.Path) != false ? Filters : Scanned).Add(filter);
            else if (condition.All(withSubqueries: true).Any(IsOfRow))
                _ofRows.Add(condition);
            else
                (IndexUse.Serves(condition, index) ? Served : Loaded).Add(condition);
        }

        ServedOfRows = [.. _ofRows.Where(condition => IndexUse.Serves(condition, index))];

        bool IsOfRow(Expression part) => part is Root { IsDocument: false, Source: { } source } && syntax.Sources.Contains(source);
    }

    /// <summary>Conditions of a row that an index serves, by the elements of all arrays of a document.</summary>
    public IReadOnlyList<Expression> ServedOfRows { get; }

    /// <summary>Whether an index decides alone which documents have rows.</summary>
    public bool ServesRows => _ofRows.Count > 0 && ServedOfRows.Count == _ofRows.Count;

    /// <summary>Comparisons of a path with a scalar that an index serves.</summary>
    public List<QueryFilter> Filters { get; } = [];

    /// <summary>Comparisons of a path with a scalar that need loaded documents.</summary>
    public List<QueryFilter> Scanned { get; } = [];

    /// <summary>Other conditions that an index serves.</summary>
    public List<Expression> Served { get; } = [];

    /// <summary>Other conditions that need loaded documents.</summary>
    public List<Expression> Loaded { get; } = [];

    public bool IsEmpty => Filters.Count == 0 && !LoadsDocuments && Served.Count == 0;

    public bool HasExpressions => Served.Count > 0 || Loaded.Count > 0;

    /// <summary>Whether the index alone does not decide the condition.</summary>
    public bool LoadsDocuments => Scanned.Count > 0 || Loaded.Count > 0 || ServedOfRows.Count < _ofRows.Count;

    /// <summary>Enumerates the rows that meet the conditions of rows. The scope has the values of the current one.</summary>
    public IEnumerable<bool> Rows(QueryScope scope) =>
        FromSource.Rows(_syntax.Sources, 0, scope).Where(_ => AreTrue(_ofRows, scope));

    /// <summary>Whether the JSON object in the scope meets all conditions of documents.</summary>
    public bool Matches(ReadOnlySpan<byte> body, QueryScope scope) =>
        AreMet(Filters, body) && MatchBeyondFilters(body, scope) == DocumentMatch.Met;

    /// <summary>How a document that meets <see cref="Filters"/> meets the other conditions of documents.</summary>
    public DocumentMatch MatchBeyondFilters(ReadOnlySpan<byte> body, QueryScope scope) =>
        !AreTrue(Served, scope) ? DocumentMatch.NotFound
        : AreMet(Scanned, body) && AreTrue(Loaded, scope) ? DocumentMatch.Met
        : DocumentMatch.Rejected;

    public static bool AreMet(IReadOnlyList<QueryFilter> filters, ReadOnlySpan<byte> body)
    {
        for (var i = 0; i < filters.Count; i++)
        {
            if (!filters[i].Matches(body))
                return false;
        }

        return true;
    }

    public static bool AreTrue(IReadOnlyList<Expression> conditions, QueryScope scope)
    {
        for (var i = 0; i < conditions.Count; i++)
        {
            if (!conditions[i].Evaluate(scope).IsTrue)
                return false;
        }

        return true;
    }

    public static IEnumerable<Expression> Operands(Expression condition) =>
        condition is Junction { IsAnd: true } and ? and.Parts.SelectMany(Operands) : [condition];

    private static QueryFilter? Filter(Expression condition, QueryScope scope)
    {
        if (condition is not Binary { IsComparison: true } comparison)
            return null;
        return Filter(comparison.Left, comparison.Kind, comparison.Right, scope)
            ?? Filter(comparison.Right, Mirrored(comparison.Kind), comparison.Left, scope);
    }

    private static QueryFilter? Filter(Expression left, BinaryOperator kind, Expression right, QueryScope scope)
    {
        if (right is not (Constant or Parameter) || left.Path() is not { Count: > 0 } path || SystemProperties.Contains(path[0])
            || scope.IsComputed(path[0]))
            return null;
        return QueryValue.From(right.Evaluate(scope)) is { } value ? new QueryFilter(path, kind, value) : null;
    }

    private static BinaryOperator Mirrored(BinaryOperator kind) => kind switch
    {
        BinaryOperator.Less => BinaryOperator.Greater,
        BinaryOperator.LessOrEqual => BinaryOperator.GreaterOrEqual,
        BinaryOperator.Greater => BinaryOperator.Less,
        BinaryOperator.GreaterOrEqual => BinaryOperator.LessOrEqual,
        _ => kind,
    };
}
