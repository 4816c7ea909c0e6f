namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>An expression and the text that it stands for in the query.</summary>
internal readonly record struct SourceExpression(Expression Value, string Text);

/// <summary>An item of a SELECT list.</summary>
internal sealed record SelectItem(SourceExpression Item, string Name);

internal sealed record OrderItem(SourceExpression Item, bool IsDescending);

/// <summary>The number behind TOP, OFFSET or LIMIT: written out or a parameter.</summary>
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

/// <summary>What SELECT says.</summary>
internal sealed record SelectSyntax(SelectKind Kind, IReadOnlyList<SelectItem> Items)
{
    public bool IsDistinct { get; init; }

    public CountSyntax? Top { get; init; }
}

/// <summary>A query as its text says it, without the values of its parameters. It is never changed.</summary>
internal sealed record QuerySyntax
{
    public required SelectSyntax Select { get; init; }

    /// <summary>What stands behind FROM, such as <c>root r</c>. A query without FROM has null: its one result is of no document.</summary>
    public required string? Source { get; init; }

    /// <summary>The name that the document has in expressions.</summary>
    public required string? Alias { get; init; }

    public SourceExpression? Where { get; init; }

    public IReadOnlyList<SourceExpression> GroupBy { get; init; } = [];

    public IReadOnlyList<OrderItem> OrderBy { get; init; } = [];

    public CountSyntax? Offset { get; init; }

    public CountSyntax? Limit { get; init; }

    /// <summary>The aggregates of SELECT, by their slots.</summary>
    public IReadOnlyList<Aggregate> Aggregates { get; init; } = [];

    /// <summary>The parts of SELECT that a group was made by, each with its place in <see cref="GroupBy"/>.</summary>
    public IReadOnlyList<(Expression Part, int Key)> GroupParts { get; init; } = [];

    /// <summary>Parameters of its expressions.</summary>
    public IReadOnlyList<string> Parameters { get; init; } = [];

    /// <summary>Whether an expression or result has what is not in a document's body.</summary>
    public bool SeesSystemProperties { get; init; }

    public bool IsAggregate => Aggregates.Count > 0 || GroupBy.Count > 0;

    /// <summary>Every expression of the query.</summary>
    public IEnumerable<Expression> Expressions() =>
        Select.Items.Select(item => item.Item.Value)
            .Concat(Where is { } where ? [where.Value] : [])
            .Concat(GroupBy.Select(key => key.Value))
            .Concat(OrderBy.Select(item => item.Item.Value));
}

/// <summary>The properties that the items of a SELECT list become.</summary>
internal static class SelectNames
{
    /// <summary>An item without AS has its last property's name, the document its alias, all else a number: $1, $2.</summary>
    public static IReadOnlyList<SelectItem> Give(IEnumerable<(SourceExpression Item, string? Alias)> items)
    {
        var named = new List<SelectItem>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        int unnamed = 0;
        foreach ((SourceExpression item, string? alias) in items)
        {
            string name = alias ?? item.Value switch
            {
                Root root => root.Name,
                Member { Name: Constant { Value: { Type: DatumType.Text } last } } => last.Text,
                _ => $"${++unnamed}",
            };
            if (!names.Add(name))
                throw RequestException.Rejected(
                    ServiceStatus.BadRequest, $"Cannot create duplicate field '{name}': give one of the two another name with AS.");
            named.Add(new SelectItem(item, name));
        }

        return named;
    }
}
