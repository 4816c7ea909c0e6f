namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary>A scalar expression of a query. It has no state: it is evaluated with the values of a <see cref="QueryScope"/>.</summary>
internal abstract class Expression
{
    /// <summary>Largest number of levels of an expression, so that evaluation never uses up the stack.</summary>
    public const int MaxLevels = 400;

    private const string AnyElement = "[]";

    /// <exception cref="RequestException">400: nested too deeply.</exception>
    protected Expression(params IReadOnlyList<Expression> parts)
    {
        Parts = parts;
        foreach (var part in parts)
            Levels = Math.Max(Levels, part.Levels + 1);
        if (Levels > MaxLevels)
            throw RequestException.Rejected($"The query is nested more than {MaxLevels} levels deep.");
    }

    public IReadOnlyList<Expression> Parts { get; }

    /// <summary>Distinguishes the expression from others of its class with the same parts.</summary>
    protected virtual string Label => "";

    private int Levels { get; } = 1;

    public Datum Evaluate(QueryScope scope) =>
        scope.Substitutes is { } substitutes && substitutes.TryGetValue(this, out var value) ? value : EvaluateCore(scope);

    protected abstract Datum EvaluateCore(QueryScope scope);

    /// <summary>This expression and all expressions in it, without those of subqueries.</summary>
    public IEnumerable<Expression> All() => All(withSubqueries: false);

    public IEnumerable<Expression> All(bool withSubqueries)
    {
        var waiting = new Stack<Expression>([this]);
        while (waiting.TryPop(out var next))
        {
            yield return next;
            foreach (var part in withSubqueries || next is not Subquery ? next.Parts : [])
                waiting.Push(part);
        }
    }

    /// <summary>Whether the two expressions are written alike, except for white space and brackets.</summary>
    public bool IsSame(Expression other) =>
        GetType() == other.GetType() && Label == other.Label && Parts.Count == other.Parts.Count
        && Parts.Zip(other.Parts).All(pair => pair.First.IsSame(pair.Second));

    /// <summary>Property names from the document to the value; null if it is not a path of names.</summary>
    /// <param name="withPositions">Whether it may have positions in arrays, or any of their elements; these are <c>[]</c>.</param>
    public List<string>? Path(bool withPositions = false) => Path(withPositions, out _);

    /// <summary>Whether it is a path through elements that FROM iterates over, so that a document may have several values.</summary>
    public bool IsOfElement() => Path(withPositions: true, out var isOfElement) is not null && isOfElement;

    private List<string>? Path(bool withPositions, out bool isOfElement)
    {
        isOfElement = false;
        // Iterative: a path may be as long as an expression is deep.
        var names = new List<string>();
        var at = this;
        while (true)
        {
            switch (at)
            {
                case Member { Name: Constant { Value: var name } } member when withPositions || name.Type == DatumType.Text:
                    names.Add(name.Type == DatumType.Text ? name.Text : AnyElement);
                    at = member.Owner;
                    break;
                case Root { IsDocument: true }:
                    names.Reverse();
                    return names;
                case Root { Source: { } source } when withPositions || !source.Iterates:
                    if (source.Iterates)
                        names.Add(AnyElement);
                    isOfElement |= source.Iterates;
                    at = source.Collection.Value;
                    break;
                case Subquery { Kind: SubqueryKind.Source, Syntax.IsAggregate: false } subquery:
                    at = subquery.Syntax.Select.Projection;
                    break;
                case ObjectLiteral literal when names.Count > 0 && literal.Find(names[^1]) is { } property:
                    names.RemoveAt(names.Count - 1);
                    at = property;
                    break;
                default:
                    return null;
            }
        }
    }
}

/// <summary>A value in the query's text.</summary>
internal sealed class Constant(Datum value) : Expression
{
    public Datum Value => value;

    protected override string Label => value.IsDefined ? DatumJson.ToText(value) : "";

    protected override Datum EvaluateCore(QueryScope scope) => value;
}

/// <summary>A value that comes with the query.</summary>
internal sealed class Parameter(string name) : Expression
{
    public string Name => name;

    protected override string Label => name;

    protected override Datum EvaluateCore(QueryScope scope) => scope.Parameter(name);
}

/// <summary>A name: of the document, or of another source of FROM.</summary>
/// <param name="start">Where it begins in the query's text.</param>
internal sealed class Root(string name, int start) : Expression
{
    public string Name => name;

