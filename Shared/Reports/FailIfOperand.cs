namespace ScaleOut.Reports;

/// <summary>One side of a comparison: a name, or a number.</summary>
/// <param name="Name">Null for a number.</param>
/// <param name="Number">Meaningless for a name.</param>
/// <param name="Position">Where it stands, from 1.</param>
internal sealed record FailIfOperand(string? Name, double Number, int Position)
{
    public double? ValueIn(IReadOnlyDictionary<string, double?> values) => Name is null ? Number : values[Name];
}
