namespace ScaleOut.Reports;

/// <summary>What is wrong with a condition, and where.</summary>
/// <param name="Position">Character at which it starts, from 1.</param>
/// <param name="Message">What, in one line.</param>
public sealed record FailIfFault(int Position, string Message)
{
    public override string ToString() => $"position {Position}: {Message}";
}
