namespace ScaleOut.Analysis.Experiments;

/// <summary>What an experiment's report keeps of one run; the run's own report has the rest.</summary>
public sealed record RunDigest
{
    private const int MaxWarnings = 3;

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

    /// <summary>Time between the two in which the run was interrupted, seconds.</summary>
    public double InterruptedSeconds { get; init; }

    public ReportedDocuments? Documents { get; init; }

    public ReportedRequests? Requests { get; init; }

    public LatencySummary? OperationLatencyMs { get; init; }

    public Utilization? Utilization { get; init; }

    public PartitionSpread? Partitions { get; init; }

    /// <summary>Seconds that the overlap rate rests on.</summary>
    public int? OverlapSeconds { get; init; }

    /// <summary>Only while a report is built, which has those of all runs together.</summary>
    [JsonIgnore]
    public IReadOnlyList<MachineKind> Machines { get; init; } = [];

    /// <summary>The first of the run's own warnings.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Digests a run.</summary>
    /// <param name="end">What the orchestration knows of it.</param>
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
            Warnings = report is null ? [] : [.. report.Warnings.Take(MaxWarnings)],
        };
    }
}
