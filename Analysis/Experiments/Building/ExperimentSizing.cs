using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Sizing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Building;

/// <summary>Takes a sizing's basis from an experiment, and sizes the rates that its report shows.</summary>
public static class ExperimentSizing
{
    /// <summary>Inserts per second that a report shows.</summary>
    public static readonly IReadOnlyList<double> ShownRates = [1_000, 10_000, 50_000, 100_000];

    /// <summary>
    /// The basis: one variant when it is named; else the variants of the first finding on scaling out, whose numbers of workers differ;
    /// else the fastest variant that writes.
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
        if (ScaleOutOf(report) is { } finding)
        {
            var ofFleet = SizingBases.OfScaleOut(
                [.. writes.Where(one => finding.Variants.Contains(one.Name)).Select(one => one.ToResult())]);
            if (ofFleet.Basis is not null)
                return ofFleet;
        }

        return SizingBases.From(writes.MaxBy(one => one.Rate!.Value)!.ToResult());
    }

    /// <summary>Sizes the shown rates; empty for an experiment that says nothing of writes.</summary>
    public static IReadOnlyList<SizingResult> From(ExperimentReport report) => Basis(report).Basis is { } basis
        ? [.. ShownRates.Select(rate => SizingCalculation.From(new SizingRequest { InsertsPerSecond = rate }, basis))]
        : [];

    private static FindingResult? ScaleOutOf(ExperimentReport report) =>
        report.Findings.FirstOrDefault(finding => finding is { Kind: FindingKind.ScalabilityLaw, Law.Law: not null })
        ?? report.Findings.FirstOrDefault(finding =>
            finding.Kind is FindingKind.ScalabilityLaw or FindingKind.SingleUnitPredictsFleet
                && finding.Verdict != FindingVerdict.NotTested);
}
