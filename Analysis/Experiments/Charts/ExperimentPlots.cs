using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using ScaleOut.Json;

namespace ScaleOut.Analysis.Experiments.Charts;

/// <summary>The plots that an experiment has figures for.</summary>
internal static class ExperimentPlots
{
    public static IReadOnlyList<Plot> From(ExperimentReport report)
    {
        if (report.Variants.All(variant => variant.Rate is null))
            return [];
        return
        [
            VariantPlots.Rates(report),
            .. CurvePlots.From(report),
            VariantPlots.Latency(report),
            .. VariantPlots.Partitions(report),
            .. VariantPlots.Calls(report),
        ];
    }
}

/// <summary>Finds variants that differ in one setting alone, which then is the axis of a plot.</summary>
internal static class VariantSeries
{
    private const int LongestName = 40;

    /// <summary>Groups of two and more variants that are equal but for the named fields, with at least two different values of x.</summary>
    /// <param name="variants">Those without a rate are left out.</param>
    /// <param name="x">The setting.</param>
    /// <param name="fields">Paths of the spec's fields that may differ, such as <c>client.concurrency</c>.</param>
    public static IReadOnlyList<IReadOnlyList<VariantReport>> By(
        IEnumerable<VariantReport> variants, Func<VariantReport, double> x, params string[] fields) =>
    [
        .. variants.Where(variant => variant.Rate is not null)
            .GroupBy(variant => Rest(variant, fields), StringComparer.Ordinal)
            .Where(group => group.Select(x).Distinct().Count() > 1)
            .Select(group => (IReadOnlyList<VariantReport>)[.. group.OrderBy(x)]),
    ];

    /// <summary>A measured point of a variant.</summary>
    public static CurvePoint Point(VariantReport variant, double x) => new(
        x, variant.Rate!.Value, variant.Rate.Interval95 is { IsTooWide: false } interval ? interval : null,
        $"{variant.Name}: {Numbers.Brief(variant.Rate.Value)}/s");

    /// <summary>The names of a group's variants, shortened to what they have in common in front, or to the first and the last.</summary>
    public static string NameOf(IReadOnlyList<VariantReport> group)
    {
        var all = string.Join(", ", group.Select(variant => variant.Name));
        if (all.Length <= LongestName)
            return all;
        var first = group[0].Name;
        var length = group.Min(other => first.Zip(other.Name).TakeWhile(pair => pair.First == pair.Second).Count());
        var common = first[..length].TrimEnd(' ', ',', '-', ':', '(', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9');
        return common.Length >= 3 ? common : $"{first} to {group[^1].Name}";
    }

    private static string Rest(VariantReport variant, string[] fields)
    {
        var spec = JsonSerializer.SerializeToNode(variant.Plan.Unnamed(), ScaleOutJson.Compact)!.AsObject();
        foreach (var field in fields)
        {
            var names = field.Split('.');
            JsonNode? holder = spec;
            foreach (var name in names[..^1])
                holder = (holder as JsonObject)?[name];
            (holder as JsonObject)?.Remove(names[^1]);
        }

        return spec.ToJsonString();
    }
}
