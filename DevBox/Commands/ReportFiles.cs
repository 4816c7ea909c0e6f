using System.Text.Json;
using ScaleOut.Comparisons;
using ScaleOut.Evidence;

namespace ScaleOut.DevBox.Commands;

/// <summary>Reads reports that a user names.</summary>
internal static class ReportFiles
{
    /// <summary>The report of a run or of an experiment; a folder stands for the report in it.</summary>
    /// <exception cref="InputException">It is none, or cannot be read.</exception>
    public static async Task<ReportFile> ReadAsync(string path, CancellationToken cancellationToken)
    {
        var file = Directory.Exists(path) && File.Exists(Path.Combine(path, "report.json")) ? Path.Combine(path, "report.json") : path;
        var text = await PlanFile.ReadAsync(file, "report", cancellationToken);
        try
        {
            return ReportFile.Read(System.Text.Encoding.UTF8.GetBytes(text));
        }
        catch (EvidenceException e)
        {
            throw new InputException($"{file}: not a report.json that can be used: {OneLine.Of(e.Reason)}.");
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or InvalidOperationException or ArgumentException)
        {
            throw new InputException($"{file}: not a report.json: {OneLine.Of(e.Message)}");
        }
    }
}
