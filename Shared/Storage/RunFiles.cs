using ScaleOut.Experiments;

namespace ScaleOut.Storage;

public sealed partial class RunFiles(IRunStore store, string runId) : JobFiles(store, runId)
{
    /// <summary>Name of the item with the run's spec.</summary>
    public const string SpecName = "spec.json";

    /// <summary>Name of the item with the container as it was before the first write.</summary>
    public const string PreparedName = "prepared.json";

    /// <summary>Name of the item which says whether the container is the run's own.</summary>
    public const string ContainerClaimName = "container-claim.json";

    /// <summary>Name of the item with the common start instant.</summary>
    public const string StartName = "start.json";

    /// <summary>Name of the item that the report is made from, in addition to the results of the legs.</summary>
    public const string EndingName = "ending.json";

    /// <summary>Name of the item which shows that no container of the run is left to delete.</summary>
    public const string ContainerGoneName = "container-gone";

    private const string ListingName = "listing.json";
    private const string ResumptionName = "resumption.json";
    private const string ReportInputName = "input-of-report.json";
    private const string BegunPrefix = "begun/";
    private const string ReadyPrefix = "ready/";
    private const string PreloadPrefix = "preload/";

    public string RunId => Id;

    /// <summary>Name of the item which shows that a worker is ready.</summary>
    public static string ReadyName(int worker) => ReadyPrefix + Number(worker);

    /// <summary>
    /// Claims the run's id by writing its spec. Returns false if a run or an experiment has the id already, or if there are legs of a run
    /// without its spec.
    /// </summary>
    public async Task<bool> TryClaimAsync(RunSpec spec, CancellationToken cancellationToken) =>
        !await HasAsync(ExperimentFiles.SpecName, cancellationToken)
        && !await HasLegsWithoutSpecAsync(cancellationToken)
        && await TryCreateAsync(SpecName, spec, cancellationToken);

    public async Task<bool> HasLegsWithoutSpecAsync(CancellationToken cancellationToken) =>
        !await HasAsync(SpecName, cancellationToken) && await HasLegsAsync(cancellationToken);

    public async Task<bool> HasLegsAsync(CancellationToken cancellationToken) =>
        (await Store.ListAsync(Id, LegNames.Prefix, cancellationToken)).Count > 0;

    /// <summary>The claimed spec as JSON; null if there is no such run.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

    /// <summary>The claimed spec, which was validated before the claim; null if there is no such run.</summary>
    public Task<RunSpec?> ReadClaimedAsync(CancellationToken cancellationToken) => ReadAsync<RunSpec>(SpecName, cancellationToken);

    /// <summary>
    /// Stores the run's entry in the list of runs. Only the first call writes, so that a repeated one does not list the run twice.
    /// </summary>
    public Task<RunListing> CreateListingIfAbsentAsync(RunListing listing, CancellationToken cancellationToken) =>
        CreateIfAbsentAsync(ListingName, listing, cancellationToken);

    /// <summary>The run's entry in the list of runs; null if it was never listed.</summary>
    public Task<RunListing?> ReadListingAsync(CancellationToken cancellationToken) => ReadAsync<RunListing>(ListingName, cancellationToken);

    /// <summary>Whether this or an earlier attempt of the run has begun to create the container.</summary>
    public async Task<bool> HoldsContainerAsync(CancellationToken cancellationToken) =>
        await ReadAsync<ContainerClaim>(ContainerClaimName, cancellationToken) is { Held: true };

    /// <summary>
    /// Records before a container is created that it belongs to the run, or later that it does not or no longer. A container without this
    /// record belongs to somebody else. After a crash before the end of the preparation, the next attempt uses both again.
    /// </summary>
    public Task WriteContainerClaimAsync(ContainerTarget target, bool held, CancellationToken cancellationToken) =>
        WriteAsync(ContainerClaimName, new ContainerClaim(target.Database, target.Name, held), cancellationToken);

    /// <summary>
    /// Stores what is known of the container before the first write. Only the first call writes, so that a repeated preparation keeps the
    /// first count.
    /// </summary>
    public Task<PreparedContainer> CreatePreparedIfAbsentAsync(PreparedContainer prepared, CancellationToken cancellationToken) =>
        CreateIfAbsentAsync(PreparedName, prepared, cancellationToken);

    public Task<PreparedContainer?> ReadPreparedAsync(CancellationToken cancellationToken) =>
        ReadAsync<PreparedContainer>(PreparedName, cancellationToken);

    /// <summary>
    /// Records that a program begins to orchestrate the run, or resumes it. Deletes the report of an earlier start that failed, because it
    /// does not describe this start.
    /// </summary>
    /// <param name="by">The orchestration that begins, which is recorded only once; null if each call counts.</param>
    public async Task NoteBegunAsync(DateTimeOffset at, CancellationToken cancellationToken, string? by = null)
    {
        await DeleteReportAsync(cancellationToken);
        for (var number = 1; ; number++)
        {
            var name = $"{BegunPrefix}{Number(number)}.json";
            if (await TryCreateAsync(name, new RunBegun(at, by), cancellationToken)
                || (by is not null && (await ReadAsync<RunBegun>(name, cancellationToken))?.By == by))
                return;
        }
    }

