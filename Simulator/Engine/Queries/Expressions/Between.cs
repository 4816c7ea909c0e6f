namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary><c>a BETWEEN b AND c</c>: the same as <c>a &gt;= b AND a &lt;= c</c>.</summary>
internal sealed class Between(Expression value, Expression least, Expression most) : Expression(value, least, most)
{
    protected override Datum EvaluateCore(QueryScope scope)
    {
        var at = value.Evaluate(scope);
        var low = Binary.Compare(BinaryOperator.GreaterOrEqual, at, least.Evaluate(scope));
        var high = Binary.Compare(BinaryOperator.LessOrEqual, at, most.Evaluate(scope));
        if (low.Type == DatumType.False || high.Type == DatumType.False)
            return Datum.From(false);
        return low.IsTrue && high.IsTrue ? Datum.From(true) : Datum.Undefined;
    }
}
