using ScaleOut.Measurement;

namespace ScaleOut.Reports.Building;

/// <summary>Makes the report of each physical partition.</summary>
internal static class PartitionReports
{
    public static IReadOnlyList<PartitionReport> Of(MergedRun run) => [.. run.Partitions.Select((partition, id) => new PartitionReport
    {
        Id = id,
        Range = RangeOf(partition),
        BudgetPerSecond = Rounding.Amount(run.BudgetOf(partition)),
        AssumedEven = !run.Ending.Simulated,
        RequestUnits = Rounding.Amount(partition.RequestUnits),
        Throttled = partition.Throttled,
        Documents = partition.Documents,
        PerSecond = [.. partition.PerSecond.Select(Rounding.Amount)],
    })];

    public static string RangeOf(MergedPartition partition) => $"{partition.Min}-{partition.Max}";
}
