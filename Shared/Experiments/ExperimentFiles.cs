using ScaleOut.Storage;

namespace ScaleOut.Experiments;

/// <summary>The items of one experiment in the run store, by what they mean. Its runs have ids and items of their own.</summary>
public sealed class ExperimentFiles(IRunStore store, string experimentId)
{
    /// <summary>The item that holds an experiment's spec.</summary>
    public const string SpecName = "experiment.json";

    private const string StatusName = "experiment-status.json";

    private readonly RunFiles _run = new(store, experimentId);

    /// <summary>Claims the experiment's id with its spec; false when the id is in use, be it by an experiment or by a run.</summary>
    public async Task<bool> TryClaimAsync(ExperimentSpec spec, CancellationToken cancellationToken) =>
        await _run.ReadSpecAsync(cancellationToken) is null
        && await store.TryCreateAsync(experimentId, SpecName, Serialize(SpecName, spec), cancellationToken);

    /// <summary>The claimed spec as JSON; null when there is no such experiment.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(experimentId, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

    /// <summary>The claimed spec; null when there is no such experiment.</summary>
    public Task<ExperimentSpec?> ReadClaimedAsync(CancellationToken cancellationToken) =>
        ReadAsync<ExperimentSpec>(SpecName, cancellationToken);

    /// <summary>Keeps how far the experiment is.</summary>
    public Task WriteStatusAsync(ExperimentStatus status, CancellationToken cancellationToken) =>
        store.WriteAsync(experimentId, StatusName, Serialize(StatusName, status), cancellationToken);

    /// <summary>How far the experiment was when it was last written; null before that.</summary>
    public Task<ExperimentStatus?> ReadStatusAsync(CancellationToken cancellationToken) =>
        ReadAsync<ExperimentStatus>(StatusName, cancellationToken);

    /// <summary>Asks the experiment to stop; the run that is on has a stop flag of its own.</summary>
    public Task RequestStopAsync(CancellationToken cancellationToken) => _run.RequestStopAsync(cancellationToken);

    public Task<bool> IsStopRequestedAsync(CancellationToken cancellationToken) => _run.IsStopRequestedAsync(cancellationToken);

    /// <summary>Takes the request to stop back.</summary>
    public Task WithdrawStopAsync(CancellationToken cancellationToken) => _run.WithdrawStopAsync(cancellationToken);

    /// <inheritdoc cref="RunFiles.TryClaimAttemptAsync"/>
    public Task<bool> TryClaimAttemptAsync(JobAttempt attempt, CancellationToken cancellationToken) =>
        _run.TryClaimAttemptAsync(attempt, cancellationToken);

    /// <inheritdoc cref="RunFiles.ReadAttemptAsync"/>
    public Task<JobAttempt?> ReadAttemptAsync(CancellationToken cancellationToken) => _run.ReadAttemptAsync(cancellationToken);

    /// <inheritdoc cref="RunFiles.FindReportDamageAsync"/>
    public Task<EvidenceException?> FindReportDamageAsync(CancellationToken cancellationToken) =>
        _run.FindReportDamageAsync(cancellationToken);

    /// <summary>One form of the report; null when there is none.</summary>
    /// <exception cref="EvidenceException">It is not what was written.</exception>
    public Task<byte[]?> ReadReportAsync(string name, CancellationToken cancellationToken) => _run.ReadReportAsync(name, cancellationToken);

    private string ItemOf(string name) => $"{experimentId}/{name}";

    private byte[] Serialize<T>(string name, T value) => StoredItem.Write(ItemOf(name), value);

    private async Task<T?> ReadAsync<T>(string name, CancellationToken cancellationToken)
        where T : class =>
        await store.ReadAsync(experimentId, name, cancellationToken) is { } content ? StoredItem.Read<T>(ItemOf(name), content) : null;
}
