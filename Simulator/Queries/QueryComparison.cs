namespace ScaleOut.Simulator.Queries;

internal enum QueryComparison
{
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}
