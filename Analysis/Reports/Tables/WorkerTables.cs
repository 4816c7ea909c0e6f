namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>One row per worker and per physical partition; of many only those that matter most.</summary>
internal static class WorkerTables
{
    /// <summary>Rows up to which every worker has its own.</summary>
    private const int MaxWorkers = 50;

    /// <summary>Rows up to which every partition has its own.</summary>
    public const int MaxPartitions = 20;

    public static TextTable Workers(RunReport report)
    {
        var many = report.Workers.Count > MaxWorkers;
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        var first = report.Workers.Min(worker => worker.StartedAt);
        return new Columns<WorkerReport>()
            .Text("Worker", worker => worker.Index.ToString(CultureInfo.InvariantCulture))
            .Count(words.Done, worker => worker.Documents.Inserted)
            .Number($"{words.Plural}/s", worker => worker.Throughput.Rate)
            .Number(
                "Asked/s", worker => worker.Throughput.AskedPerSecond,
                when: report.Workers.Any(worker => worker.Throughput.AskedPerSecond is not null))
            .Number("Start", worker => (worker.StartedAt - first)?.TotalSeconds, "s")
            .Number("End", worker => (worker.EndedAt - first)?.TotalSeconds, "s")
            .Count("Throttled", worker => worker.Requests.Throttled)
            .Number("p50", worker => worker.LatencyMs.Operation.P50, "ms")
            .Number("p99", worker => worker.LatencyMs.Operation.P99, "ms")
            .Number("CPU", worker => worker.CpuSeconds, "s")
            .Share("CPU share", worker => worker.Machine?.CpuShare)
            .Share("Max", worker => worker.CpuShareMax)
            .Number("Round trip", worker => worker.RoundTripMs, "ms")
            .Number("Late", worker => worker.StartLatenessMs, "ms")
            .Number("Idle", worker => worker.IdleBetweenLegsSeconds, "s")
            .Text("Instance", worker => worker.Machine?.InstanceId)
            .Table(
                "Workers",
                many
                    ? report.Workers.OrderBy(worker => worker.Throughput.Rate ?? 0).Take(MaxWorkers).OrderBy(worker => worker.Index)
                    : report.Workers,
                many
                    ? $"The {MaxWorkers} slowest of {Numbers.Count(report.Workers.Count)} workers; report.json has all."
                    : "Latencies are of operations. CPU share is of the worker's own cores, its mean and that of its busiest second; idle "
                        + "is the time between its legs. Start and end are seconds after the first start of any worker.",
                console: false);
    }

    public static TextTable Partitions(RunReport report)
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
            .Number("RU", partition => partition.Counts.RequestUnits)
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
                    ? partitions.OrderByDescending(partition => partition.Counts.RequestUnits).Take(MaxPartitions)
                        .OrderBy(partition => partition.Id)
                    : partitions,
                many ? Summary(partitions) : null,
                console: false);
    }

    private static string Summary(IReadOnlyList<PartitionReport> partitions)
    {
        var sorted = partitions.Select(partition => partition.Counts.RequestUnits).Order().ToList();
        return $"The {MaxPartitions} busiest of {Numbers.Count(partitions.Count)} partitions. RU of a partition: least "
            + $"{Numbers.Brief(sorted[0])}, median {Numbers.Brief(sorted[sorted.Count / 2])}, most {Numbers.Brief(sorted[^1])}; "
            + $"{Numbers.Count(partitions.Count(partition => partition.Counts.Throttled > 0))} of them throttled.";
    }
}
