using ScaleOut.Analysis.Experiments.Building;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Experiments;
using ScaleOut.Storage;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>Makes an experiment's report from the reports of its runs, and keeps it in the run store in every form.</summary>
public static class ExperimentReportSaver
{
    /// <summary>
    /// Reads the runs' reports one after the other, builds the experiment's and writes all forms. Calling it again writes the same again.
    /// </summary>
    public static async Task<ExperimentOutcome> SaveAsync(IRunStore store, ExperimentEnding ending, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(ending);
        var files = new ExperimentFiles(store, ending.Spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(ending)));
        var digests = new List<RunDigest>();
        foreach (var end in ending.Runs)
            digests.Add(
                RunDigest.From(end, end.State is null || end.IdInUse ? null : await ReadAsync(store, end.RunId, cancellationToken)));
        var report = ExperimentReportBuilder.Build(ending, digests);
        foreach (var writer in ExperimentReportWriters.All)
            await files.WriteReportAsync(writer.FileName, writer.Write(report), cancellationToken);
        return ExperimentReportBuilder.OutcomeOf(report);
    }

    private static async Task<RunReport?> ReadAsync(IRunStore store, string runId, CancellationToken cancellationToken) =>
        await new RunFiles(store, runId).ReadReportAsync("report.json", cancellationToken) is { } json
            ? JsonReportWriter.Read(json, runId)
            : null;
}
