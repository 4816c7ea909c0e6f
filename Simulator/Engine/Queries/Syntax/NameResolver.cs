namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>Finds what each name of a statement stands for, and numbers the sources of FROM in it and its subqueries.</summary>
internal sealed class NameResolver
{
    /// <summary>Number of sources.</summary>
    public int Slots { get; private set; }

    /// <summary>Whether the first source leads to the container.</summary>
    public bool ReadsDocuments { get; private set; }

    /// <exception cref="RequestException">400: a name is unknown, or two sources of FROM have the same name.</exception>
    public void Resolve(QuerySyntax query) => Resolve(query, outer: null, readsContainer: true);

    /// <param name="readsContainer">Whether the first source may be the container: in the statement, or in its own first source.</param>
    private void Resolve(QuerySyntax query, Scope? outer, bool readsContainer)
    {
        var scope = outer;
        foreach (var source in query.Sources)
        {
            var isFirst = readsContainer && source == query.Sources[0];
            if (source.Collection.Value is Subquery subquery)
                Resolve(subquery.Syntax, scope, isFirst);
            else
                Resolve(FromSource.PathOrigin(source.Collection.Value)!, scope, mayBeContainer: isFirst);
            if (source.Name is { } name && query.Sources.TakeWhile(other => other != source).Any(other => other.Name == name))
                throw RequestException.Rejected($"Two sources of FROM have the name '{name}'.");
            source.Slot = Slots++;
            scope = new Scope(source, scope);
        }

        if (query is { Select: { Kind: SelectKind.All, Projection: Root star }, Sources: [var first, ..] })
            star.Source = first;
        foreach (var part in query.Expressions().SelectMany(expression => expression.All()))
        {
            if (part is Subquery subquery)
                Resolve(subquery.Syntax, scope, readsContainer: false);
            else if (part is Root root && !(query.Select.Kind == SelectKind.All && part == query.Select.Projection))
                Resolve(root, scope, mayBeContainer: false);
        }
    }

    private void Resolve(Root root, Scope? scope, bool mayBeContainer)
    {
        while (scope is not null && scope.Source.Name != root.Name)
            scope = scope.Outer;
        if (scope is null && !mayBeContainer)
        {
            throw RequestException.InQuery(
                "SC2001", new TextPlace(root.Start, root.Start + root.Name.Length), $"Identifier '{root.Name}' could not be resolved.");
        }

        ReadsDocuments |= scope is null;
        root.Source = scope?.Source;
    }

    /// <summary>The names that a part of the statement sees: those of its own sources, then those of outer queries.</summary>
    private sealed record Scope(FromSource Source, Scope? Outer);
}
