namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>The unit of the number that a name in a condition stands for.</summary>
internal enum ConditionUnit
{
    /// <summary>A number without a unit of time or share, such as a count or RU/s.</summary>
    Number,

    Milliseconds,

    Seconds,

    /// <summary>A share; 1 is 100%.</summary>
    Share,

    /// <summary>1 for yes, 0 for no. A condition may name it without a comparison.</summary>
    Flag,
}

/// <summary>The kind of figure that a name in a condition stands for, which decides when it is valid.</summary>
internal enum ConditionFigure
{
    /// <summary>Counts, RU, charges, settings and shares of processors: always valid.</summary>
    Count,

    /// <summary>Rates, and shares of 429s.</summary>
    Rate,

    /// <summary>Used shares of the RU/s.</summary>
    BudgetShare,

    Latency,
}

/// <summary>
/// A name that conditions may use: the unit of its number, the values that the number can have, when it is valid, and what it says about a
/// rate that does not hold.
/// </summary>
/// <param name="Min">Lowest value; negative infinity if there is none.</param>
/// <param name="Max">Highest value; infinity if there is none.</param>
internal sealed record ConditionName(
    string Name, ConditionUnit Unit = ConditionUnit.Number, double Min = double.NegativeInfinity, double Max = double.PositiveInfinity,
    ConditionFigure Figure = ConditionFigure.Count, LimitCause Cause = LimitCause.Condition)
{
    /// <summary>Highest value of the used share of the RU/s. It can exceed 1 because of bursts and of RU that are charged late.</summary>
    private const double MaxRequestUnitShare = 10;

    private static readonly string[] Percentiles = ["p50", "p90", "p95", "p96", "p99", "p999", "mean"];

    /// <summary>All kinds of operation. A mix is not one of them, because it has several.</summary>
    private static readonly IReadOnlyList<WorkloadKind> Operations =
        [.. Enum.GetValues<WorkloadKind>().Where(kind => kind != WorkloadKind.Mix)];

    /// <summary>Short names for the numbers that conditions need most, with what they mean.</summary>
    public static IReadOnlyList<(string Name, string Meaning)> ShortNames { get; } =
    [
        .. Percentiles.Select(name => (name, name == "mean"
            ? "mean latency of an operation, waits after 429s included"
            : $"latency that {Percent(name)} of the operations do not exceed, waits after 429s included")),
        (ReportNumbers.ThrottledShare, "attempts that got a 429 / attempts"),
        (LimitSpec.AchievedShare, "achieved share of the asked rate, at most 1"),
        (ReportNumbers.Errors, "attempts that ended in anything but success, 409 or 429"),
    ];

    /// <summary>Other short names of runs and searches, with what they mean.</summary>
    public static IReadOnlyList<(string Name, string Meaning)> NamesOfRuns { get; } =
    [
        (ReportNumbers.PartitionThrottledShare,
            "of the physical partition with the largest share: its attempts that got a 429 / its attempts"),
        (ReportNumbers.Valid, "whether all figures of the run are valid; `valid` means `valid==1`, and `!valid` means `valid==0`"),
    ];

    /// <summary>The short names with all that is known of them.</summary>
    private static readonly IReadOnlyList<ConditionName> Short =
    [
        .. Latencies("", Percentiles),
        new(ReportNumbers.ThrottledShare, ConditionUnit.Share, 0, 1, ConditionFigure.Rate, LimitCause.Throttling),
        .. Shares(ConditionFigure.Rate, "", LimitSpec.AchievedShare),
        .. Amounts(ConditionFigure.Count, "", LimitCause.Errors, ReportNumbers.Errors),
    ];

    /// <summary>The names with a unit, a bound, a figure that may be invalid, or a cause. The others are numbers of any size.</summary>
    private static readonly IReadOnlyDictionary<string, ConditionName> All = ((ConditionName[])
    [
        .. Short,
        .. Operations.Select(NameOf).Append("partition")
            .SelectMany(scope => Short.Select(one => one with { Name = $"{scope}.{one.Name}" })),
        new ConditionName(ReportNumbers.Valid, ConditionUnit.Flag, 0, 1),
        .. Latencies("latencyMs.operation.", [.. Percentiles, "max"]),
        .. Latencies("latencyMs.attempt.", [.. Percentiles, "max"]),
        .. Amounts(ConditionFigure.Count, "documents.", "alreadyPresent", "asked", "inserted", "remaining"),
        .. Amounts(ConditionFigure.Count, "documents.", LimitCause.Errors, "failed"),
        .. Amounts(
            ConditionFigure.Count, "requests.", "items", "itemsPerOperation", "openingThrottled", "operations", "preloadThrottled"),
        .. Amounts(ConditionFigure.Count, "requests.", LimitCause.Errors, "otherErrors"),
        .. Amounts(ConditionFigure.Rate, "requests.", "attempts", "calls", "callsPerOperation"),
        .. Amounts(ConditionFigure.Rate, "requests.", LimitCause.Throttling, "throttled"),
        .. Shares(ConditionFigure.Rate, "requests.", "throttledWaitShare"),
        .. Amounts(
            ConditionFigure.Count, "requestUnits.", "budgetPerSecond", "opening", "perInsert", "perOperation", "preload", "total"),
        .. Amounts(ConditionFigure.Rate, "requestUnits.", "perSecondMean", "perSecondPeak", "throttled"),
        .. Amounts(ConditionFigure.Count, "throughput.", "askedPerSecond"),
        .. Amounts(
            ConditionFigure.Rate, "throughput.", "caughtUp", "kilobytesPerSecond", "makespanPerSecond", "overlapPerSecond"),
        .. Amounts(ConditionFigure.Rate, "throughput.", "makespanSeconds", "overlapSeconds")
            .Select(one => one with { Unit = ConditionUnit.Seconds }),
        .. Shares(
            ConditionFigure.Count, "utilization.", "client", "clientMax", "errorSeconds", "machine", "machineByAccount",
            "machineByOthers", "machineByWorkers", "machineMax", "throttledAttempts"),
        .. Shares(ConditionFigure.BudgetShare, "utilization.", "partitionSecondsAtLimit", "partitionThrottledShare"),
        .. Shares(ConditionFigure.BudgetShare, "utilization.", "partitionRequestUnits", "permittedRequestUnits", "requestUnits")
            .Select(one => one with { Max = MaxRequestUnitShare }),
        .. Shares(ConditionFigure.Count, "spec.workload.", "maxRequestUnitShare"),
        .. Amounts(ConditionFigure.Count, "", "lostLegs", "rate", "runs"),
        .. Amounts(ConditionFigure.Count, "interval.", "high", "low"),
        .. Amounts(ConditionFigure.Count, "findings.", "assumed", "inconclusive", "noDifference", "notTested", "refuted", "supported"),
        .. Amounts(ConditionFigure.Count, "published.", "compared", "pairs"),
        .. Amounts(
            ConditionFigure.Count, "published.pairs.", "agree", "assumed", "disagree", "notTestable", "tie", "undecided"),
        new ConditionName("published.spearman", Min: -1, Max: 1),
        .. Amounts(ConditionFigure.Count, "variants.", "measured", "notMeasured"),
    ]).ToDictionary(one => one.Name, StringComparer.Ordinal);

    /// <summary>The names of all kinds of operation, such as <c>insert.p99</c>.</summary>
    public static IEnumerable<string> OfKinds => Operations.SelectMany(OfKind);

    /// <summary>
    /// The short names of one kind of operation, such as <c>insert.p99</c>. All short names but that of the achieved share.
    /// </summary>
    public static IEnumerable<string> OfKind(WorkloadKind kind) =>
        ShortNames.Where(one => one.Name != LimitSpec.AchievedShare).Select(one => $"{NameOf(kind)}.{one.Name}");

    /// <summary>The figures of one kind of operation by <see cref="OfKind"/>.</summary>
    public static IEnumerable<KeyValuePair<string, double?>> FiguresOf(
        WorkloadKind kind, LatencySummary latency, double? throttledShare, long errors) =>
        LatenciesOf(latency).Append(new(ReportNumbers.ThrottledShare, throttledShare)).Append(new(ReportNumbers.Errors, errors))
            .Select(one => KeyValuePair.Create($"{NameOf(kind)}.{one.Key}", one.Value));

    /// <summary>The latencies of operations by the short names.</summary>
    public static IEnumerable<KeyValuePair<string, double?>> LatenciesOf(LatencySummary latency) => Percentiles.Zip(
        (double?[])[latency.P50, latency.P90, latency.P95, latency.P96, latency.P99, latency.P999, latency.Mean], KeyValuePair.Create);

    /// <summary>
    /// The unit, range, figure and cause of the number that has a name. A name that the program does not know has no unit and no bounds.
    /// </summary>
    public static ConditionName From(string name) => All.GetValueOrDefault(name) ?? new(name);

    private static string NameOf(WorkloadKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());

    /// <summary>Counts and rates, which are 0 at least.</summary>
    private static IEnumerable<ConditionName> Amounts(
        ConditionFigure figure, string group, LimitCause cause, params IEnumerable<string> names) =>
        names.Select(name => new ConditionName($"{group}{name}", Min: 0, Figure: figure, Cause: cause));

    private static IEnumerable<ConditionName> Amounts(ConditionFigure figure, string group, params IEnumerable<string> names) =>
        Amounts(figure, group, LimitCause.Condition, names);

    private static IEnumerable<ConditionName> Latencies(string group, params IEnumerable<string> names) => names.Select(
        name => new ConditionName(
            $"{group}{name}", ConditionUnit.Milliseconds, Min: 0, Figure: ConditionFigure.Latency, Cause: LimitCause.Latency));

    /// <summary>Shares of 0 to 1.</summary>
    private static IEnumerable<ConditionName> Shares(ConditionFigure figure, string group, params IEnumerable<string> names) =>
        names.Select(name => new ConditionName($"{group}{name}", ConditionUnit.Share, Min: 0, Max: 1, figure));

    /// <summary>Such as 99.9% for <c>p999</c>.</summary>
    private static string Percent(string percentile) =>
        percentile.Length > 3 ? $"{percentile[1..3]}.{percentile[3..]}%" : $"{percentile[1..]}%";
}
