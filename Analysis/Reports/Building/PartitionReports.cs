namespace ScaleOut.Analysis.Reports.Building;

internal static class PartitionReports
{
    public static IReadOnlyList<PartitionReport> From(MergedRun run, IReadOnlyList<long> seconds) =>
        [.. run.Partitions.Select((partition, id) => From(run, partition, id, seconds))];

    public static string RangeOf(MergedPartition partition) => $"{partition.Min}-{partition.Max}";

    private static PartitionReport From(MergedRun run, MergedPartition partition, int id, IReadOnlyList<long> seconds) => new()
    {
        Id = id,
        Range = RangeOf(partition),
        BudgetPerSecond = Rounding.Amount(run.BudgetOf(partition)),
        AssumedEven = !run.Ending.Simulated,
        Counts = partition.Counts.Rounded(),
        PerSecond = [.. seconds.Select(second => Rounding.Amount(partition.PerSecond.GetValueOrDefault(second)))],
    };
}
