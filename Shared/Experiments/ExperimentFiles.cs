using System.Globalization;
using System.Text.Json;
using ScaleOut.Json;
using ScaleOut.Storage;

namespace ScaleOut.Experiments;

/// <summary>The items of one experiment in the run store, by what they mean. Its runs have ids and items of their own.</summary>
public sealed class ExperimentFiles(IRunStore store, string experimentId)
{
    /// <summary>The item that holds an experiment's spec.</summary>
    public const string SpecName = "experiment.json";

    private const string StatusName = "experiment-status.json";
    private const string AttemptsPrefix = "attempts/";

    private readonly RunFiles _run = new(store, experimentId);

    /// <summary>Claims the experiment's id with its spec; false when the id is in use, be it by an experiment or by a run.</summary>
    public async Task<bool> TryClaimAsync(ExperimentSpec spec, CancellationToken cancellationToken) =>
        await _run.ReadSpecAsync(cancellationToken) is null
        && await store.TryCreateAsync(experimentId, SpecName, Serialize(spec), cancellationToken);

    /// <summary>The claimed spec as JSON; null when there is no such experiment.</summary>
    public Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) => store.ReadAsync(experimentId, SpecName, cancellationToken);

    /// <summary>Keeps how far the experiment is.</summary>
    public Task WriteStatusAsync(ExperimentStatus status, CancellationToken cancellationToken) =>
        store.WriteAsync(experimentId, StatusName, Serialize(status), cancellationToken);

    /// <summary>How far the experiment was when it was last written; null before that.</summary>
    public async Task<ExperimentStatus?> ReadStatusAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(experimentId, StatusName, cancellationToken) is { } json ? JsonSerializer.Deserialize<ExperimentStatus>(json, ScaleOutJson.Compact) : null;

    /// <summary>Asks the experiment to stop; the run that is on has a stop flag of its own.</summary>
    public Task RequestStopAsync(CancellationToken cancellationToken) => _run.RequestStopAsync(cancellationToken);

    public Task<bool> IsStopRequestedAsync(CancellationToken cancellationToken) => _run.IsStopRequestedAsync(cancellationToken);

    /// <summary>Takes the request to stop back.</summary>
    public Task WithdrawStopAsync(CancellationToken cancellationToken) => _run.WithdrawStopAsync(cancellationToken);

    /// <summary>Claims an attempt at the experiment; of several callers exactly one gets true.</summary>
    public Task<bool> TryClaimAttemptAsync(ExperimentAttempt attempt, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(attempt);
        return store.TryCreateAsync(experimentId, string.Create(CultureInfo.InvariantCulture, $"{AttemptsPrefix}{attempt.Number:D4}.json"), Serialize(attempt), cancellationToken);
    }

    /// <summary>The last attempt that was claimed; null when there is none.</summary>
    public async Task<ExperimentAttempt?> ReadAttemptAsync(CancellationToken cancellationToken) =>
        await store.ListAsync(experimentId, AttemptsPrefix, cancellationToken) is [.., var last] && await store.ReadAsync(experimentId, last, cancellationToken) is { } json
            ? JsonSerializer.Deserialize<ExperimentAttempt>(json, ScaleOutJson.Compact)
            : null;

    /// <summary>Writes one form of the report, such as <c>report.json</c>.</summary>
    public Task WriteReportAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        _run.WriteReportAsync(name, content, cancellationToken);

    /// <summary>One form of the report; null when there is none.</summary>
    public Task<byte[]?> ReadReportAsync(string name, CancellationToken cancellationToken) => _run.ReadReportAsync(name, cancellationToken);

    private static byte[] Serialize<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, ScaleOutJson.Compact);
}
