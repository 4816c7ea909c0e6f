using ScaleOut.Simulator.Engine.Queries.Expressions;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// How often a query looks into the index of a partition: once for each value that it compares with, and for each ORDER BY.
/// </summary>
internal static class IndexLookups
{
    public static int Count(QueryCondition condition, int orderItems) =>
        condition.Filters.Count + condition.Served.Sum(Count) + orderItems;

    private static int Count(Expression condition) => condition switch
    {
        Junction or Unary { Kind: UnaryOperator.Not } => condition.Parts.Sum(Count),
        In => condition.Parts.Count - 1,
        Constant or Parameter => 0,
        _ => 1,
    };
}
