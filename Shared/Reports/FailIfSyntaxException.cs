namespace ScaleOut.Reports;

/// <summary>Carries the first fault of a text out of the parser; never leaves <see cref="FailIfExpression"/>.</summary>
internal sealed class FailIfSyntaxException(FailIfFault fault) : Exception(fault.Message)
{
    public FailIfFault Fault { get; } = fault;
}