    public int Start => start;

    /// <summary>What it stands for; null for the container's document.</summary>
    public FromSource? Source { get; set; }

    public bool IsDocument => Source is null or { IsDocument: true };

    protected override string Label => name;

    protected override Datum EvaluateCore(QueryScope scope) => IsDocument ? scope.Root : scope.Bindings[Source!.Slot];
}

/// <summary>A property of an object, or an element of an array: <c>a.b</c>, <c>a["b"]</c>, <c>a[0]</c>.</summary>
internal sealed class Member(Expression owner, Expression name) : Expression(owner, name)
{
    public Expression Owner => owner;

    public Expression Name => name;

    /// <summary>Where it is in the query's text; only of a member that is no other one's owner.</summary>
    public TextPlace Place { get; init; }

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var at = name.Evaluate(scope);
        if (owner is Root { IsDocument: true } && at.Type == DatumType.Text && scope.IsComputed(at.Text))
            return scope.Compute(at.Text);
        var from = owner.Evaluate(scope);
        return (from.Type, at.Type) switch
        {
            (DatumType.Object, DatumType.Text) => from.Property(at.Text),
            (DatumType.Array, DatumType.Number) when at.Number == Math.Floor(at.Number) && at.Number is >= 0 and < int.MaxValue =>
                from.Item((int)at.Number),
            _ => Datum.Undefined,
        };
    }
}

/// <summary><c>[a, b]</c>, without undefined items.</summary>
internal sealed class ArrayLiteral(IReadOnlyList<Expression> items) : Expression(items)
{
    protected override Datum EvaluateCore(QueryScope scope) =>
        Datum.From([.. Parts.Select(item => item.Evaluate(scope)).Where(item => item.IsDefined)]);
}

/// <summary><c>{"a": b}</c>, without undefined properties. If two properties have the same name, the last one wins.</summary>
internal sealed class ObjectLiteral(IReadOnlyList<string> names, IReadOnlyList<Expression> values) : Expression(values)
{
    public IReadOnlyList<string> Names => names;

    /// <summary>The value of a property; null without it.</summary>
    public Expression? Find(string name)
    {
        for (var i = names.Count - 1; i >= 0; i--)
        {
            if (names[i] == name)
                return Parts[i];
        }

        return null;
    }

    protected override string Label => string.Join('\n', names);

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var properties = new List<KeyValuePair<string, Datum>>(names.Count);
        for (var i = 0; i < names.Count; i++)
        {
            var value = Parts[i].Evaluate(scope);
            if (!value.IsDefined)
                continue;
            properties.RemoveAll(one => one.Key == names[i]);
            properties.Add(KeyValuePair.Create(names[i], value));
        }

        return Datum.From(properties.ToArray());
    }
}

internal delegate Datum FunctionBody(QueryScope scope, ReadOnlySpan<Datum> arguments);

/// <summary>A function of the service.</summary>
/// <param name="Name">In capitals; queries may write it in any case.</param>
/// <param name="UsesIndex">Whether an index serves it if its first argument is a path and the others are constants.</param>
internal sealed record Function(string Name, int MinArguments, int MaxArguments, FunctionBody Body, bool UsesIndex = false);

internal sealed class Call(Function function, IReadOnlyList<Expression> arguments) : Expression(arguments)
{
    public Function Function => function;

    protected override string Label => function.Name;

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var values = new Datum[Parts.Count];
        for (var i = 0; i < values.Length; i++)
            values[i] = Parts[i].Evaluate(scope);
        return function.Body(scope, values);
    }
}

/// <summary>The user-defined functions that a query may call.</summary>
internal interface IUserFunctions : IDisposable
{
    /// <exception cref="RequestException">400 or 408: the function failed.</exception>
    Datum Call(string name, ReadOnlySpan<Datum> arguments);
}

/// <summary>A user-defined function of the container: <c>udf.f(a, b)</c>.</summary>
/// <param name="place">Where the call begins and ends in the query's text.</param>
internal sealed class UserCall(string name, IReadOnlyList<Expression> arguments, TextPlace place) : Expression(arguments)
{
    public string Name => name;

    public TextPlace Place => place;

    protected override string Label => name;

    protected override Datum EvaluateCore(QueryScope scope) =>
        scope.Functions is { } functions ? functions.Call(name, [.. Parts.Select(part => part.Evaluate(scope))]) : Datum.Undefined;
}
