namespace ScaleOut.Simulator.Engine.Queries.Expressions;

internal readonly record struct SourceExpression(Expression Value, string Text, TextPlace Place);

internal sealed record SelectItem(SourceExpression Item, string Name);

internal sealed record OrderItem(SourceExpression Item, bool IsDescending);

/// <summary>The number after TOP, OFFSET or LIMIT: a value or a parameter.</summary>
internal sealed record CountSyntax(double? Value, string? Parameter, TextPlace Place);

internal enum SelectKind
{
    /// <summary><c>SELECT *</c></summary>
    All,

    /// <summary><c>SELECT VALUE a</c></summary>
    Value,

    /// <summary><c>SELECT a AS b, c</c></summary>
    List,
}

internal sealed record SelectSyntax(SelectKind Kind, IReadOnlyList<SelectItem> Items, Expression Projection)
{
    /// <param name="star">Where the <c>*</c> is.</param>
    public static SelectSyntax All(int star) => new(SelectKind.All, [], new Root("*", star));

    public static SelectSyntax Value(SourceExpression value) => new(SelectKind.Value, [new SelectItem(value, "")], value.Value);

    public static SelectSyntax List(IReadOnlyList<SelectItem> items) => new(
        SelectKind.List, items, new ObjectLiteral([.. items.Select(item => item.Name)], [.. items.Select(item => item.Item.Value)]));

    public bool IsDistinct { get; init; }

    public CountSyntax? Top { get; init; }

    /// <summary>Where TOP is with its number.</summary>
    public TextPlace TopPlace { get; init; }
}

/// <summary>A query or subquery without its parameters' values. What its names stand for is set once; nothing else changes.</summary>
internal sealed record QuerySyntax
{
    public required SelectSyntax Select { get; init; }

    /// <summary>The parts of FROM. Without any, the query has one result, which uses no document.</summary>
    public IReadOnlyList<FromSource> Sources { get; init; } = [];

    public SourceExpression? Where { get; init; }

    public IReadOnlyList<SourceExpression> GroupBy { get; init; } = [];

    public IReadOnlyList<OrderItem> OrderBy { get; init; } = [];

    public TextPlace OrderPlace { get; init; }

    public CountSyntax? Offset { get; init; }

    public CountSyntax? Limit { get; init; }

    /// <summary>Where OFFSET and LIMIT are with their numbers.</summary>
    public TextPlace OffsetPlace { get; init; }

    /// <summary>The aggregates of SELECT, by slot.</summary>
    public IReadOnlyList<Aggregate> Aggregates { get; init; } = [];

    /// <summary>Parts of SELECT and ORDER BY that are keys of the group, with their places in <see cref="GroupBy"/>.</summary>
    public IReadOnlyList<(Expression Part, int Key)> GroupParts { get; init; } = [];

    public IReadOnlyList<string> Parameters { get; init; } = [];

    /// <summary>Calls of user-defined functions.</summary>
    public IReadOnlyList<UserCall> UserCalls { get; init; } = [];

    /// <summary>Whether an expression or result needs more than a document's body.</summary>
    public bool SeesSystemProperties { get; init; }

    /// <summary>Number of values that <see cref="QueryScope.Bindings"/> has: sources of the query and its subqueries.</summary>
    public int Slots { get; init; }

    /// <summary>Whether the query has rows of documents of the container.</summary>
    public bool ReadsDocuments { get; init; }

    /// <summary>Subqueries with DISTINCT that have rows of more than one document.</summary>
    public IReadOnlyList<Subquery> DistinctSources { get; init; } = [];

    /// <summary>The subquery whose distinct results the query counts and does nothing else with; null for another query.</summary>
    public Subquery? CountedDistinct =>
        this is { Sources: [{ Iterates: false, Collection.Value: Subquery subquery }], Where: null, GroupBy.Count: 0, OrderBy.Count: 0 }
        && this is { Offset: null, Select: { IsDistinct: false, Top: null, Items: [{ Item.Value: Aggregate count }] } }
        && count is { Kind: AggregateKind.Count, Argument: Constant { Value.IsDefined: true } } && DistinctSources is [var only]
        && only == subquery
            ? subquery : null;

    public bool IsAggregate => Aggregates.Count > 0 || GroupBy.Count > 0;

    /// <summary>Whether a row is anything but a whole document.</summary>
    public bool IteratesRows => Sources.Count != 1 || !Sources[0].IsDocument;

    /// <summary>The name of the first source in expressions.</summary>
    public string? Alias => Sources.Count == 0 ? null : Sources[0].Name;

    public IEnumerable<Expression> Expressions() =>
        Select.Items.Select(item => item.Item.Value)
            .Concat(Select.Kind == SelectKind.All ? [Select.Projection] : [])
            .Concat(Where is { } where ? [where.Value] : [])
            .Concat(GroupBy.Select(key => key.Value))
            .Concat(OrderBy.Select(item => item.Item.Value));

    /// <summary>All expressions, also paths and subqueries of FROM.</summary>
    public IEnumerable<Expression> AllExpressions() =>
        Expressions().Concat(Sources.Select(source => source.Collection.Value));

    /// <summary>Enumerates the rows that meet WHERE. While a row is the current one, its values are in the scope.</summary>
    public IEnumerable<bool> Rows(QueryScope scope) =>
        FromSource.Rows(Sources, 0, scope).Where(_ => Where is not { } where || where.Value.Evaluate(scope).IsTrue);
}

/// <summary>Names the properties of a SELECT list.</summary>
internal static class SelectNames
{
    /// <summary>Without AS, a property keeps its name, the document its alias, and everything else gets a number: $1, $2.</summary>
    public static IReadOnlyList<SelectItem> Give(IEnumerable<((SourceExpression Item, string? Alias) One, TextPlace Place)> items)
    {
        var named = new List<SelectItem>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        var unnamed = 0;
        foreach (((var item, var alias), (_, var end)) in items)
        {
            var name = alias ?? Of(item.Value) ?? $"${++unnamed}";
            if (!names.Add(name))
            {
                throw RequestException.InQuery(
                    "SC2022", new TextPlace(end - name.Length, end),
                    $"Object creation error, property name '{name}' specified more than once.");
            }

            named.Add(new SelectItem(item, name));
        }

        return named;
    }

    /// <summary>The last name of a path; null for anything else.</summary>
    public static string? Of(Expression value) => value switch
    {
        Root root => root.Name,
        Member { Name: Constant { Value: { Type: DatumType.Text } last } } => last.Text,
        _ => null,
    };
}
