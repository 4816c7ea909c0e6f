namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>A row for each worker. If there are many, only the slowest have one.</summary>
internal static class WorkerTable
{
    /// <summary>Largest number of workers that each have a row.</summary>
    private const int MaxWorkers = 50;

    public static TextTable From(RunReport report)
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
            .Count(
                "Connections", worker => worker.Machine?.Connections,
                when: report.Workers.Any(worker => worker.Machine?.Connections is not null))
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
                        + "is the time between its legs. Connections are the most that its process had open to the account. Start and end "
                        + "are seconds after the first start of any worker.",
                console: false);
    }
}
