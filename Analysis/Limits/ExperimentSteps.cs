using ScaleOut.Analysis.Experiments.Writers;

namespace ScaleOut.Analysis.Limits;

/// <summary>The activities of an experiment that only read and write the run store, the same for every engine.</summary>
public static class ExperimentSteps
{
    /// <summary>Says whether a run of a search held its rate.</summary>
    public static async Task<MeasuredRun> JudgeRateAsync(IRunStore store, RateQuestion question, CancellationToken cancellationToken) =>
        LimitCondition.From(question.Limit)
            .Judge(question.Run, await ReportSaver.ReadAsync(store, question.Run.RunId, cancellationToken));

    /// <summary>
    /// Makes the report from the runs' reports and keeps it in the run store in every form. Calling it again writes the same again.
    /// </summary>
    public static async Task<ExperimentOutcome> SaveReportAsync(
        IRunStore store, ExperimentEnding ending, CancellationToken cancellationToken)
    {
        if (ending.Spec.Limit is null)
            return await ExperimentReportSaver.SaveAsync(store, ending, cancellationToken);
        var files = new ExperimentFiles(store, ending.Spec.Id!);
        var reports = new Dictionary<string, RunReport>(StringComparer.Ordinal);
        foreach (var run in ending.Runs.Where(run => run.Held is not null))
        {
            if (await ReportSaver.ReadAsync(store, run.RunId, cancellationToken) is { } found)
                reports[run.RunId] = found;
        }

        var report = LimitReportBuilder.Build(ending, reports);
        await files.WriteReportAsync([.. LimitReportWriters.All.Select(form => (form.FileName, form.Write(report)))], cancellationToken);
        return LimitReportBuilder.OutcomeOf(report);
    }
}
