namespace ScaleOut.Analysis.Experiments;

/// <summary>
/// RU of one physical partition in one second, over all partitions and the seconds in which all workers were at work (without such: all
/// seconds).
/// </summary>
public sealed record PartitionSpread
{
    /// <summary>Physical partitions that were seen.</summary>
    public required int Partitions { get; init; }

    /// <summary>RU/s of one partition; the smallest where they differ. Null if the account does not report it.</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>Whether the even share is an assumption, as on a real account.</summary>
    public required bool AssumedEven { get; init; }

    public required double P5 { get; init; }

    public required double Median { get; init; }

    public required double P95 { get; init; }

    public required double Max { get; init; }

    /// <summary>Reads the spread off a run's report; null when no partition was measured.</summary>
    public static PartitionSpread? From(RunReport report)
    {
        var time = ReportTimeline.From(report);
        var values = report.Partitions
            .SelectMany(partition => time.Overlap.Count > 0 ? time.InOverlap(partition.PerSecond) : time.OnAxis(partition.PerSecond))
            .Order().ToList();
        if (values.Count == 0)
            return null;
        double At(double share) => Math.Round(values[(int)Math.Round(share * (values.Count - 1))], 2);
        return new PartitionSpread
        {
            Partitions = report.Partitions.Count,
            BudgetPerSecond = report.Partitions.Min(partition => partition.BudgetPerSecond),
            AssumedEven = report.Partitions.Any(partition => partition.AssumedEven),
            P5 = At(0.05),
            Median = At(0.5),
            P95 = At(0.95),
            Max = At(1),
        };
    }
}
