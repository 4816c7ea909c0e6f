namespace ScaleOut.DevBox.Commands;

/// <summary>
/// Resumes an experiment of which something is left to measure: what is measured stays; a run that was interrupted or failed is measured
/// again.
/// </summary>
internal static class ExperimentResumption
{
    /// <summary>The claimed experiment, when it is the same one, and whether nothing of it is left to measure.</summary>
    /// <param name="simulated">Whether each run has a simulated account of its own.</param>
    /// <exception cref="InputException">It is another one, its spec cannot be read, or the id is a run's.</exception>
    public static async Task<(ExperimentSpec Spec, bool IsMeasured)> CheckSameAsync(
        ExperimentFiles files, RunFolder folder, ExperimentSpec spec, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed)
            throw new InputException($"--id: there is a run '{spec.Id}' already in {folder.FullPath}. Choose another id.");
        var read = Read(folder, claimed, simulated);
        var isMeasured = await IsMeasuredAsync(files, folder, read, simulated, tables, cancellationToken);
        // An experiment that has ended is said to have, whatever is asked of it.
        if (!JsonNode.DeepEquals(JsonNode.Parse(claimed), JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact)))
            throw isMeasured ? HasEnded(folder) : new InputException(
                $"--id: there is another experiment '{spec.Id}' already in {folder.FullPath}. Choose another id, or resume it with: "
                + $"resume {spec.Id}");
        return (read, isMeasured);
    }

    /// <summary>The claimed spec of an experiment, and whether nothing of it is left to measure.</summary>
    /// <param name="claimed">Its claimed spec as JSON.</param>
    /// <param name="simulated">Whether each run has a simulated account of its own.</param>
    /// <exception cref="InputException">Its spec cannot be read.</exception>
    public static async Task<(ExperimentSpec Spec, bool IsMeasured)> OpenAsync(
        ExperimentFiles files, RunFolder folder, byte[] claimed, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        var spec = Read(folder, claimed, simulated);
        return (spec, await IsMeasuredAsync(files, folder, spec, simulated, tables, cancellationToken));
    }

    /// <summary>Says of an experiment that nothing of it is left to measure.</summary>
    public static InputException HasEnded(RunFolder folder) =>
        new($"experiment '{folder.RunId}' has ended; its report is {folder.ReportPage}.");

    private static ExperimentSpec Read(RunFolder folder, byte[] claimed, bool simulated) => ExperimentOptions.Read(
        Encoding.UTF8.GetString(claimed),
        Path.Combine(folder.FullPath, ExperimentFiles.SpecName),
        simulated ? RunTarget.Undecided : RunTarget.OtherAccount);

    private static async Task<bool> IsMeasuredAsync(
        ExperimentFiles files, RunFolder folder, ExperimentSpec spec, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        if (await files.ReadStatusAsync(cancellationToken) is not { Outcome.State: not ExperimentState.Stopped }
            || await files.FindReportDamageAsync(cancellationToken) is not null)
            return false;
        var store = new FolderRunStore(folder.RunsFolder);
        var left = await MeasuredRuns.LeftOfAsync(
            store, spec, LocalExperimentActivities.TestableRunsOf(spec, simulated, tables), cancellationToken);
        return left.Count == 0;
    }
}
