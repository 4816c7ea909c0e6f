namespace ScaleOut.Analysis.Experiments.Steps;

/// <summary>The activities of an experiment that only read and write the run store, the same for every engine.</summary>
public static class ExperimentSteps
{
    /// <summary>Says whether a run of a search held its rate.</summary>
    public static async Task<MeasuredRun> JudgeRateAsync(IRunStore store, RateQuestion question, CancellationToken cancellationToken) =>
        LimitCondition.From(question.Limit)
            .Judge(question.Run, await RunForms.Kind.ReadAsync(store, question.Run.RunId, cancellationToken));

    /// <summary>
    /// Makes the report from the runs' reports and keeps it in the run store in every form. Calling it again writes the same again.
    /// </summary>
    public static async Task<ExperimentOutcome> SaveReportAsync(
        IRunStore store, ExperimentEnding ending, CancellationToken cancellationToken)
    {
        var files = new JobFiles(store, ending.Spec.Id!);
        var condition = await files.ReadFailIfAsync(cancellationToken);
        var startedBy = await files.ReadStartedByAsync(cancellationToken);
        if (ending.Spec.Limit is not null)
        {
            var reports = new Dictionary<string, RunReport>(StringComparer.Ordinal);
            foreach (var run in ending.Runs.Where(run => run.State is not null && !run.IdInUse))
            {
                if (await RunForms.Kind.ReadAsync(store, run.RunId, cancellationToken) is { } found)
                    reports[run.RunId] = found;
            }

            var search = LimitReportBuilder.Build(ending, reports) with { StartedBy = startedBy };
            await LimitForms.Kind.SaveAsync(store, search, cancellationToken);
            return WithVerdict(LimitReportBuilder.OutcomeOf(search), condition, LimitNumbers.OfSearch(search));
        }

        // One report at a time: there may be a thousand.
        var digests = new List<RunDigest>();
        foreach (var run in ending.Runs)
        {
            var found = run.State is null || run.IdInUse ? null : await RunForms.Kind.ReadAsync(store, run.RunId, cancellationToken);
            digests.Add(RunDigest.From(run, found));
        }

        var report = ExperimentReportBuilder.Build(ending, digests) with { StartedBy = startedBy };
        await ExperimentForms.Kind.SaveAsync(store, report, cancellationToken);
        return WithVerdict(
            ExperimentReportBuilder.OutcomeOf(report), condition, ExperimentNumbers.From(report), ExperimentNumbers.OpenIn(report));
    }

    /// <summary>The outcome with the verdict on the condition under which a complete experiment fails.</summary>
    private static ExperimentOutcome WithVerdict(
        ExperimentOutcome outcome, string? condition, IReadOnlyDictionary<string, double?> numbers,
        Func<string, Interval?>? openIn = null) =>
        outcome with
        {
            FailIfHolds = FailIfExpression.VerdictOn(condition, outcome.State == ExperimentState.Complete, () => numbers, openIn),
        };
}
