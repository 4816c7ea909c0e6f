namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// Which indexes a query uses, and which ones would serve it better. The source is the SDK's <c>IndexMetricsParserBaselineTest</c>, which
/// has responses of the service.
/// </summary>
internal static partial class IndexMetrics
{
    /// <summary>Largest number of characters of the header. Longer metrics are left out.</summary>
    private const int MaxLength = 16 * 1024;

    private static readonly JsonSerializerOptions Plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <param name="isUrlEncoded">Version 2 is URL-encoded; version 1 is in base64.</param>
    public static string? Create(ParsedQuery query, IndexingPolicy index, bool isUrlEncoded)
    {
        (var utilized, var potential) = FindSingles(query, index);
        (var utilizedComposites, var potentialComposites) = FindComposites(query, index);
        var text = isUrlEncoded
            ? Uri.EscapeDataString(ToJson(new
            {
                UtilizedIndexes = new
                {
                    SingleIndexes = utilized.Select(spec => new { IndexSpec = spec }),
                    CompositeIndexes = utilizedComposites.Select(specs => new { IndexSpecs = specs }),
                },
                PotentialIndexes = new
                {
                    SingleIndexes = potential.Select(spec => new { IndexSpec = spec, IndexImpactScore = "High" }),
                    CompositeIndexes = Composites(potentialComposites),
                },
            }))
            : Convert.ToBase64String(Encoding.UTF8.GetBytes(ToJson(new
            {
                UtilizedSingleIndexes = Singles(utilized),
                PotentialSingleIndexes = Singles(potential),
                UtilizedCompositeIndexes = Composites(utilizedComposites),
                PotentialCompositeIndexes = Composites(potentialComposites),
            })));
        return text.Length <= MaxLength ? text : null;

        static string ToJson(object value) => JsonSerializer.Serialize(value, Plain);
        static IEnumerable<object> Composites(List<string[]> all) =>
            all.Select(specs => new { IndexSpecs = specs, IndexImpactScore = "High" });
        static IEnumerable<object> Singles(List<string> specs) => specs.Select(spec => new
        {
            FilterExpression = "", IndexSpec = spec, FilterPreciseSet = true, IndexPreciseSet = true, IndexImpactScore = "High",
        });
    }

    /// <summary>Paths of the conditions and of the functions in SELECT, in reverse order.</summary>
    private static (List<string> Utilized, List<string> Potential) FindSingles(ParsedQuery query, IndexingPolicy index)
    {
        var found = (Utilized: new List<string>(), Potential: new List<string>());
        var conditions = query.Syntax.Where is { } where ? QueryCondition.Operands(where.Value) : [];
        IEnumerable<Expression> selected = query.Syntax.Select.Items.Select(item => item.Item.Value).OfType<Call>();
        foreach (var condition in conditions.Concat(selected).Reverse())
        {
            var serves = IndexUse.Serves(condition, index);
            if (serves || IndexUse.Serves(condition, index: null))
                (serves ? found.Utilized : found.Potential).AddRange(Paths(condition).Select(path => $"{Text(path)}/?"));
        }

        return ([.. found.Utilized.Distinct()], [.. found.Potential.Distinct()]);
    }

    /// <summary>Indexes for equalities followed by one range, and for an ORDER BY of several paths.</summary>
    private static (List<string[]> Utilized, List<string[]> Potential) FindComposites(ParsedQuery query, IndexingPolicy index)
    {
        var found = (Utilized: new List<string[]>(), Potential: new List<string[]>());
        if (query.Syntax.OrderBy.Count > 1
            && index.FindComposite(query.OrderPaths, [.. query.Syntax.OrderBy.Select(item => item.IsDescending)]) is { } ordered)
            found.Utilized.Add(Specs(ordered));
        var equal = PathsOf(kind => kind == BinaryOperator.Equal);
        foreach (var range in PathsOf(kind => kind is not (BinaryOperator.Equal or BinaryOperator.NotEqual)).Except(equal))
        {
            if (equal.Length == 0)
                break;
            var used = index.Composites.FirstOrDefault(
                one => Text(one[^1].Path.Segments) == range
                    && one.SkipLast(1).Select(part => Text(part.Path.Segments)).Order(StringComparer.Ordinal)
                        .SequenceEqual(equal.Order(StringComparer.Ordinal)));
            if (used is not null)
                found.Utilized.Add(Specs(used));
            else
                found.Potential.Add([.. equal.Append(range).Select(path => $"{path} ASC")]);
        }

        return found;

        string[] PathsOf(Func<BinaryOperator, bool> isWanted) =>
            [.. query.Condition.Filters.Where(filter => isWanted(filter.Comparison)).Select(filter => Text(filter.Path)).Distinct()];
        static string[] Specs(IEnumerable<CompositePath> index) =>
            [.. index.Select(part => $"{Text(part.Path.Segments)} {(part.IsDescending ? "DESC" : "ASC")}")];
    }

    private static IEnumerable<IReadOnlyList<string>> Paths(Expression expression) =>
        expression.Path(withPositions: true) is { Count: > 0 } path ? [path] : expression.Parts.SelectMany(Paths);

    private static string Text(IEnumerable<string> segments) => string.Concat(segments.Select(
        segment => segment == "[]" || Name().IsMatch(segment) ? $"/{segment}" : $"/{JsonSerializer.Serialize(segment, Plain)}"));

    [GeneratedRegex(@"\A[\p{L}_][\p{L}\p{Nd}_]*\z")]
    private static partial Regex Name();
}
