namespace ScaleOut.Analysis.Limits;

/// <summary>
/// The numbers that a condition of a search may name: those of a run's report. The short names for latencies and 429s of all operations
/// leave out the warm-up.
/// </summary>
public static class LimitNumbers
{
    /// <summary>All names of numbers of a run's report, which conditions of runs may use as well.</summary>
    public static IReadOnlyCollection<string> Names { get; } = [.. From(EmptyReport(), asked: 1).Keys];

    /// <summary>The short names for one kind of operation of a mix, such as <c>insert.p99</c>.</summary>
    public static IReadOnlyCollection<string> NamesOf(WorkloadKind kind) => [.. ConditionName.OfKind(kind)];

    /// <summary>All numbers of a run; null for those that were not measured.</summary>
    /// <param name="asked">Rate that was asked for, documents per second.</param>
    public static IReadOnlyDictionary<string, double?> From(RunReport report, double asked)
    {
        var numbers = new Dictionary<string, double?>(ReportNumbers.From(report), StringComparer.Ordinal)
        {
            [ReportNumbers.ThrottledShare] = ThrottledShareOf(report),
            [LimitSpec.AchievedShare] = ReportNumbers.AchievedShare(report, asked),
        };
        foreach (var (name, latency) in ConditionName.LatenciesOf(LatencyOf(report)))
            numbers[name] = latency;
        return numbers;
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

    /// <summary>
    /// Sentences about comparisons of a fail-if condition that make a run fail for a low latency, few 429s or few errors, for achieving its
    /// rate, or for valid figures.
    /// </summary>
    public static IReadOnlyList<string> ProbablyInverted(FailIfExpression failIf) =>
    [
        .. from one in failIf.Comparisons
           let isBelow = one.Comparison is FailIfComparison.Less or FailIfComparison.LessOrEqual
           let isAbove = one.Comparison is FailIfComparison.Greater or FailIfComparison.GreaterOrEqual
           let isValid = one is { Name: ReportNumbers.Valid, Comparison: FailIfComparison.Equal, Number: 1 }
           let isCause = ConditionName.From(one.Name).Cause is not LimitCause.Condition
           where (isBelow && isCause) || (isAbove && one.Name == LimitSpec.AchievedShare) || isValid
           let meant = isValid ? one with { Number = 0, Written = "0" }
               : one with { Comparison = isBelow ? FailIfComparison.GreaterOrEqual : FailIfComparison.Less }
           select $"a run fails when the condition holds, so '{one}' fails the better runs; did you mean {meant}?",
    ];

    /// <summary>The latencies of operations by the short names.</summary>
    public static IEnumerable<KeyValuePair<string, double?>> LatenciesOf(LatencySummary latency) => ConditionName.LatenciesOf(latency);

    /// <summary>Latencies of operations without those of the warm-up, which has a step of its own.</summary>
    internal static LatencySummary LatencyOf(RunReport report) =>
        report.Steps is [.., var last] ? last.LatencyMs : report.LatencyMs.Operation;

    /// <summary>Attempts that got a 429 / attempts, without those of the warm-up; null without attempts.</summary>
    internal static double? ThrottledShareOf(RunReport report) =>
        report.Steps is [.., var last] ? last.Counts.ThrottledShare : report.Requests.ThrottledShare;

    private static RunReport EmptyReport()
    {
        var ending = new RunEnding { Spec = new RunSpec { Id = "none" }, StartedAt = default, FinishedAt = default };
        return RunReportBuilder.Build(ending, new RunLegs([], LostLegs: 0)) with { Utilization = new Utilization() };
    }
}