    /// <summary>When programs began to orchestrate the run, in their order; empty if none recorded it.</summary>
    public async Task<IReadOnlyList<DateTimeOffset>> ReadBegunAsync(CancellationToken cancellationToken)
    {
        var begun = new List<DateTimeOffset>();
        foreach (var name in await Store.ListAsync(Id, BegunPrefix, cancellationToken))
        {
            if (await ReadAsync<RunBegun>(name, cancellationToken) is { } one)
                begun.Add(one.At);
        }

        return begun;
    }

    /// <summary>Marks a worker as ready to start. Returns false if an earlier attempt at its first leg did so.</summary>
    public Task<bool> MarkReadyAsync(int worker, CancellationToken cancellationToken) =>
        MarkAsync(ReadyName(worker), cancellationToken);

    /// <summary>The workers that are ready to start, in ascending order.</summary>
    public Task<IReadOnlyList<int>> ListReadyAsync(CancellationToken cancellationToken) => ListWorkersAsync(ReadyPrefix, cancellationToken);

    /// <summary>Records that a worker has written its share of the documents that the workload needs.</summary>
    public Task CreatePreloadIfAbsentAsync(int worker, PreloadShare share, CancellationToken cancellationToken) =>
        TryCreateAsync(PreloadName(worker), share, cancellationToken);

    /// <summary>The documents that a worker wrote before the start; null if it has not finished.</summary>
    public Task<PreloadShare?> ReadPreloadAsync(int worker, CancellationToken cancellationToken) =>
        ReadAsync<PreloadShare>(PreloadName(worker), cancellationToken);

    /// <summary>Records what a worker has written, its own share and those of missing workers.</summary>
    public Task WritePreloadAsync(int worker, PreloadShare share, CancellationToken cancellationToken) =>
        WriteAsync(PreloadName(worker), share, cancellationToken);

    /// <summary>Marks the share of a missing worker as written by another one, as far as all workers need it.</summary>
    public Task MarkPreloadedAsync(int worker, CancellationToken cancellationToken) =>
        MarkAsync($"{PreloadPrefix}{Number(worker)}.by-another", cancellationToken);

    /// <summary>The workers whose share of the preload they or another worker have written, in ascending order.</summary>
    public Task<IReadOnlyList<int>> ListPreloadedAsync(CancellationToken cancellationToken) =>
        ListWorkersAsync(PreloadPrefix, cancellationToken);

    /// <summary>Sets the common start instant unless it is set. Returns the stored one.</summary>
    public Task<StartInstant> SetStartAsync(StartInstant start, CancellationToken cancellationToken) =>
        CreateIfAbsentAsync(StartName, start, cancellationToken);

    /// <summary>The common start instant; null while it is not set.</summary>
    public Task<StartInstant?> ReadStartAsync(CancellationToken cancellationToken) => ReadAsync<StartInstant>(StartName, cancellationToken);

    /// <summary>
    /// Deletes the items of the run's measurement, so that it can be measured again. Its claim, its attempts and its place in the list of
    /// runs stay.
    /// </summary>
    /// <param name="except">Name of another item to keep; null for none.</param>
    public Task DiscardAsync(CancellationToken cancellationToken, string? except = null) => Store.DeleteAsync(
        Id,
        name => name is not (SpecName or ListingName or StartedByName or ResumptionName) && name != except
            && !name.StartsWith(AttemptsPrefix, StringComparison.Ordinal),
        cancellationToken);

    /// <summary>
    /// Deletes the items of a start that finished no document, so that the run can start again with a container of its own. The claim of
    /// the container is kept, because the container may still exist.
    /// </summary>
    public Task DiscardStartAsync(CancellationToken cancellationToken) => Store.DeleteAsync(
        Id,
        name => name is PreparedName or StartName || new[] { ReadyPrefix, PreloadPrefix, LegNames.Prefix }.Any(
            prefix => name.StartsWith(prefix, StringComparison.Ordinal)),
        cancellationToken);

    /// <summary>Records that the run is resumed or measured again.</summary>
    public Task WriteResumptionAsync(RunResumption resumption, CancellationToken cancellationToken) =>
        WriteAsync(ResumptionName, resumption, cancellationToken);

    /// <summary>When and by what the run was last resumed or measured again; null if it was not.</summary>
    public Task<RunResumption?> ReadResumptionAsync(CancellationToken cancellationToken) =>
        ReadAsync<RunResumption>(ResumptionName, cancellationToken);

