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

/// <summary>A name that conditions may use: the unit of its number, and the values that the number can have.</summary>
/// <param name="Min">Lowest value; negative infinity if there is none.</param>
/// <param name="Max">Highest value; infinity if there is none.</param>
internal sealed record ConditionName(string Name, ConditionUnit Unit, double Min, double Max)
{
    /// <summary>Highest value of the used share of the RU/s. It can exceed 1 because of bursts and of RU that are charged late.</summary>
    private const double MaxRequestUnitShare = 10;

    private static readonly string[] Percentiles = ["p50", "p90", "p95", "p96", "p99", "p999", "mean"];

    /// <summary>All kinds of operation. A mix is not one of them, because it has several.</summary>
    private static readonly IReadOnlyList<WorkloadKind> Operations =
        [.. Enum.GetValues<WorkloadKind>().Where(kind => kind != WorkloadKind.Mix)];

    /// <summary>Prefixes of short names: one for each kind of operation, and one for the worst partition.</summary>
    private static readonly HashSet<string> Scopes = [.. Operations.Select(NameOf), "partition"];

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

    /// <summary>The name without its prefix: <c>p99</c> for <c>insert.p99</c>.</summary>
    public static string WithoutScope(string name) =>
        name.IndexOf('.', StringComparison.Ordinal) is > 0 and var dot && Scopes.Contains(name[..dot]) ? name[(dot + 1)..] : name;

    /// <summary>The latencies of operations by the short names.</summary>
    public static IEnumerable<KeyValuePair<string, double?>> LatenciesOf(LatencySummary latency) => Percentiles.Zip(
        (double?[])[latency.P50, latency.P90, latency.P95, latency.P96, latency.P99, latency.P999, latency.Mean], KeyValuePair.Create);

    /// <summary>Derives the unit and the range of a name's number from the name itself.</summary>
    public static ConditionName From(string name)
    {
        var own = WithoutScope(name);
        var unit = UnitOf(own);
        var (min, max) = own switch
        {
            "utilization.requestUnits" or "utilization.partitionRequestUnits" or "utilization.permittedRequestUnits" =>
                (0, MaxRequestUnitShare),
            "published.spearman" => (-1, 1),
            "documents.verified" or "documents.rise" => (double.NegativeInfinity, double.PositiveInfinity),
            _ when unit is ConditionUnit.Share or ConditionUnit.Flag => (0, 1),
            _ when unit != ConditionUnit.Number || IsCount(own) => (0, double.PositiveInfinity),
            _ => (double.NegativeInfinity, double.PositiveInfinity),
        };
        return new ConditionName(name, unit, min, max);
    }

    /// <summary>The kind of figure that a name stands for.</summary>
    public static ConditionFigure FigureOf(string name) => WithoutScope(name) switch
    {
        var own when Percentiles.Contains(own) || own.StartsWith("latencyMs.", StringComparison.Ordinal) => ConditionFigure.Latency,
        "throughput.askedPerSecond" => ConditionFigure.Count,
        LimitSpec.AchievedShare or ReportNumbers.ThrottledShare or "requests.throttled" or "requests.throttledWaitShare"
            or "requests.attempts" or "requests.calls" or "requests.callsPerOperation" or "requestUnits.throttled"
            or "requestUnits.perSecondMean" or "requestUnits.perSecondPeak" or "cost.storePerMillion" => ConditionFigure.Rate,
        "utilization.requestUnits" or "utilization.permittedRequestUnits" => ConditionFigure.BudgetShare,
        var own when own.StartsWith("utilization.partition", StringComparison.Ordinal) => ConditionFigure.BudgetShare,
        var own when own.StartsWith("throughput.", StringComparison.Ordinal) => ConditionFigure.Rate,
        _ => ConditionFigure.Count,
    };

    private static ConditionUnit UnitOf(string name)
    {
        if (name == ReportNumbers.Valid)
            return ConditionUnit.Flag;
        if (name.StartsWith("utilization.", StringComparison.Ordinal))
            return ConditionUnit.Share;
        if (Percentiles.Contains(name) || name.StartsWith("latencyMs.", StringComparison.Ordinal)
            || name.Split('.').Any(part => part.EndsWith("Ms", StringComparison.Ordinal)))
            return ConditionUnit.Milliseconds;
        if (name.EndsWith("Seconds", StringComparison.Ordinal))
            return ConditionUnit.Seconds;
        return name.EndsWith("Share", StringComparison.Ordinal) ? ConditionUnit.Share : ConditionUnit.Number;
    }

    private static bool IsCount(string name) => name is ReportNumbers.Errors or "lostLegs" or "runs" or "rate"
        || name.Split('.')[0] is "documents" or "requests" or "requestUnits" or "throughput" or "findings" or "variants" or "published"
            or "interval";

    private static string NameOf(WorkloadKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());

    /// <summary>Such as 99.9% for <c>p999</c>.</summary>
    private static string Percent(string percentile) =>
        percentile.Length > 3 ? $"{percentile[1..3]}.{percentile[3..]}%" : $"{percentile[1..]}%";
}
