namespace ScaleOut.Reports;

/// <summary>How two numbers are compared.</summary>
internal enum FailIfComparison
{
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
}
