namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary>A part of FROM: <c>c</c>, <c>c.a AS x</c>, <c>x IN c.a</c>, or a subquery in place of the path.</summary>
/// <param name="name">Its name in expressions; null for a subquery without one.</param>
/// <param name="iterates">Whether it has the elements of the arrays that the collection has (IN).</param>
internal sealed class FromSource(SourceExpression collection, string? name, bool iterates, string text)
{
    /// <summary>The container or a path (<see cref="Root"/>, <see cref="Member"/>), or a <see cref="Subquery"/>.</summary>
    public SourceExpression Collection => collection;

    public string? Name => name;

    public bool Iterates => iterates;

    /// <summary>The source as a plan writes it.</summary>
    public string Text => text;

    /// <summary>The place of its current value in <see cref="QueryScope.Bindings"/>.</summary>
    public int Slot { get; set; }

    /// <summary>Whether its only value is the whole document.</summary>
    public bool IsDocument => !iterates && collection.Value is Root { IsDocument: true };

    /// <inheritdoc cref="Expression.Path(bool)"/>
    public List<string>? Path(bool withPositions = false) => new Root("", 0) { Source = this }.Path(withPositions);

    /// <summary>The name at which a path begins; null for a value that is no path.</summary>
    public static Root? PathOrigin(Expression value)
    {
        while (value is Member member)
            value = member.Owner;
        return value as Root;
    }

    /// <summary>The cross product of the sources from a place on, the last one changing fastest.</summary>
    public static IEnumerable<bool> Rows(IReadOnlyList<FromSource> sources, int from, QueryScope scope)
    {
        while (from < sources.Count && sources[from].IsDocument)
            from++;
        if (from == sources.Count)
        {
            yield return true;
            yield break;
        }

        foreach (var value in sources[from].Values(scope))
        {
            scope.Produce(1);
            scope.Bindings[sources[from].Slot] = value;
            foreach (var row in Rows(sources, from + 1, scope))
                yield return row;
        }
    }

    /// <summary>Its values. A path that is undefined, or with IN no array, has none.</summary>
    private IEnumerable<Datum> Values(QueryScope scope)
    {
        var values = collection.Value is Subquery subquery ? subquery.Results(scope) : [collection.Value.Evaluate(scope)];
        return iterates
            ? values.Where(value => value.Type == DatumType.Array).SelectMany(value => value.Items())
            : values.Where(value => value.IsDefined);
    }
}
