namespace ScaleOut.Analysis.Limits;

/// <summary>
/// The numbers that a condition of a search may name: those of a run's report, and short names for the most common ones. The short names
/// leave out the warm-up.
/// </summary>
public static class LimitNumbers
{
    /// <summary>All names.</summary>
    public static IReadOnlyCollection<string> Names { get; } = [.. From(EmptyReport(), asked: 1).Keys];

    /// <summary>All numbers of a run; null for those that were not measured.</summary>
    /// <param name="asked">Rate that was asked for, documents per second.</param>
    public static IReadOnlyDictionary<string, double?> From(RunReport report, double asked)
    {
        var latency = LatencyOf(report);
        return new Dictionary<string, double?>(ReportNumbers.From(report), StringComparer.Ordinal)
        {
            ["p50"] = latency.P50,
            ["p90"] = latency.P90,
            ["p95"] = latency.P95,
            ["p96"] = latency.P96,
            ["p99"] = latency.P99,
            ["p999"] = latency.P999,
            ["mean"] = latency.Mean,
            [ReportNumbers.ThrottledShare] = ThrottledShareOf(report),
            [LimitCondition.AchievedShare] = AchievedShare(report, asked),
            [LimitCondition.Errors] = report.Requests.OtherErrors,
        };
    }

    /// <summary>
    /// The numbers of a search's report, which <c>--fail-if</c> may name: <c>rate</c>, <c>interval.low</c>, <c>interval.high</c> and
    /// <c>runs</c>.
    /// </summary>
    public static IReadOnlyDictionary<string, double?> OfSearch(LimitReport? report) => new Dictionary<string, double?>
    {
        ["rate"] = report?.Limit.AchievedPerSecond ?? report?.Limit.Rate,
        ["interval.low"] = report?.Limit.Low,
        ["interval.high"] = report?.Limit.High,
        ["runs"] = report?.Steps.Sum(step => step.Runs.Count),
    };

    /// <summary>The kind of number that a name stands for: throttling, latency, errors or another part of the condition.</summary>
    internal static LimitCause CauseOf(string name) => name switch
    {
        ReportNumbers.ThrottledShare or "requests.throttled" => LimitCause.Throttling,
        LimitCondition.Errors or "requests.otherErrors" or "documents.failed" => LimitCause.Errors,
        "p50" or "p90" or "p95" or "p96" or "p99" or "p999" or "mean" => LimitCause.Latency,
        _ when name.StartsWith("requests.errorsByStatus.", StringComparison.Ordinal) => LimitCause.Errors,
        _ when name.StartsWith("latencyMs.", StringComparison.Ordinal) => LimitCause.Latency,
        _ => LimitCause.Condition,
    };

    /// <summary>Latencies of operations without those of the warm-up, which has a step of its own.</summary>
    internal static LatencySummary LatencyOf(RunReport report) =>
        report.Steps is [.., var last] ? last.LatencyMs : report.LatencyMs.Operation;

    /// <summary>Attempts that got a 429 / attempts, without those of the warm-up; null without attempts.</summary>
    internal static double? ThrottledShareOf(RunReport report) =>
        report.Steps is [.., var last] ? last.Counts.ThrottledShare : report.Requests.ThrottledShare;

    /// <summary>
    /// Share of the asked rate that was achieved, at most 1. Allows for one operation of each worker, which may fall on either side of the
    /// ends of the measured time.
    /// </summary>
    private static double? AchievedShare(RunReport report, double asked)
    {
        if (report.Throughput.Rate is not { } rate)
            return null;
        var seconds = report.Throughput.OverlapPerSecond is null
            ? report.Throughput.MakespanSeconds ?? 0
            : report.Throughput.OverlapSeconds;
        var atEnds = seconds > 0 ? report.Spec.Workers * report.Spec.Workload.DocumentsPerOperation / seconds : 0;
        return Math.Min(1, (rate + atEnds) / asked);
    }

    private static RunReport EmptyReport()
    {
        var ending = new RunEnding { Spec = new RunSpec { Id = "none" }, StartedAt = default, FinishedAt = default };
        return RunReportBuilder.Build(ending, new LegHarvest([], LostLegs: 0)) with { Utilization = new Utilization() };
    }
}
