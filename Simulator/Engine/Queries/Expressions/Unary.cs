namespace ScaleOut.Simulator.Engine.Queries.Expressions;

internal enum UnaryOperator
{
    Not,
    Minus,
    Plus,
    BitNot,
}

internal sealed class Unary(UnaryOperator kind, Expression operand) : Expression(operand)
{
    public UnaryOperator Kind => kind;

    protected override string Label => kind.ToString();

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var value = operand.Evaluate(scope);
        if (kind == UnaryOperator.Not)
            return value.IsBoolean ? Datum.From(!value.IsTrue) : Datum.Undefined;
        if (value.Type != DatumType.Number)
            return Datum.Undefined;
        return kind switch
        {
            UnaryOperator.Minus => value.Negated(),
            UnaryOperator.BitNot => Datum.From(~Binary.Bits(value.Number)),
            _ => value,
        };
    }
}
