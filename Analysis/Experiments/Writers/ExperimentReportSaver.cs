using ScaleOut.Analysis.Experiments.Building;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>Makes an experiment's report from the reports of its runs, and keeps it in the run store in every form.</summary>
public static class ExperimentReportSaver
{
    /// <summary>
    /// Reads the runs' reports one after the other, builds the experiment's and writes all forms. Calling it again writes the same again.
    /// </summary>
    public static async Task<ExperimentOutcome> SaveAsync(IRunStore store, ExperimentEnding ending, CancellationToken cancellationToken)
    {
        var digests = new List<RunDigest>();
        foreach (var end in ending.Runs)
        {
            var report = end.State is null || end.IdInUse ? null : await RunForms.Kind.ReadAsync(store, end.RunId, cancellationToken);
            digests.Add(RunDigest.From(end, report));
        }

        var whole = ExperimentReportBuilder.Build(ending, digests);
        await ExperimentForms.Kind.SaveAsync(store, whole, cancellationToken);
        return ExperimentReportBuilder.OutcomeOf(whole);
    }
}
