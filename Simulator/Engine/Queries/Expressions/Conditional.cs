namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary><c>a ?? b</c>: b if a is undefined.</summary>
internal sealed class Coalesce(Expression first, Expression second) : Expression(first, second)
{
    protected override Datum EvaluateCore(QueryScope scope) =>
        first.Evaluate(scope) is { IsDefined: true } value ? value : second.Evaluate(scope);
}

/// <summary><c>a ? b : c</c>: c unless a is true.</summary>
internal sealed class Conditional(Expression condition, Expression then, Expression otherwise) : Expression(condition, then, otherwise)
{
    protected override Datum EvaluateCore(QueryScope scope) =>
        condition.Evaluate(scope).IsTrue ? then.Evaluate(scope) : otherwise.Evaluate(scope);
}
