namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>One row per physical partition; of many only the busiest, with a summary of all.</summary>
internal static class PartitionTable
{
    /// <summary>Rows up to which every partition has its own.</summary>
    public const int MaxRows = 20;

    /// <summary>One table, or none when no partition was measured.</summary>
    public static IReadOnlyList<TextTable> From(RunReport report)
    {
        var partitions = report.Partitions;
        if (partitions.Count == 0)
            return [];

        var many = partitions.Count > MaxRows;
        var seconds = report.Throughput.OverlapSeconds;
        double? MeanOf(PartitionReport partition) => seconds == 0
            ? null
            : partition.PerSecond.Zip(report.Series).Where(pair => pair.Second.Overlap).Sum(pair => pair.First) / seconds;
        var shown = many
            ? partitions.OrderByDescending(partition => partition.Counts.RequestUnits).Take(MaxRows).OrderBy(partition => partition.Id)
            : partitions.AsEnumerable();

        IReadOnlyList<string> Row(PartitionReport partition) =>
        [
            partition.Id.ToString(CultureInfo.InvariantCulture),
            partition.Range,
            Numbers.Count(partition.Counts.Inserted),
            Numbers.Brief(partition.Counts.RequestUnits),
            Numbers.Brief(MeanOf(partition)),
            Numbers.Brief(partition.PerSecond.Count > 0 ? partition.PerSecond.Max() : null),
            Numbers.Brief(partition.BudgetPerSecond),
            Numbers.Count(partition.Counts.Throttled),
        ];

        return [new TextTable("Physical partitions",
            [
                Column.From("Partition"), Column.From("Range"), new("Documents"), new("RU"), new("RU/s in overlap"), new("RU/s peak"),
                new(BudgetTitle(report)), new("Throttled"),
            ],
            [.. shown.Select(Row)],
            many ? Summary(partitions) : null)];
    }

    /// <summary>The budget's name; on a real account it says that the even share is assumed.</summary>
    public static string BudgetTitle(RunReport report)
    {
        return report.Partitions.Any(partition => partition.AssumedEven) ? "Budget RU/s (assumed even)" : "Budget RU/s";
    }

    private static string Summary(IReadOnlyList<PartitionReport> partitions)
    {
        var sorted = partitions.Select(partition => partition.Counts.RequestUnits).Order().ToList();
        return $"The {MaxRows} busiest of {Numbers.Count(partitions.Count)} partitions. RU of a partition: least "
            + $"{Numbers.Brief(sorted[0])}, "
            + $"median {Numbers.Brief(sorted[sorted.Count / 2])}, most {Numbers.Brief(sorted[^1])}; "
            + $"{Numbers.Count(partitions.Count(partition => partition.Counts.Throttled > 0))} of them throttled.";
    }
}
