namespace ScaleOut.Analysis.Experiments;

/// <summary>What an experiment's report keeps of one run; the run's own report has the rest.</summary>
public sealed record RunDigest
{
    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    public required string RunId { get; init; }

    /// <summary>Null when it was not run.</summary>
    public RunState? State { get; init; }

    /// <summary>Why it was not run, or is not complete; null otherwise.</summary>
    public string? Reason { get; init; }

    /// <summary>Null when it has no report.</summary>
    public RunFigures? Figures { get; init; }

    public DateTimeOffset? StartedAt { get; init; }

    public DateTimeOffset? FinishedAt { get; init; }

    /// <summary>Time between <see cref="StartedAt"/> and <see cref="FinishedAt"/> in which the run was interrupted, seconds.</summary>
    public double InterruptedSeconds { get; init; }

    public ReportedDocuments? Documents { get; init; }

    public ReportedRequests? Requests { get; init; }

    public LatencySummary? OperationLatencyMs { get; init; }

    public Utilization? Utilization { get; init; }

    public PartitionSpread? Partitions { get; init; }

    /// <summary>Seconds that the overlap rate rests on.</summary>
    public int? OverlapSeconds { get; init; }

    /// <summary>Set only while a report is built. The report has the machines of all runs together.</summary>
    [JsonIgnore]
    public IReadOnlyList<MachineKind> Machines { get; init; } = [];

    /// <summary>The first of the run's own warnings.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <param name="end">What the orchestration knows of the run.</param>
    /// <param name="report">Null when there is none.</param>
    public static RunDigest From(MeasuredRun end, RunReport? report)
    {
        return new RunDigest
        {
            Repeat = end.Repeat,
            RunId = end.RunId,
            State = end.State,
            Reason = end.Reason,
            Figures = report is null ? null : RunFigures.From(report),
            StartedAt = report?.StartedAt,
            FinishedAt = report?.FinishedAt,
            InterruptedSeconds = Math.Round(report?.Interruptions.Sum(one => (one.To - one.From).TotalSeconds) ?? 0, 3),
            Documents = report?.Documents,
            Requests = report?.Requests,
            OperationLatencyMs = report?.LatencyMs.Operation,
            Utilization = report?.Utilization,
            Partitions = report is null ? null : PartitionSpread.From(report),
            Machines = report is null ? [] : MachineKind.From(report),
            OverlapSeconds = report?.Throughput.OverlapSeconds,
            Warnings = report is null ? [] : [.. report.Warnings.Take(ExperimentWarnings.MaxWarningsOfARun)],
        };
    }
}

/// <summary>
/// How the RU of one physical partition in one second vary over all partitions and over the seconds in which all workers were at work. If
/// there are no such seconds, all seconds count.
/// </summary>
public sealed record PartitionSpread
{
    /// <summary>Physical partitions that were seen.</summary>
    public required int Partitions { get; init; }

    /// <summary>RU/s that one partition may use; the smallest if partitions differ. Null if the account does not report it.</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>Whether <see cref="BudgetPerSecond"/> assumes even shares, as on a real account.</summary>
    public required bool AssumedEven { get; init; }

    public required double P5 { get; init; }

    public required double Median { get; init; }

    public required double P95 { get; init; }

    public required double Max { get; init; }

    /// <summary>Calculates the spread from a run's report; null when no partition was measured.</summary>
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
