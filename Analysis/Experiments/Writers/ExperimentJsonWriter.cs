namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>
/// <c>report.json</c>: everything, with the names of <see cref="ExperimentReport"/>, after the three fields of a <see cref="StoredItem"/>.
/// Reading it gives the same report.
/// </summary>
public sealed class ExperimentJsonWriter : IReportWriter<ExperimentReport>
{
    /// <inheritdoc/>
    public string FileName => RunFiles.ReportName;

    /// <inheritdoc/>
    public string MediaType => "application/json";

    /// <inheritdoc/>
    public byte[] Write(ExperimentReport report)
    {
        return StoredItem.Write($"{report.Id}/{RunFiles.ReportName}", report, ScaleOutJson.Indented);
    }

    /// <summary>Reads a report.</summary>
    /// <exception cref="EvidenceException">It is none, or was changed after it was written.</exception>
    public static ExperimentReport Read(ReadOnlySpan<byte> json) =>
        StoredItem.Read<ExperimentReport>(item: null, json, ScaleOutJson.Indented);
}