    /// <summary>Stores how the run ended, unless it is stored already. However often the report is made, it uses this ending.</summary>
    public Task CreateEndingIfAbsentAsync(RunEnding ending, CancellationToken cancellationToken) =>
        TryCreateAsync(EndingName, ending, cancellationToken);

    /// <summary>The stored ending; null if there is none yet.</summary>
    public Task<RunEnding?> ReadEndingAsync(CancellationToken cancellationToken) => ReadAsync<RunEnding>(EndingName, cancellationToken);

    /// <summary>Records that the run has ended and that nothing is left to do. The call can be repeated.</summary>
    public Task WriteEndedAsync(RunEnded ended, CancellationToken cancellationToken) =>
        WriteAsync(EndedName, ended, cancellationToken);

    /// <summary>How and when the run ended; null if it has not ended.</summary>
    public Task<RunEnded?> ReadEndedAsync(CancellationToken cancellationToken) => ReadAsync<RunEnded>(EndedName, cancellationToken);

    /// <summary>
    /// How and when the run ended. Null if it has not ended, or if the record is damaged, because it can be written again.
    /// </summary>
    public async Task<RunEnded?> FindEndedAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndedAsync, cancellationToken)).Item;

    /// <summary>The damage of the record that the run ended; null if it is undamaged or missing.</summary>
    public async Task<EvidenceException?> FindEndedDamageAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndedAsync, cancellationToken)).Damage;

    /// <summary>The damage of the ending that the report was made from; null if it is undamaged or missing.</summary>
    public async Task<EvidenceException?> FindEndingDamageAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndingAsync, cancellationToken)).Damage;

    /// <summary>Deletes the records that the run has ended and that its container is gone, for a run that ended before it began.</summary>
    public Task WithdrawEndedAsync(CancellationToken cancellationToken) =>
        Store.DeleteAsync(Id, name => name is EndedName or ContainerGoneName, cancellationToken);

    /// <summary>Records that no container of the run is left to delete, because it was deleted or never created.</summary>
    public Task MarkContainerGoneAsync(CancellationToken cancellationToken) => MarkAsync(ContainerGoneName, cancellationToken);

    public Task<bool> IsContainerGoneAsync(CancellationToken cancellationToken) => HasAsync(ContainerGoneName, cancellationToken);

    private async Task<IReadOnlyList<int>> ListWorkersAsync(string prefix, CancellationToken cancellationToken) =>
    [
        .. (await Store.ListAsync(Id, prefix, cancellationToken))
            .Select(name => Path.GetFileNameWithoutExtension(name))
            .Select(name => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var worker) ? worker : -1)
            .Where(worker => worker >= 0)
            .Distinct()
            .Order(),
    ];

    /// <summary>
    /// Stores the input of the report before the report is made. If making it fails, the retry reads the input from here, so that the
    /// orchestration does not have to send it again.
    /// </summary>
    public Task WriteReportInputAsync(RunEnding ending, CancellationToken cancellationToken) =>
        WriteAsync(ReportInputName, ending, cancellationToken);

    /// <summary>Null if no input is stored.</summary>
    public Task<RunEnding?> ReadReportInputAsync(CancellationToken cancellationToken) =>
        ReadAsync<RunEnding>(ReportInputName, cancellationToken);

    public Task DeleteReportInputAsync(CancellationToken cancellationToken) =>
        Store.DeleteAsync(Id, name => name == ReportInputName, cancellationToken);

    private static string PreloadName(int worker) => $"{PreloadPrefix}{Number(worker)}.json";

    private static async Task<(T? Item, EvidenceException? Damage)> TryReadAsync<T>(
        Func<CancellationToken, Task<T?>> readAsync, CancellationToken cancellationToken)
        where T : class
    {
        try
        {
            return (await readAsync(cancellationToken), null);
        }
        catch (EvidenceException e) when (e.Problem == EvidenceProblem.Damaged)
        {
            return (null, e);
        }
    }
}

/// <summary>Records that a program began to orchestrate a run, or to resume it.</summary>
/// <param name="At">UTC by the clock of the orchestration.</param>
/// <param name="By">Instance id of the orchestration; null if the engine stores no orchestrations.</param>
internal sealed record RunBegun(DateTimeOffset At, string? By);

/// <summary>Records that a run is resumed, or that its experiment measures it again because it was not measured before.</summary>
/// <param name="Attempt">The experiment's latest attempt that measures the run; 1 for a run without an experiment.</param>
/// <param name="InstanceId">
/// Id of the run's orchestration. Each attempt has an id of its own, because not every engine accepts the id of an ended orchestration. The
/// first attempt has the run's id.
/// </param>
/// <param name="At">UTC.</param>
/// <param name="WasAskedToStop">Whether the run had its stop flag before. If the start fails, the flag is set again.</param>
public sealed record RunResumption(int Attempt, string InstanceId, DateTimeOffset At, bool WasAskedToStop = false);
