using System.Text.Json;
using ScaleOut.Analysis.Sizing;
using ScaleOut.Json;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Building;

/// <summary>Takes a sizing's basis from an experiment, and sizes the rates that its report shows.</summary>
public static class ExperimentSizing
{
    /// <summary>Inserts per second that a report shows.</summary>
    public static readonly IReadOnlyList<double> ShownRates = [1_000, 10_000, 50_000, 100_000];

    /// <summary>
    /// The basis: one variant when it is named; else the most variants that differ in their number of workers alone; else the fastest
    /// variant that writes.
    /// </summary>
    /// <param name="report">Of an experiment.</param>
    /// <param name="variant">Name of a variant; null leaves the choice.</param>
    public static SizingBasisReading Basis(ExperimentReport report, string? variant = null)
    {
        ArgumentNullException.ThrowIfNull(report);
        if (variant is not null)
        {
            return report.Variants.FirstOrDefault(one => one.Name == variant) is { } named
                ? SizingBases.From(named.ToResult())
                : new SizingBasisReading(
                    null, [$"there is no variant '{variant}'; there are {string.Join(", ", report.Variants.Select(one => one.Name))}"]);
        }

        var writes = report.Variants.Where(one => one.Rate is not null && !one.Plan.Workload.Kind.NeedsDocuments()).ToList();
        if (writes.Count == 0)
            return new SizingBasisReading(null, ["no variant that writes documents was measured"]);
        if (ScaleOutOf(writes) is { } fleets
            && SizingBases.OfScaleOut([.. fleets.Select(one => one.ToResult())]) is { Basis: not null } found)
            return found;

        return SizingBases.From(writes.MaxBy(one => one.Rate!.Value)!.ToResult());
    }

    /// <summary>Sizes the shown rates; empty for an experiment that says nothing of writes.</summary>
    public static IReadOnlyList<SizingResult> From(ExperimentReport report) => Basis(report).Basis is { } basis
        ? [.. ShownRates.Select(rate => SizingCalculation.From(new SizingRequest { InsertsPerSecond = rate }, basis))]
        : [];

    /// <summary>Variants of at least two numbers of workers that are the same otherwise; null when there are none.</summary>
    private static List<VariantReport>? ScaleOutOf(List<VariantReport> writes) => writes
        .GroupBy(one => JsonSerializer.Serialize(AsOneWorker(one.Plan), ScaleOutJson.Compact), StringComparer.Ordinal)
        .Select(group => group.ToList())
        .Where(group => group.Select(one => one.Plan.Workers).Distinct().Count() > 1)
        .MaxBy(group => group.Count);

    /// <summary>More workers get more documents, so that they are at work as long.</summary>
    private static RunSpec AsOneWorker(RunSpec plan) => plan with { Workers = 1, Documents = 1 };
}
