namespace ScaleOut.DevBox.Display;

/// <summary>How an experiment ended.</summary>
/// <param name="State">Complete, incomplete or stopped.</param>
/// <param name="Numbers">That a condition may name.</param>
/// <param name="Page">What the report shows to people.</param>
/// <param name="CanGoOn">Whether <c>resume</c> brings it further; a search that found its machine full does not get further.</param>
internal sealed record EndedExperiment(
    ExperimentState State, IReadOnlyDictionary<string, double?> Numbers, ReportPage Page, bool CanGoOn)
{
    public static async Task<EndedExperiment> ReadAsync(ExperimentSpec spec, RunFolder folder, ExperimentState state)
    {
        var json = await new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId)
            .ReadReportAsync(JobFiles.ReportName, CancellationToken.None)
            ?? throw new InvalidOperationException($"The report of experiment '{folder.RunId}' is not in its folder.");
        if (spec.Limit is not null)
        {
            var found = LimitForms.Kind.Read(json);
            return new EndedExperiment(state, LimitNumbers.OfSearch(found), LimitForms.Kind.PageOf(found), GoesOn(state, found.Limit));
        }

        var report = ExperimentForms.Kind.Read(json);
        return new EndedExperiment(
            state, ExperimentNumbers.From(report), ExperimentForms.Kind.PageOf(report), GoesOn(state, limit: null));
    }

    /// <summary>The same measurements of a search give the same end, unless it was stopped or runs of it did not end.</summary>
    /// <param name="limit">Null for an experiment with variants.</param>
    internal static bool GoesOn(ExperimentState state, LimitSummary? limit) =>
        state != ExperimentState.Complete && limit?.End is (null or LimitEnd.Stopped or LimitEnd.GivenUp);
}
