using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.DevBox.Engine;
using ScaleOut.Experiments;
using ScaleOut.Json;

namespace ScaleOut.DevBox.Commands;

/// <summary>Takes up an experiment that was interrupted: what was measured stays, what was on is measured anew.</summary>
internal static class ExperimentResumption
{
    /// <summary>Goes on with a claimed experiment only when it is the same one and has not ended.</summary>
    /// <exception cref="InputException">It is another one, it has ended, or the id is a run's.</exception>
    public static async Task CheckSameAsync(ExperimentFiles files, RunFolder folder, ExperimentSpec spec, CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed)
            throw new InputException($"--id: there is a run '{spec.Id}' already in {folder.FullPath}. Choose another id.");
        await CheckOpenAsync(files, folder, cancellationToken);
        if (!JsonNode.DeepEquals(JsonNode.Parse(claimed), JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact)))
            throw new InputException($"--id: there is another experiment '{spec.Id}' already in {folder.FullPath}. Choose another id, or take it up again with: resume {spec.Id}");
    }

    /// <summary>The claimed spec of an experiment that has not ended.</summary>
    /// <exception cref="InputException">It has ended, or its spec cannot be read.</exception>
    public static async Task<ExperimentSpec> OpenAsync(ExperimentFiles files, RunFolder folder, byte[] claimed, CancellationToken cancellationToken)
    {
        await CheckOpenAsync(files, folder, cancellationToken);
        return ExperimentOptions.Read(Encoding.UTF8.GetString(claimed), Path.Combine(folder.FullPath, ExperimentFiles.SpecName), Specs.RunTarget.Undecided);
    }

    private static async Task CheckOpenAsync(ExperimentFiles files, RunFolder folder, CancellationToken cancellationToken)
    {
        if (await files.ReadStatusAsync(cancellationToken) is { Outcome.State: not ExperimentState.Stopped })
            throw new InputException($"experiment '{folder.RunId}' has ended; its report is {folder.ReportPage}.");
    }
}
