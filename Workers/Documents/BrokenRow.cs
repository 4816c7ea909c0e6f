namespace ScaleOut.Workers.Documents;

/// <summary>A row of a CSV file that is none.</summary>
/// <param name="Line">Line on which it begins, from 1.</param>
/// <param name="Reason">Why.</param>
public sealed record BrokenRow(long Line, string Reason)
{
    public override string ToString() => $"line {Line} ({Reason})";
}
