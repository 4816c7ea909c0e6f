using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.DevBox.Engine;
using ScaleOut.DevBox.Runs;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// Resumes an experiment of which something is left to measure: what is measured stays; a run that was interrupted or failed is measured
/// again.
/// </summary>
internal static class ExperimentResumption
{
    /// <summary>Resumes a claimed experiment only when it is the same one and something of it is left to measure.</summary>
    /// <exception cref="InputException">It is another one, nothing is left, or the id is a run's.</exception>
    public static async Task CheckSameAsync(
        ExperimentFiles files, RunFolder folder, ExperimentSpec spec, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed)
            throw new InputException($"--id: there is a run '{spec.Id}' already in {folder.FullPath}. Choose another id.");
        await OpenAsync(files, folder, claimed, simulated, tables, cancellationToken);
        if (!JsonNode.DeepEquals(JsonNode.Parse(claimed), JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact)))
            throw new InputException(
                $"--id: there is another experiment '{spec.Id}' already in {folder.FullPath}. Choose another id, or resume it with: "
                + $"resume {spec.Id}");
    }

    /// <summary>The claimed spec of an experiment of which something is left to measure.</summary>
    /// <param name="files">The experiment's.</param>
    /// <param name="folder">Its folder.</param>
    /// <param name="claimed">Its claimed spec as JSON.</param>
    /// <param name="simulated">Whether each run has a simulated account of its own.</param>
    /// <param name="tables">Where runs go that write to tables; null where there is none.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="InputException">Nothing is left, or its spec cannot be read.</exception>
    public static async Task<ExperimentSpec> OpenAsync(
        ExperimentFiles files, RunFolder folder, byte[] claimed, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        var spec = ExperimentOptions.Read(
            Encoding.UTF8.GetString(claimed),
            Path.Combine(folder.FullPath, ExperimentFiles.SpecName),
            simulated ? RunTarget.Undecided : RunTarget.OtherAccount);
        if (await files.ReadStatusAsync(cancellationToken) is not { Outcome.State: not ExperimentState.Stopped })
            return spec;
        var store = new FolderRunStore(folder.RunsFolder);
        var left = spec.Limit is null
            ? await MeasuredRuns.LeftOfAsync(store, LocalExperimentActivities.TestableRunsOf(spec, simulated, tables), cancellationToken)
            : await MeasuredRuns.LeftOfLimitAsync(store, spec, cancellationToken);
        return left.Count > 0
            ? spec
            : throw new InputException($"experiment '{folder.RunId}' has ended; its report is {folder.ReportPage}.");
    }
}
