namespace ScaleOut.Simulator.Engine.Queries;

internal enum QueryComparison
{
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}
