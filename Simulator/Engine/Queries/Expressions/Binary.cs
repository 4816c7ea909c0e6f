namespace ScaleOut.Simulator.Engine.Queries.Expressions;

internal enum BinaryOperator
{
    Or,
    And,
    Concat,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,

    /// <summary>Fills with zeros.</summary>
    ShiftRightUnsigned,
}

/// <summary>An operator between two values. It is undefined for operands of another type than its own.</summary>
internal sealed class Binary(BinaryOperator kind, Expression left, Expression right) : Expression(left, right)
{
    public BinaryOperator Kind => kind;

    protected override string Label => kind.ToString();

    public Expression Left => left;

    public Expression Right => right;

    public bool IsComparison => kind is >= BinaryOperator.Equal and <= BinaryOperator.GreaterOrEqual;

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var first = left.Evaluate(scope);
        var second = right.Evaluate(scope);
        if (IsComparison)
            return Compare(kind, first, second);
        if (kind == BinaryOperator.Concat)
        {
            if (first.Type != DatumType.Text || second.Type != DatumType.Text)
                return Datum.Undefined;
            scope.Produce(first.Text.Length + second.Text.Length);
            return Datum.From(first.Text + second.Text);
        }

        return first.Type == DatumType.Number && second.Type == DatumType.Number
            ? Calculate(first, second)
            : Datum.Undefined;
    }

    /// <summary>Integers of 64 bits stay exact, as far as the result has no more.</summary>
    private Datum Calculate(Datum first, Datum second)
    {
        var result = Calculate(first.Number, second.Number);
        if ((first.IsLong || second.IsLong || Math.Abs(result) >= JsonNumber.ExactLimit)
            && first.TryLong(out var left) && second.TryLong(out var right)
            && CalculateExactly(left, right) is { } exact && exact >= long.MinValue && exact <= long.MaxValue)
            return Datum.From((long)exact);
        return Datum.FromCalculation(result);
    }

    private Int128? CalculateExactly(Int128 first, Int128 second) => kind switch
    {
        BinaryOperator.Add => first + second,
        BinaryOperator.Subtract => first - second,
        BinaryOperator.Multiply => first * second,
        BinaryOperator.Modulo when second != 0 => first % second,
        _ => null,
    };

    public static Datum Compare(BinaryOperator kind, Datum left, Datum right)
    {
        if (kind is BinaryOperator.Equal or BinaryOperator.NotEqual)
        {
            var equal = DatumComparison.Equal(left, right);
            return equal.IsDefined ? Datum.From(equal.IsTrue == (kind == BinaryOperator.Equal)) : equal;
        }

        return DatumComparison.Compare(left, right) is { } order ? Datum.From(Holds(kind, order)) : Datum.Undefined;
    }

    /// <summary>Whether a comparison holds between values in this order: below 0, 0, or above 0.</summary>
    public static bool Holds(BinaryOperator comparison, int order) => comparison switch
    {
        BinaryOperator.Equal => order == 0,
        BinaryOperator.NotEqual => order != 0,
        BinaryOperator.Less => order < 0,
        BinaryOperator.LessOrEqual => order <= 0,
        BinaryOperator.Greater => order > 0,
        _ => order >= 0,
    };

    /// <summary>The 32 bits that bitwise operators see: a number's integer part modulo 2^32.</summary>
    public static int Bits(double number) => unchecked((int)(uint)(long)Math.IEEERemainder(Math.Truncate(number), 4294967296.0));

    private double Calculate(double first, double second) => kind switch
    {
        BinaryOperator.Add => first + second,
        BinaryOperator.Subtract => first - second,
        BinaryOperator.Multiply => first * second,
        BinaryOperator.Divide => first / second,
        BinaryOperator.Modulo => first % second,
        BinaryOperator.BitAnd => Bits(first) & Bits(second),
        BinaryOperator.BitOr => Bits(first) | Bits(second),
        // As in JavaScript, only the lowest five bits of the distance count. C# does the same for 32 bits.
        BinaryOperator.ShiftLeft => Bits(first) << Bits(second),
        BinaryOperator.ShiftRight => Bits(first) >> Bits(second),
        BinaryOperator.ShiftRightUnsigned => (uint)Bits(first) >> Bits(second),
        _ => Bits(first) ^ Bits(second),
    };
}

/// <summary><c>a AND b AND c</c>, or the same with OR. False decides an AND, and true an OR; otherwise undefined wins.</summary>
internal sealed class Junction(bool isAnd, IReadOnlyList<Expression> operands) : Expression(operands)
{
    public bool IsAnd => isAnd;

    protected override string Label => isAnd ? "AND" : "OR";

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var isDefined = true;
        foreach (var operand in Parts)
        {
            var value = operand.Evaluate(scope);
            if (!value.IsBoolean)
                isDefined = false;
            else if (value.IsTrue != isAnd)
                return value;
        }

        return isDefined ? Datum.From(isAnd) : Datum.Undefined;
    }
}
