namespace ScaleOut.Analysis.Limits;

/// <summary>The two activities of a search that only read and write the run store, the same for every engine.</summary>
public static class LimitSteps
{
    /// <summary>Says whether a run held its rate.</summary>
    public static async Task<LimitMeasurement> MeasureAsync(IRunStore store, LimitRunRequest request, CancellationToken cancellationToken)
    {
        return LimitCondition.From(request.Limit).Judge(request, await RunForms.Kind.ReadAsync(store, request.RunId, cancellationToken));
    }

    /// <summary>
    /// Makes the report from the runs' reports, and keeps it in the run store in every form. Calling it again writes the same again.
    /// </summary>
    public static async Task<ExperimentOutcome> SaveReportAsync(IRunStore store, LimitEnding ending, CancellationToken cancellationToken)
    {
        var reports = new Dictionary<string, RunReport>(StringComparer.Ordinal);
        foreach (var measurement in ending.Measurements.Where(measurement => measurement.Held is not null))
        {
            if (await RunForms.Kind.ReadAsync(store, measurement.RunId, cancellationToken) is { } found)
                reports[measurement.RunId] = found;
        }

        var report = LimitReportBuilder.Build(ending, reports);
        await LimitForms.Kind.SaveAsync(store, report, cancellationToken);
        return LimitReportBuilder.OutcomeOf(report);
    }
}
