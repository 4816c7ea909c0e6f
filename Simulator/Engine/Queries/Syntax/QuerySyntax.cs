namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>An expression and its text in the query.</summary>
internal readonly record struct SourceExpression(Expression Value, string Text);

internal sealed record SelectItem(SourceExpression Item, string Name);

internal sealed record OrderItem(SourceExpression Item, bool IsDescending);

/// <summary>The number after TOP, OFFSET or LIMIT: a value or a parameter.</summary>
internal sealed record CountSyntax(double? Value, string? Parameter);

internal enum SelectKind
{
    /// <summary><c>SELECT *</c></summary>
    All,

    /// <summary><c>SELECT VALUE a</c></summary>
    Value,

    /// <summary><c>SELECT a AS b, c</c></summary>
    List,
}

internal sealed record SelectSyntax(SelectKind Kind, IReadOnlyList<SelectItem> Items)
{
    public bool IsDistinct { get; init; }

    public CountSyntax? Top { get; init; }
}

/// <summary>A query without its parameters' values. It is immutable.</summary>
internal sealed record QuerySyntax
{
    public required SelectSyntax Select { get; init; }

    /// <summary>FROM, such as <c>root r</c>. Null without FROM: the query then has one result, which uses no document.</summary>
    public required string? Source { get; init; }

    /// <summary>The document's name in expressions.</summary>
    public required string? Alias { get; init; }

    public SourceExpression? Where { get; init; }

    public IReadOnlyList<SourceExpression> GroupBy { get; init; } = [];

    public IReadOnlyList<OrderItem> OrderBy { get; init; } = [];

    public CountSyntax? Offset { get; init; }

    public CountSyntax? Limit { get; init; }

    /// <summary>The aggregates of SELECT, by slot.</summary>
    public IReadOnlyList<Aggregate> Aggregates { get; init; } = [];

    /// <summary>Parts of SELECT that are keys of the group, with their places in <see cref="GroupBy"/>.</summary>
    public IReadOnlyList<(Expression Part, int Key)> GroupParts { get; init; } = [];

    public IReadOnlyList<string> Parameters { get; init; } = [];

    /// <summary>Whether an expression or result needs more than a document's body.</summary>
    public bool SeesSystemProperties { get; init; }

    public bool IsAggregate => Aggregates.Count > 0 || GroupBy.Count > 0;

    public IEnumerable<Expression> Expressions() =>
        Select.Items.Select(item => item.Item.Value)
            .Concat(Where is { } where ? [where.Value] : [])
            .Concat(GroupBy.Select(key => key.Value))
            .Concat(OrderBy.Select(item => item.Item.Value));
}

/// <summary>Names the properties of a SELECT list.</summary>
internal static class SelectNames
{
    /// <summary>Without AS, a property keeps its name, the document its alias, and everything else gets a number: $1, $2.</summary>
    public static IReadOnlyList<SelectItem> Give(IEnumerable<(SourceExpression Item, string? Alias, int End)> items)
    {
        var named = new List<SelectItem>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        var unnamed = 0;
        foreach ((var item, var alias, var end) in items)
        {
            var name = alias ?? item.Value switch
            {
                Root root => root.Name,
                Member { Name: Constant { Value: { Type: DatumType.Text } last } } => last.Text,
                _ => $"${++unnamed}",
            };
            if (!names.Add(name))
            {
                throw RequestException.InQuery(
                    "SC2022", end - name.Length, end, $"Object creation error, property name '{name}' specified more than once.");
            }

            named.Add(new SelectItem(item, name));
        }

        return named;
    }
}
