using ScaleOut.Analysis.Calibration;

namespace ScaleOut.DevBox.Calibration;

/// <summary>The profile of the account that an experiment measured, from its stored reports.</summary>
internal static class ExperimentProfile
{
    /// <exception cref="InputException">There is no such experiment, it has not ended, or its runs make no profile.</exception>
    public static async Task<AccountProfile> MakeAsync(RunFolder folder, CancellationToken cancellationToken)
    {
        var id = folder.RunId;
        var store = new FolderRunStore(folder.RunsFolder);
        var files = new ExperimentFiles(store, id);
        try
        {
            if (await files.ReadSpecAsync(cancellationToken) is not { } claimed)
                throw new InputException($"there is no experiment '{id}' in {folder.RunsFolder}.");
            if (JsonNode.Parse(claimed)?["limit"] is not null)
                throw new InputException($"'{id}' is a search for a limit; a profile is made from an experiment with variants.");
            var json = await files.ReadReportAsync(RunFiles.ReportName, cancellationToken);
            if (json is null || ExperimentJsonWriter.Read(json) is not { State: not ExperimentState.Stopped } experiment)
                throw new InputException($"experiment '{id}' has not ended; go on with: resume {id} --out {folder.RunsFolder}");

            var reports = new Dictionary<string, RunReport>();
            foreach (var run in experiment.Variants.SelectMany(variant => variant.Runs).Select(run => run.RunId))
            {
                if (await new RunFiles(store, run).ReadReportAsync(RunFiles.ReportName, cancellationToken) is { } report)
                    reports.Add(run, JsonReportWriter.Read(report));
            }

            var (profile, reason) = ProfileBuilder.From(experiment, reports);
            return profile ?? throw new InputException($"experiment '{id}' makes no profile: {reason}.");
        }
        catch (EvidenceException e)
        {
            throw InterruptedRun.Unusable(folder, e);
        }
    }
}
