namespace ScaleOut.Experiments;

/// <summary>Reads and writes the items of one experiment in the run store. Its runs have ids and items of their own.</summary>
public sealed class ExperimentFiles(IRunStore store, string experimentId) : JobFiles(store, experimentId)
{
    /// <summary>Name of the item that holds an experiment's spec.</summary>
    public const string SpecName = "experiment.json";

    private const string StatusName = "experiment-status.json";

    /// <summary>Claims the experiment's id by writing its spec. Returns false if an experiment or a run has the id already.</summary>
    public async Task<bool> TryClaimAsync(ExperimentSpec spec, CancellationToken cancellationToken) =>
        !await HasAsync(RunFiles.SpecName, cancellationToken)
        && await TryCreateAsync(SpecName, spec, cancellationToken);

    /// <summary>The claimed spec as JSON; null when there is no such experiment.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

    /// <summary>The claimed spec; null when there is no such experiment.</summary>
    public Task<ExperimentSpec?> ReadClaimedAsync(CancellationToken cancellationToken) =>
        ReadAsync<ExperimentSpec>(SpecName, cancellationToken);

    /// <summary>Stores the experiment's progress.</summary>
    public Task WriteStatusAsync(ExperimentStatus status, CancellationToken cancellationToken) =>
        WriteAsync(StatusName, status, cancellationToken);

    /// <summary>The last stored progress; null if none was stored yet.</summary>
    public Task<ExperimentStatus?> ReadStatusAsync(CancellationToken cancellationToken) =>
        ReadAsync<ExperimentStatus>(StatusName, cancellationToken);
}
