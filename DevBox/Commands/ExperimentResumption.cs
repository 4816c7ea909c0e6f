namespace ScaleOut.DevBox.Commands;

/// <summary>
/// Resumes an experiment with runs left to measure. Measured runs stay; a run that was interrupted or failed is measured
/// again.
/// </summary>
internal static class ExperimentResumption
{
    /// <summary>The claimed experiment, if it is the same one.</summary>
    /// <param name="simulated">Whether each run has a simulated account of its own.</param>
    /// <exception cref="InputException">It has ended, it is another one, its spec cannot be read, or the id is a run's.</exception>
    public static async Task<ExperimentSpec> ReadSameAsync(
        ExperimentFiles files, RunFolder folder, ExperimentSpec spec, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed)
            throw new InputException($"--id: there is a run '{spec.Id}' already in {folder.FullPath}. Choose another id.");
        var read = await ReadUnfinishedAsync(files, folder, claimed, simulated, tables, cancellationToken);
        return JsonNode.DeepEquals(JsonNode.Parse(claimed), JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact))
            ? read
            : throw new InputException(
                $"--id: there is another experiment '{spec.Id}' already in {folder.FullPath}. Choose another id, or resume it with: "
                + $"resume {spec.Id}");
    }

    /// <summary>The claimed spec of an experiment that has not ended.</summary>
    /// <param name="claimed">Its claimed spec as JSON.</param>
    /// <param name="simulated">Whether each run has a simulated account of its own.</param>
    /// <exception cref="InputException">It has ended, or its spec cannot be read.</exception>
    public static async Task<ExperimentSpec> ReadUnfinishedAsync(
        ExperimentFiles files, RunFolder folder, byte[] claimed, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        var spec = ExperimentOptions.Read(
            Encoding.UTF8.GetString(claimed),
            Path.Combine(folder.FullPath, ExperimentFiles.SpecName),
            simulated ? RunTarget.Undecided : RunTarget.OtherAccount);
        if (await files.ReadStatusAsync(cancellationToken) is not { Outcome.State: not ExperimentState.Stopped }
            || await files.FindReportDamageAsync(cancellationToken) is not null)
            return spec;
        var left = await UnmeasuredRuns.FindAsync(
            new FolderRunStore(folder.RunsFolder), spec, run => LocalExperimentActivities.AsClaimed(run, simulated, tables),
            cancellationToken);
        return left.Count > 0
            ? spec
            : throw new InputException($"experiment '{folder.RunId}' has ended; its report is {folder.ReportPage}.");
    }
}
