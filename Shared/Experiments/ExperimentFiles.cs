using ScaleOut.Storage;

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

/// <summary>Ids of experiments and of their orchestrations.</summary>
public static class ExperimentIds
{
    private const string Prefix = "experiment:";

    /// <summary>
    /// A new id, such as <c>x-20261121-170412-x7</c>. Ids sort by time, and no new run gets one of them.
    /// </summary>
    public static string New(DateTimeOffset now) => $"x{RunIds.New(now)[1..]}";

    /// <summary>Text for the report of an experiment's run that says what started the run.</summary>
    public static string StartOf(string experimentId) => $"experiment {experimentId}";

    /// <summary>
    /// The instance id of an experiment's orchestration. Instances of runs have the runs' own ids, and no run's id has a colon.
    /// </summary>
    /// <param name="attempt">1 for the start, and one more for each resume. Each needs an id of its own, because engines differ in whether
    /// the id of an ended orchestration can be used again.</param>
    public static string InstanceId(string experimentId, int attempt = 1) =>
        attempt == 1 ? $"{Prefix}{experimentId}" : string.Create(CultureInfo.InvariantCulture, $"{Prefix}{experimentId}:{attempt}");

    /// <summary>The attempt in an instance id that <see cref="InstanceId"/> made; 1 for any other id.</summary>
    public static int AttemptIn(string instanceId)
    {
        return instanceId.Split(':') is [_, _, var text]
            && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var attempt)
            && attempt > 1
                ? attempt
                : 1;
    }
}
