namespace ScaleOut.Reports;

/// <summary>A part of a parsed condition.</summary>
internal abstract record FailIfNode
{
    public abstract bool Holds(IReadOnlyDictionary<string, double?> values);

    internal sealed record Or(FailIfNode Left, FailIfNode Right) : FailIfNode
    {
        public override bool Holds(IReadOnlyDictionary<string, double?> values) => Left.Holds(values) || Right.Holds(values);
    }

    internal sealed record And(FailIfNode Left, FailIfNode Right) : FailIfNode
    {
        public override bool Holds(IReadOnlyDictionary<string, double?> values) => Left.Holds(values) && Right.Holds(values);
    }

    internal sealed record Compare(FailIfOperand Left, FailIfComparison Comparison, FailIfOperand Right) : FailIfNode
    {
        public override bool Holds(IReadOnlyDictionary<string, double?> values)
        {
            // A number that a run does not have says nothing, not even that it differs.
            if (Left.ValueIn(values) is not { } left || Right.ValueIn(values) is not { } right || double.IsNaN(left) || double.IsNaN(right))
                return false;
            return Comparison switch
            {
                FailIfComparison.Greater => left > right,
                FailIfComparison.GreaterOrEqual => left >= right,
                FailIfComparison.Less => left < right,
                FailIfComparison.LessOrEqual => left <= right,
                FailIfComparison.Equal => left == right,
                FailIfComparison.NotEqual => left != right,
                _ => throw new InvalidOperationException($"no such comparison: {Comparison}"),
            };
        }
    }
}
