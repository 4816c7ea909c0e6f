using static ScaleOut.Analysis.Text.CsvText;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>
/// <c>findings.csv</c>: one row per finding for spreadsheets (RFC 4180, comma, point as decimal separator). Columns: <c>finding</c>,
/// <c>kind</c>, <c>verdict</c>, <c>pValue</c>, <c>holmVerdict</c> and <c>holmPValue</c> (after Holm's correction; empty where there is no
/// verdict), <c>effect</c>, <c>low95</c>, <c>high95</c>, <c>published</c> and <c>simulated</c> (1 when it rests on the simulated account).
/// </summary>
internal sealed class ExperimentFindingsCsvWriter : IReportWriter<ExperimentReport>
{
    /// <inheritdoc/>
    public string FileName => "findings.csv";

    /// <inheritdoc/>
    public string MediaType => "text/csv";

    /// <inheritdoc/>
    public byte[] Write(ExperimentReport report)
    {
        var text = new StringBuilder("finding,kind,verdict,pValue,holmVerdict,holmPValue,effect,low95,high95,published,simulated\r\n");
        foreach (var finding in report.Findings)
            Row(text, Cells(finding));
        return Encoding.UTF8.GetBytes(text.ToString());
    }

    /// <summary>Ids are letters, digits and hyphens.</summary>
    private static IEnumerable<string> Cells(FindingResult finding) =>
    [
        finding.Id, FindingCatalog.NameOf(finding.Kind), Name<FindingVerdict>(finding.Verdict), Number(finding.PValue),
        Name(finding.Holm?.Verdict), Number(finding.Holm?.PValue), Number(finding.Effect), Number(finding.Interval95?.Low),
        Number(finding.Interval95?.High), Number(finding.Published?.Value), finding.Simulated ? "1" : "0",
    ];
}
