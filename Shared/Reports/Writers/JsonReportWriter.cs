using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.Reports.Writers;

/// <summary><c>report.json</c>: everything, with the names of <see cref="RunReport"/>. Reading it gives the same report.</summary>
public sealed class JsonReportWriter : IReportWriter
{
    /// <inheritdoc/>
    public string FileName => "report.json";

    /// <inheritdoc/>
    public string MediaType => "application/json";

    /// <inheritdoc/>
    public byte[] Write(RunReport report) => JsonSerializer.SerializeToUtf8Bytes(report, ScaleOutJson.Indented);

    /// <summary>Reads a report.</summary>
    /// <exception cref="JsonException">It is none.</exception>
    public static RunReport Read(ReadOnlySpan<byte> json) =>
        JsonSerializer.Deserialize<RunReport>(json, ScaleOutJson.Indented) ?? throw new JsonException("This is not a report.");
}
