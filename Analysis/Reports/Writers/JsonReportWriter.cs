namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>
/// <c>report.json</c>: everything, with the names of <see cref="RunReport"/>, after the three fields of a <see cref="StoredItem"/>. Reading
/// it gives the same report.
/// </summary>
public sealed class JsonReportWriter : IReportWriter<RunReport>
{
    /// <inheritdoc/>
    public string FileName => RunFiles.ReportName;

    /// <inheritdoc/>
    public string MediaType => "application/json";

    /// <inheritdoc/>
    public byte[] Write(RunReport report)
    {
        return StoredItem.Write(ItemOf(report.Id), report, ScaleOutJson.Indented);
    }

    /// <summary>Reads a report.</summary>
    /// <param name="runId">Whose report it must be; null where it may be anybody's.</param>
    /// <exception cref="EvidenceException">It is none, or was changed after it was written.</exception>
    public static RunReport Read(ReadOnlySpan<byte> json, string? runId = null) =>
        StoredItem.Read<RunReport>(runId is null ? null : ItemOf(runId), json, ScaleOutJson.Indented);

    private static string ItemOf(string runId) => $"{runId}/{RunFiles.ReportName}";
}
