namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>A comparison of a name with a number, with the name on its left.</summary>
/// <param name="Number">In the unit of the name.</param>
/// <param name="Written">The number as it was written, with its unit.</param>
/// <param name="Position">Where the comparison begins, from 1.</param>
internal sealed record NumberComparison(string Name, FailIfComparison Comparison, double Number, string Written, int Position)
{
    /// <summary>How a comparison is written, by <see cref="FailIfComparison"/>.</summary>
    public static readonly IReadOnlyList<string> Symbols = [">", ">=", "<", "<=", "==", "!="];

    /// <summary>Null for two names and for two numbers.</summary>
    public static NumberComparison? From(FailIfNode.Compare compare) => compare switch
    {
        { Left: { Name: { } name } left, Right: { Name: null } right } =>
            new(name, compare.Comparison, right.Number, right.Text, left.Position),
        { Left: { Name: null } left, Right: { Name: { } name } } =>
            new(name, Mirrored(compare.Comparison), left.Number, left.Text, left.Position),
        _ => null,
    };

    public override string ToString() => Name + Bound;

    /// <summary>What the number must be, such as <c>&lt;20ms</c>.</summary>
    public string Bound => Symbols[(int)Comparison] + Written;

    private static FailIfComparison Mirrored(FailIfComparison comparison) => comparison switch
    {
        FailIfComparison.Greater => FailIfComparison.Less,
        FailIfComparison.GreaterOrEqual => FailIfComparison.LessOrEqual,
        FailIfComparison.Less => FailIfComparison.Greater,
        FailIfComparison.LessOrEqual => FailIfComparison.GreaterOrEqual,
        _ => comparison,
    };
}
