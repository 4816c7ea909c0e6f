using System.Text.Json.Serialization.Metadata;

namespace ScaleOut.Analysis.Reports;

/// <summary>
/// The numbers of a report by their path in its JSON, such as <c>throughput.overlapPerSecond</c>. Arrays are left out.
/// </summary>
public static class ReportNumbers
{
    /// <summary>Throttled / attempts; the one name that is no path.</summary>
    public const string ThrottledShare = "throttledShare";

    /// <summary>All numbers; null for those that were not measured.</summary>
    public static IReadOnlyDictionary<string, double?> From(RunReport report)
    {
        var numbers = new Dictionary<string, double?>(StringComparer.Ordinal);
        Collect(report, typeof(RunReport), prefix: "", numbers);
        numbers[ThrottledShare] = report.Requests.ThrottledShare;
        return numbers;
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

/// <summary>Rounds figures to their precision, so that sums of doubles do not end in noise.</summary>
internal static class Rounding
{
    /// <summary>RU and rates, to 0.01.</summary>
    public static double Amount(double value) => Math.Round(value, 2);

    /// <inheritdoc cref="Amount(double)"/>
    public static double? Amount(double? value) => value is { } known ? Amount(known) : null;

    /// <summary>Milliseconds, to 0.001.</summary>
    public static double? Latency(double? milliseconds) => milliseconds is { } known ? Math.Round(known, 3) : null;

    /// <summary>A quotient; null when there is nothing to divide by.</summary>
    public static double? Ratio(double amount, double by) => by > 0 ? Amount(amount / by) : null;
}
