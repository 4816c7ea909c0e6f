using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary><c>a IN (b, c)</c>: whether the value is one of the others, of whatever type.</summary>
internal sealed class In(Expression value, IReadOnlyList<Expression> others) : Expression([value, .. others])
{
    protected override Datum EvaluateCore(QueryScope scope)
    {
        Datum sought = Parts[0].Evaluate(scope);
        if (!sought.IsDefined)
            return Datum.Undefined;
        for (int i = 1; i < Parts.Count; i++)
        {
            if (DatumComparison.AreEqual(sought, Parts[i].Evaluate(scope)))
                return Datum.From(true);
        }

        return Datum.From(false);
    }
}

/// <summary><c>a BETWEEN b AND c</c>, both included: the same as <c>a &gt;= b AND a &lt;= c</c>.</summary>
internal sealed class Between(Expression value, Expression least, Expression most) : Expression(value, least, most)
{
    protected override Datum EvaluateCore(QueryScope scope)
    {
        Datum at = value.Evaluate(scope);
        Datum low = Binary.Compare(BinaryOperator.GreaterOrEqual, at, least.Evaluate(scope));
        Datum high = Binary.Compare(BinaryOperator.LessOrEqual, at, most.Evaluate(scope));
        if (low.Type == DatumType.False || high.Type == DatumType.False)
            return Datum.From(false);
        return low.IsTrue && high.IsTrue ? Datum.From(true) : Datum.Undefined;
    }
}

/// <summary><c>a LIKE 'b%' ESCAPE '!'</c>.</summary>
internal sealed class Like(Expression value, Expression pattern, char? escape) : Expression(value, pattern)
{
    private readonly LikePattern? _constant =
        pattern is Constant { Value.Type: DatumType.Text } constant ? LikePattern.Parse(constant.Value.Text, escape) : null;

    protected override string Label => $"{escape}";

    protected override Datum EvaluateCore(QueryScope scope)
    {
        Datum text = value.Evaluate(scope);
        Datum wanted = pattern.Evaluate(scope);
        if (text.Type != DatumType.Text || wanted.Type != DatumType.Text)
            return Datum.Undefined;
        return Datum.From((_constant ?? LikePattern.Parse(wanted.Text, escape)).Matches(text.Text));
    }
}
