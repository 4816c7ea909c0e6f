using ScaleOut.Analysis.Experiments.Charts;
using ScaleOut.Analysis.Experiments.Tables;
using static ScaleOut.Analysis.Text.CsvText;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>The page and the CSV files of an experiment's report.</summary>
public static class ExperimentForms
{
    public static ReportKind<ExperimentReport> Kind { get; } = new(
        report => report.Id, Page, [new("report.csv", Runs), new("findings.csv", Findings)]);

    private static ReportPage Page(ExperimentReport report)
    {
        // The chart of rates comes first, or that of latencies if only they can differ. The chart over the number of workers follows.
        var charts = ExperimentCharts.From(report);
        var main = ExperimentSentences.KeepTheirRates(report) ? ExperimentCharts.LatencyId : ExperimentCharts.RatesId;
        var first = charts.Where(chart => chart.Id == main || chart.Id == CurveCharts.WorkersId).ToList();
        var invalid = ExperimentWarnings.InvalidFiguresOf(report);
        var best = ExperimentSentences.Best(report);
        return new ReportPage
        {
            Subject = $"Experiment {report.Id}",
            Name = report.Name,
            Simulated = report.Simulated,
            SimulatedNote = ExperimentSentences.SimulatedNote(report),
            Badges =
            [
                .. InvalidParts.BadgesOf(
                    report.State.ToString(), report.State == ExperimentState.Complete ? "good" : "fair", invalid),
                .. report.Scale < 1 ? [new Badge($"scaled to {ExperimentSentences.Scale(report)}", "fair")] : Array.Empty<Badge>(),
                .. Badge.Of(best is null ? null : ExperimentSentences.BoundOf(best)),
            ],
            Number = best is null
                ? null
                : new($"Per second, {best.Name}", Numbers.Brief(best.Rate!.Value), ExperimentSentences.IntervalOf(best)),
            Result = InvalidParts.Result(invalid, ExperimentSentences.Result(report)),
            Next = ExperimentSentences.Next(report),
            Command = NextStep.CommandIn(report.StartedBy),
            About =
            [
                .. report.Scale < 1 ? [$"Scaled to {ExperimentSentences.Scale(report)}: not the spec's full size."] : Array.Empty<string>(),
                ExperimentSentences.Headline(report),
                .. ExperimentSentences.Published(report),
                $"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}.",
            ],
            Parts =
            [
                .. InvalidParts.From(invalid),
                .. first.Select(ReportPart.From),
                ReportPart.Warnings([.. report.Warnings.Except(invalid.Select(one => one.Why))]),
                new FindingsPart(report),
                .. charts.Except(first).Select(ReportPart.From),
                .. ExperimentTables.From(report).Select(ReportPart.From),
                ReportPart.List("Notes of the spec", report.Spec.Notes, max: 0),
            ],
        };
    }

    /// <summary>
    /// One row per run. <c>state</c> is empty when it was not run. <c>rateIsOverlap</c> is 1 for the overlap rate and 0 for the makespan
    /// rate. <c>throttled</c> is the attempts that got a 429. <c>findings</c> are those that rest on the variant, each with its verdict and
    /// where the effect comes from. <c>simulated</c> is 1 when the figures come from the simulated account.
    /// </summary>
    private static byte[] Runs(ExperimentReport report) => CsvText.From<(VariantReport Variant, RunDigest Run)>(
        report.Variants.SelectMany(variant => variant.Runs.Select(run => (variant, run))),
        [
            new("variant", row => Guarded(row.Variant.Name)),
            new("repeat", row => Number(row.Run.Repeat)),
            new("runId", row => row.Run.RunId),
            new("state", row => Name(row.Run.State)),
            new("ratePerSecond", row => Number(row.Run.Figures?.Rate)),
            new("rateIsOverlap", row => row.Run.Figures is { } figures ? Flag(figures.RateIsOverlap) : ""),
            new("requestUnitsPerSecond", row => Number(row.Run.Figures?.RequestUnitsPerSecond)),
            new("requestUnitsPerOperation", row => Number(row.Run.Figures?.RequestUnitsPerOperation)),
            new("callsPerOperation", row => Number(row.Run.Figures?.CallsPerOperation)),
            new("latencyMeanMs", row => Number(row.Run.Figures?.MeanLatencyMs)),
            new("latencyP50Ms", row => Number(row.Run.Figures?.P50LatencyMs)),
            new("latencyP96Ms", row => Number(row.Run.Figures?.P96LatencyMs)),
            new("latencyP99Ms", row => Number(row.Run.OperationLatencyMs?.P99)),
            new("throttled", row => Number(row.Run.Requests?.Throttled)),
            new("boundBy", row => Name(row.Run.Figures?.BoundBy)),
            new("workers", row => Number(row.Variant.Plan.Workers)),
            new("publishedPerSecond", row => Number(row.Variant.Published?.RateFor(row.Variant.FullDocuments))),
            new("findings", row => Guarded(FindingsOf(report, row.Variant))),
            new("scale", _ => Number(report.Scale)),
            new("simulated", row => row.Run.Figures is { } figures ? Flag(figures.Simulated) : ""),
        ]);

    /// <summary>
    /// One row per finding. <c>holmVerdict</c> and <c>holmPValue</c> are after Holm's correction, and empty where there is no verdict;
    /// <c>simulated</c> is 1 when the finding rests on the simulated account. Ids are letters, digits and hyphens.
    /// </summary>
    private static byte[] Findings(ExperimentReport report) => CsvText.From(
        report.Findings,
        [
            new("finding", finding => finding.Id),
            new("kind", finding => FindingCatalog.NameOf(finding.Kind)),
            new("verdict", finding => Name<FindingVerdict>(finding.Verdict)),
            new("pValue", finding => Number(finding.PValue)),
            new("holmVerdict", finding => Name(finding.Holm?.Verdict)),
            new("holmPValue", finding => Number(finding.Holm?.PValue)),
            new("effect", finding => Number(finding.Effect)),
            new("low95", finding => Number(finding.Interval95?.Low)),
            new("high95", finding => Number(finding.Interval95?.High)),
            new("published", finding => Number(finding.Published?.Value)),
            new("simulated", finding => Flag(finding.Simulated)),
        ]);

    /// <summary>Such as <c>direct: supported (emergent); indexingMode: assumed</c>.</summary>
    private static string FindingsOf(ExperimentReport report, VariantReport variant) => string.Join("; ", report.Findings
        .Where(finding => finding.Variants.Contains(variant.Name, StringComparer.Ordinal))
        .Select(finding => $"{finding.Id}: {FindingText.Verdict(finding.Verdict)}"
            + (finding.Origin is { } origin && finding.Verdict != FindingVerdict.Assumed ? $" ({FindingText.Name(origin)})" : "")));
}
