namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary><c>a IN (b, c)</c>: whether the value is among the others, of any type.</summary>
internal sealed class In(Expression value, IReadOnlyList<Expression> others) : Expression([value, .. others])
{
    protected override Datum EvaluateCore(QueryScope scope)
    {
        var sought = Parts[0].Evaluate(scope);
        if (!sought.IsDefined)
            return Datum.Undefined;
        for (var i = 1; i < Parts.Count; i++)
        {
            if (DatumComparison.AreEqual(sought, Parts[i].Evaluate(scope)))
                return Datum.From(true);
        }

        return Datum.From(false);
    }
}
