using ScaleOut.Measurement;

namespace ScaleOut.Reports.Building;

/// <summary>Makes the report of each physical partition.</summary>
internal static class PartitionReports
{
    /// <param name="run">The run.</param>
    /// <param name="seconds">Of the report's series.</param>
    public static IReadOnlyList<PartitionReport> Of(MergedRun run, IReadOnlyList<long> seconds) =>
        [.. run.Partitions.Select((partition, id) => Of(run, partition, id, seconds))];

    public static string RangeOf(MergedPartition partition) => $"{partition.Min}-{partition.Max}";

    private static PartitionReport Of(MergedRun run, MergedPartition partition, int id, IReadOnlyList<long> seconds) => new()
    {
        Id = id,
        Range = RangeOf(partition),
        BudgetPerSecond = Rounding.Amount(run.BudgetOf(partition)),
        AssumedEven = !run.Ending.Simulated,
        RequestUnits = Rounding.Amount(partition.RequestUnits),
        Throttled = partition.Throttled,
        Documents = partition.Documents,
        PerSecond = [.. seconds.Select(second => Rounding.Amount(partition.PerSecond.GetValueOrDefault(second)))],
    };
}
