using static ScaleOut.Analysis.Text.CsvText;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>
/// <c>report.csv</c>: one row per run for spreadsheets (RFC 4180, comma, point as decimal separator). Columns: <c>variant</c>,
/// <c>repeat</c>, <c>runId</c>, <c>state</c> (empty when it was not run), <c>ratePerSecond</c>, <c>rateIsOverlap</c> (1 for the overlap
/// rate, 0 for the makespan rate), <c>requestUnitsPerSecond</c>, <c>requestUnitsPerOperation</c>, <c>callsPerOperation</c>,
/// <c>latencyMeanMs</c>, <c>latencyP50Ms</c>, <c>latencyP96Ms</c>, <c>latencyP99Ms</c>, <c>throttled</c> (attempts that got a 429),
/// <c>boundBy</c>, <c>workers</c>, <c>publishedPerSecond</c>, <c>findings</c> (those that rest on the variant, each with its verdict and
/// where the effect comes from), <c>scale</c> and <c>simulated</c> (1 when the figures come from the simulated
/// account).
/// </summary>
internal sealed class ExperimentCsvWriter : IReportWriter<ExperimentReport>
{
    /// <inheritdoc/>
    public string FileName => "report.csv";

    /// <inheritdoc/>
    public string MediaType => "text/csv";

    /// <inheritdoc/>
    public byte[] Write(ExperimentReport report)
    {
        var text = new StringBuilder();
        Row(text,
        [
            "variant", "repeat", "runId", "state", "ratePerSecond", "rateIsOverlap", "requestUnitsPerSecond", "requestUnitsPerOperation",
            "callsPerOperation",
            "latencyMeanMs", "latencyP50Ms", "latencyP96Ms", "latencyP99Ms", "throttled", "boundBy", "workers", "publishedPerSecond",
            "findings", "scale", "simulated",
        ]);
        foreach (var variant in report.Variants)
        {
            foreach (var run in variant.Runs)
                Row(text, Cells(report, variant, run));
        }

        return Encoding.UTF8.GetBytes(text.ToString());
    }

    private static IEnumerable<string> Cells(ExperimentReport report, VariantReport variant, RunDigest run)
    {
        var figures = run.Figures;
        return
        [
            Guarded(variant.Name), Number(run.Repeat), run.RunId, Name(run.State), Number(figures?.Rate),
            figures is null ? "" : figures.RateIsOverlap ? "1" : "0",
            Number(figures?.RequestUnitsPerSecond), Number(figures?.RequestUnitsPerOperation), Number(figures?.CallsPerOperation),
            Number(figures?.MeanLatencyMs), Number(figures?.P50LatencyMs), Number(figures?.P96LatencyMs),
            Number(run.OperationLatencyMs?.P99),
            Number(run.Requests?.Throttled), Name(figures?.BoundBy), Number(variant.Plan.Workers),
            Number(variant.Published?.RateFor(variant.FullDocuments)), Guarded(Findings(report, variant)), Number(report.Scale),
            figures is null ? "" : figures.Simulated ? "1" : "0",
        ];
    }

    /// <summary>Such as <c>direct: supported (emergent); indexingMode: assumed</c>.</summary>
    private static string Findings(ExperimentReport report, VariantReport variant) => string.Join("; ", report.Findings
        .Where(finding => finding.Variants.Contains(variant.Name, StringComparer.Ordinal))
        .Select(finding => $"{finding.Id}: {FindingText.Verdict(finding.Verdict)}"
            + (finding.Origin is { } origin && finding.Verdict != FindingVerdict.Assumed ? $" ({FindingText.Name(origin)})" : "")));
}
