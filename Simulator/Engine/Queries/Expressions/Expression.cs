namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary>A scalar expression of a query. It has no state: what it is evaluated with is in the <see cref="QueryScope"/>.</summary>
internal abstract class Expression
{
    /// <summary>Levels that an expression may have, so that its evaluation never uses up the stack.</summary>
    public const int MostLevels = 400;

    /// <exception cref="RequestException">400: nested too deeply.</exception>
    protected Expression(params IReadOnlyList<Expression> parts)
    {
        Parts = parts;
        foreach (Expression part in parts)
            Levels = Math.Max(Levels, part.Levels + 1);
        if (Levels > MostLevels)
            throw RequestException.Rejected(ServiceStatus.BadRequest, $"The query is nested more than {MostLevels} levels deep.");
    }

    public IReadOnlyList<Expression> Parts { get; }

    /// <summary>What distinguishes it from others of its class with the same parts.</summary>
    protected virtual string Label => "";

    private int Levels { get; } = 1;

    public Datum Evaluate(QueryScope scope) =>
        scope.Substitutes is { } substitutes && substitutes.TryGetValue(this, out Datum value) ? value : EvaluateCore(scope);

    protected abstract Datum EvaluateCore(QueryScope scope);

    /// <summary>It and everything in it.</summary>
    public IEnumerable<Expression> All()
    {
        var waiting = new Stack<Expression>([this]);
        while (waiting.TryPop(out Expression? next))
        {
            yield return next;
            foreach (Expression part in next.Parts)
                waiting.Push(part);
        }
    }

    /// <summary>Whether it is written as the other one is, but for white space and brackets.</summary>
    public bool IsSame(Expression other) =>
        GetType() == other.GetType() && Label == other.Label && Parts.Count == other.Parts.Count
        && Parts.Zip(other.Parts).All(pair => pair.First.IsSame(pair.Second));

    /// <summary>Names of the properties from the document to the value; null for anything but a path of names.</summary>
    public virtual List<string>? Path() => null;
}

/// <summary>A value that stands in the query's text.</summary>
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

/// <summary>The document.</summary>
internal sealed class Root(string name) : Expression
{
    /// <summary>What the query calls it.</summary>
    public string Name => name;

    protected override Datum EvaluateCore(QueryScope scope) => scope.Root;

    public override List<string> Path() => [];
}

/// <summary>A property of an object, or an element of an array: <c>a.b</c>, <c>a["b"]</c>, <c>a[0]</c>.</summary>
internal sealed class Member(Expression owner, Expression name) : Expression(owner, name)
{
    public Expression Owner => owner;

    public Expression Name => name;

    protected override Datum EvaluateCore(QueryScope scope)
    {
        Datum from = owner.Evaluate(scope);
        Datum at = name.Evaluate(scope);
        return (from.Type, at.Type) switch
        {
            (DatumType.Object, DatumType.Text) => from.Property(at.Text),
            (DatumType.Array, DatumType.Number) when at.Number == Math.Floor(at.Number) && at.Number is >= 0 and < int.MaxValue =>
                from.Item((int)at.Number),
            _ => Datum.Undefined,
        };
    }

    public override List<string>? Path()
    {
        // Iterative: a path may be as long as an expression is deep.
        var names = new List<string>();
        Expression at = this;
        while (at is Member { Name: Constant { Value.Type: DatumType.Text } constant } member)
        {
            names.Add(constant.Value.Text);
            at = member.Owner;
        }

        names.Reverse();
        return at is Root ? names : null;
    }
}

/// <summary><c>[a, b]</c>; what is undefined is left out.</summary>
internal sealed class ArrayLiteral(IReadOnlyList<Expression> items) : Expression(items)
{
    protected override Datum EvaluateCore(QueryScope scope) =>
        Datum.From([.. Parts.Select(item => item.Evaluate(scope)).Where(item => item.IsDefined)]);
}

/// <summary><c>{"a": b}</c>; what is undefined is left out, and of two properties with one name the last stays.</summary>
internal sealed class ObjectLiteral(IReadOnlyList<string> names, IReadOnlyList<Expression> values) : Expression(values)
{
    protected override string Label => string.Join('\n', names);

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var properties = new List<KeyValuePair<string, Datum>>(names.Count);
        for (int i = 0; i < names.Count; i++)
        {
            Datum value = Parts[i].Evaluate(scope);
            if (!value.IsDefined)
                continue;
            properties.RemoveAll(one => one.Key == names[i]);
            properties.Add(KeyValuePair.Create(names[i], value));
        }

        return Datum.From(properties.ToArray());
    }
}

/// <summary>What a function does with its arguments.</summary>
internal delegate Datum FunctionBody(QueryScope scope, ReadOnlySpan<Datum> arguments);

/// <summary>A function of the service.</summary>
/// <param name="Name">In capitals; queries may write it in any case.</param>
internal sealed record Function(string Name, int Least, int Most, FunctionBody Body);

/// <summary>The call of a function.</summary>
internal sealed class Call(Function function, IReadOnlyList<Expression> arguments) : Expression(arguments)
{
    public Function Function => function;

    protected override string Label => function.Name;

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var values = new Datum[Parts.Count];
        for (int i = 0; i < values.Length; i++)
            values[i] = Parts[i].Evaluate(scope);
        return function.Body(scope, values);
    }
}
