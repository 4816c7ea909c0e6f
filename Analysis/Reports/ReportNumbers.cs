using System.Text.Json.Serialization.Metadata;

namespace ScaleOut.Analysis.Reports;

/// <summary>
/// The numbers of a report by their path in its JSON, such as <c>throughput.overlapPerSecond</c>, and by the short names of
/// <see cref="ConditionName.ShortNames"/>. Arrays are left out.
/// </summary>
public static class ReportNumbers
{
    /// <summary>Short name of throttled / attempts.</summary>
    public const string ThrottledShare = "throttledShare";

    /// <summary>Short name of the number of attempts that ended in anything but success, 409 or 429.</summary>
    public const string Errors = "errors";

    /// <summary>Largest <see cref="ThrottledShare"/> of a physical partition: its throttled / its attempts.</summary>
    public const string PartitionThrottledShare = $"partition.{ThrottledShare}";

    /// <summary>1 if all figures of the run are valid, 0 if some are not.</summary>
    public const string Valid = "valid";

    /// <summary>All numbers; null for those that were not measured, and of kinds of operation that the run does not have.</summary>
    public static IReadOnlyDictionary<string, double?> From(RunReport report)
    {
        var numbers = new Dictionary<string, double?>(StringComparer.Ordinal);
        Collect(report, typeof(RunReport), prefix: "", numbers);
        foreach (var (name, latency) in ConditionName.LatenciesOf(report.LatencyMs.Operation))
            numbers[name] = latency;
        numbers[ThrottledShare] = report.Requests.ThrottledShare;
        numbers[Errors] = report.Requests.OtherErrors;
        numbers[LimitSpec.AchievedShare] = report.Throughput.AskedPerSecond is { } asked ? AchievedShare(report, asked) : null;
        numbers[PartitionThrottledShare] = report.Partitions.Max(partition => partition.Counts.ThrottledShare);
        numbers[Valid] = report.Invalid.Count == 0 && report.TimeErrors.Count == 0 ? 1 : 0;
        foreach (var name in ConditionName.OfKinds)
            numbers[name] = null;
        foreach (var (name, value) in OfKinds(report))
            numbers[name] = value;
        return numbers;
    }

    /// <summary>
    /// Gives the interval of a number that is not valid, by the number's name; null for a valid one. The number can have any value. If the
    /// run measured nothing, no number is valid.
    /// </summary>
    public static Func<string, Interval?> OpenIn(RunReport report)
    {
        var figures = RunFigures.From(report);
        var sharesChanged = report.Invalid.Any(one => one.What == InvalidFigures.SharesOfTheBudget);
        return name => report.MeasuredNothing || ConditionName.From(name).Figure switch
        {
            ConditionFigure.Latency => figures.LatencySpoiledBy is not null,
            ConditionFigure.Rate => figures.RateSpoiledBy is not null,
            ConditionFigure.BudgetShare => sharesChanged || figures.RateSpoiledBy is not null,
            _ => false,
        }
            ? Interval.Any
            : null;
    }

    /// <summary>Where several steps of an action are of one kind, each figure of the kind is the highest of these steps.</summary>
    private static IEnumerable<KeyValuePair<string, double?>> OfKinds(RunReport report)
    {
        var whole = ConditionName.FiguresOf(
            report.Spec.Workload.Kind, report.LatencyMs.Operation, report.Requests.ThrottledShare, report.Requests.OtherErrors);
        var kinds = report.Kinds
            .SelectMany(kind => ConditionName.FiguresOf(kind.Kind, kind.LatencyMs, kind.Counts.ThrottledShare, kind.Counts.Errors))
            .GroupBy(one => one.Key, one => one.Value, (name, values) => KeyValuePair.Create(name, values.Max()));
        return report.Spec.Workload.Mix is null ? whole.Concat(kinds) : kinds;
    }

    /// <summary>
    /// Share of the asked rate that was achieved, at most 1. One more operation of each worker is counted, because it may have ended just
    /// outside the measured time.
    /// </summary>
    /// <param name="asked">Documents per second over all workers.</param>
    internal static double? AchievedShare(RunReport report, double asked)
    {
        if (report.Throughput.Rate is not { } rate)
            return null;
        var seconds = report.Throughput.OverlapPerSecond is null
            ? report.Throughput.MakespanSeconds ?? 0
            : report.Throughput.OverlapSeconds;
        var atEnds = seconds > 0 ? report.Spec.Workers * report.Spec.Workload.DocumentsPerOperation / seconds : 0;
        return Math.Min(1, (rate + atEnds) / asked);
    }

    private static void Collect(object? value, Type type, string prefix, Dictionary<string, double?> numbers)
    {
        if (IsNumber(type))
        {
            numbers[prefix] = value is null ? null : Convert.ToDouble(value, System.Globalization.CultureInfo.InvariantCulture);
        }
        else if (value is IReadOnlyDictionary<string, long> counts)
        {
            foreach (var (name, count) in counts)
                numbers[$"{prefix}.{name}"] = count;
        }
        else if (value is not null && ScaleOutJson.Compact.GetTypeInfo(type) is { Kind: JsonTypeInfoKind.Object } info)
        {
            foreach (var property in info.Properties.Where(property => property.Get is not null))
                Collect(
                    property.Get!(value), property.PropertyType, prefix.Length == 0 ? property.Name : $"{prefix}.{property.Name}", numbers);
        }
    }

    private static bool IsNumber(Type type) =>
        Type.GetTypeCode(Nullable.GetUnderlyingType(type) ?? type) is TypeCode.Int32 or TypeCode.Int64 or TypeCode.Double
        && !(Nullable.GetUnderlyingType(type) ?? type).IsEnum;
}
