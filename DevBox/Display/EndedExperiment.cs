namespace ScaleOut.DevBox.Display;

/// <summary>How an experiment ended.</summary>
/// <param name="State">Complete, incomplete or stopped.</param>
/// <param name="Json">Its report.</param>
/// <param name="Numbers">That a condition may name.</param>
/// <param name="Summary">Lines for the console.</param>
internal sealed record EndedExperiment(
    ExperimentState State, byte[] Json, IReadOnlyDictionary<string, double?> Numbers, IEnumerable<string> Summary)
{
    public static async Task<EndedExperiment> ReadAsync(ExperimentSpec spec, RunFolder folder, ExperimentState state)
    {
        var json = await new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId)
            .ReadReportAsync(RunFiles.ReportName, CancellationToken.None)
            ?? throw new InvalidOperationException($"The report of experiment '{folder.RunId}' is not in its folder.");
        if (spec.Limit is not null)
        {
            var found = LimitReportWriters.Read(json);
            return new EndedExperiment(state, json, LimitNumbers.OfSearch(found), LimitLines.Summary(found, folder.ReportPage));
        }

        var report = ExperimentJsonWriter.Read(json);
        return new EndedExperiment(state, json, ExperimentNumbers.From(report), ExperimentSummary.From(report, folder.ReportPage));
    }
}

/// <summary>The line that announces an experiment.</summary>
internal static class ExperimentHeading
{
    /// <param name="account">Null for simulated accounts.</param>
    public static string From(ExperimentSpec spec, AccountConnection? account)
    {
        var place = account?.Endpoint.Host ?? "simulated account";
        return spec.Limit is { } limit
            ? LimitLines.Heading(spec, limit, place)
            : $"experiment {spec.Id}: {ConsoleNumbers.Count(spec.Variants.Count)} variants x {ConsoleNumbers.Count(spec.Repeats)}"
                + $"{(spec.Scale == 1 ? "" : $", scaled to {spec.Scale}")}, {place}";
    }
}
