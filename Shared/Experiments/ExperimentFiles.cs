using ScaleOut.Storage;

namespace ScaleOut.Experiments;

/// <summary>The items of one experiment in the run store, by what they mean. Its runs have ids and items of their own.</summary>
public sealed class ExperimentFiles(IRunStore store, string experimentId) : JobFiles(store, experimentId)
{
    /// <summary>The item that holds an experiment's spec.</summary>
    public const string SpecName = "experiment.json";

    private const string StatusName = "experiment-status.json";

    /// <summary>Claims the experiment's id with its spec; false when the id is in use, be it by an experiment or by a run.</summary>
    public async Task<bool> TryClaimAsync(ExperimentSpec spec, CancellationToken cancellationToken) =>
        !await HasAsync(RunFiles.SpecName, cancellationToken)
        && await TryCreateAsync(SpecName, spec, cancellationToken);

    /// <summary>The claimed spec as JSON; null when there is no such experiment.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

    /// <summary>The claimed spec; null when there is no such experiment.</summary>
    public Task<ExperimentSpec?> ReadClaimedAsync(CancellationToken cancellationToken) =>
        ReadAsync<ExperimentSpec>(SpecName, cancellationToken);

    /// <summary>Keeps how far the experiment is.</summary>
    public Task WriteStatusAsync(ExperimentStatus status, CancellationToken cancellationToken) =>
        WriteAsync(StatusName, status, cancellationToken);

    /// <summary>How far the experiment was when it was last written; null before that.</summary>
    public Task<ExperimentStatus?> ReadStatusAsync(CancellationToken cancellationToken) =>
        ReadAsync<ExperimentStatus>(StatusName, cancellationToken);
}
