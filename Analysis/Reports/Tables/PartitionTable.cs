namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>A row for each physical partition. If there are many, only the busiest have one.</summary>
internal static class PartitionTable
{
    /// <summary>Largest number of partitions that each have a row.</summary>
    public const int MaxPartitions = 20;

    public static TextTable From(RunReport report)
    {
        var partitions = report.Partitions;
        var many = partitions.Count > MaxPartitions;
        var seconds = report.Throughput.OverlapSeconds;
        double? MeanOf(PartitionReport partition) => seconds == 0
            ? null
            : partition.PerSecond.Zip(report.Series).Where(pair => pair.Second.Overlap).Sum(pair => pair.First) / seconds;
        return new Columns<PartitionReport>()
            .Text("Partition", partition => partition.Id.ToString(CultureInfo.InvariantCulture))
            .Text("Range", partition => partition.Range)
            .Count("Documents", partition => partition.Counts.Inserted)
            .Number("RU", partition => partition.Counts.RequestUnits.Value)
            .Number("RU/s in overlap", MeanOf)
            .Number("RU/s peak", partition => partition.PerSecond.Count > 0 ? partition.PerSecond.Max() : null)
            // On a real account the even share is an assumption.
            .Number(
                partitions.Any(partition => partition.AssumedEven) ? "Budget RU/s (assumed even)" : "Budget RU/s",
                partition => partition.BudgetPerSecond)
            .Count("Throttled", partition => partition.Counts.Throttled)
            .Table(
                "Physical partitions",
                many
                    ? partitions.OrderByDescending(partition => partition.Counts.RequestUnits.Parts).Take(MaxPartitions)
                        .OrderBy(partition => partition.Id)
                    : partitions,
                many ? Summary(partitions) : null,
                console: false);
    }

    private static string Summary(IReadOnlyList<PartitionReport> partitions)
    {
        var sorted = partitions.Select(partition => partition.Counts.RequestUnits.Value).Order().ToList();
        return $"The {MaxPartitions} busiest of {Numbers.Count(partitions.Count)} partitions. RU of a partition: least "
            + $"{Numbers.Brief(sorted[0])}, median {Numbers.Brief(sorted[sorted.Count / 2])}, most {Numbers.Brief(sorted[^1])}; "
            + $"{Numbers.Count(partitions.Count(partition => partition.Counts.Throttled > 0))} of them throttled.";
    }
}
