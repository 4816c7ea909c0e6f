namespace ScaleOut.Analysis.Limits;

/// <summary>The two activities of a search that only read and write the run store, the same for every engine.</summary>
public static class LimitSteps
{
    /// <summary>Says whether a run held its rate.</summary>
    public static async Task<LimitMeasurement> MeasureAsync(IRunStore store, LimitRunRequest request, CancellationToken cancellationToken)
    {
        return LimitCondition.From(request.Limit).Judge(request, await ReportSaver.ReadAsync(store, request.RunId, cancellationToken));
    }

    /// <summary>
    /// Makes the report from the runs' reports, and keeps it in the run store in every form. Calling it again writes the same again.
    /// </summary>
    public static async Task<ExperimentOutcome> SaveReportAsync(IRunStore store, LimitEnding ending, CancellationToken cancellationToken)
    {
        var files = new ExperimentFiles(store, ending.Spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(ending)));
        var reports = new Dictionary<string, RunReport>(StringComparer.Ordinal);
        foreach (var measurement in ending.Measurements.Where(measurement => measurement.Held is not null))
        {
            if (await ReportSaver.ReadAsync(store, measurement.RunId, cancellationToken) is { } found)
                reports[measurement.RunId] = found;
        }

        var report = LimitReportBuilder.Build(ending, reports);
        await files.WriteReportAsync([.. LimitReportWriters.All.Select(form => (form.FileName, form.Write(report)))], cancellationToken);
        return LimitReportBuilder.OutcomeOf(report);
    }
}
