using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.Experiments.Reporting.Writers;

/// <summary><c>report.json</c>: everything, with the names of <see cref="ExperimentReport"/>. Reading it gives the same report.</summary>
public sealed class ExperimentJsonWriter : IExperimentReportWriter
{
    /// <inheritdoc/>
    public string FileName => "report.json";

    /// <inheritdoc/>
    public string MediaType => "application/json";

    /// <inheritdoc/>
    public byte[] Write(ExperimentReport report) => JsonSerializer.SerializeToUtf8Bytes(report, ScaleOutJson.Indented);

    /// <summary>Reads a report.</summary>
    /// <exception cref="JsonException">It is none.</exception>
    public static ExperimentReport Read(ReadOnlySpan<byte> json) =>
        JsonSerializer.Deserialize<ExperimentReport>(json, ScaleOutJson.Indented) ?? throw new JsonException("This is not a report of an experiment.");
}
