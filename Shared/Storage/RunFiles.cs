using ScaleOut.Experiments;

namespace ScaleOut.Storage;

/// <summary>The items of one run in the run store, by what they mean.</summary>
public sealed partial class RunFiles(IRunStore store, string runId) : JobFiles(store, runId)
{
    /// <summary>The item that holds a run's spec.</summary>
    public const string SpecName = "spec.json";

    /// <summary>The container as it was before the first write.</summary>
    public const string PreparedName = "prepared.json";

    /// <summary>The common start instant.</summary>
    public const string StartName = "start.json";

    /// <summary>What the report is made from, besides the leg results.</summary>
    public const string EndingName = "ending.json";

    /// <summary>Says that no container of the run's own is left to delete.</summary>
    public const string ContainerGoneName = "container-gone";

    private const string ListingName = "listing.json";
    private const string ResumptionName = "resumption.json";
    private const string BegunPrefix = "begun/";
    private const string ReadyPrefix = "ready/";
    private const string PreloadPrefix = "preload/";

    public string RunId => Id;

    /// <summary>A worker's ready mark.</summary>
    public static string ReadyName(int worker) => ReadyPrefix + Number(worker);

    /// <summary>
    /// Claims the run's id with its spec. Returns false if a run or an experiment has the id, or if legs of a run are there without their
    /// spec.
    /// </summary>
    public async Task<bool> TryClaimAsync(RunSpec spec, CancellationToken cancellationToken) =>
        !await HasAsync(ExperimentFiles.SpecName, cancellationToken)
        && !await HasLegsWithoutSpecAsync(cancellationToken)
        && await TryCreateAsync(SpecName, spec, cancellationToken);

    public async Task<bool> HasLegsWithoutSpecAsync(CancellationToken cancellationToken) =>
        !await HasAsync(SpecName, cancellationToken) && await HasLegsAsync(cancellationToken);

    /// <summary>Whether any leg of the run was begun.</summary>
    public async Task<bool> HasLegsAsync(CancellationToken cancellationToken) =>
        (await Store.ListAsync(Id, LegNames.Prefix, cancellationToken)).Count > 0;

    /// <summary>The claimed spec as JSON; null when there is no such run.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

    /// <summary>The claimed spec as it was validated before it was claimed; null when there is no such run.</summary>
    public Task<RunSpec?> ReadClaimedAsync(CancellationToken cancellationToken) => ReadAsync<RunSpec>(SpecName, cancellationToken);

    /// <summary>
    /// Keeps how the list of runs shows this one. The first call wins, so that a repeated one does not list the run twice.
    /// </summary>
    public Task<RunListing> KeepListingAsync(RunListing listing, CancellationToken cancellationToken) =>
        KeepAsync(ListingName, listing, cancellationToken);

    /// <summary>How the list of runs shows this one; null when it was never listed.</summary>
    public Task<RunListing?> ReadListingAsync(CancellationToken cancellationToken) => ReadAsync<RunListing>(ListingName, cancellationToken);

    /// <summary>
    /// Keeps what is known of the container before the first write. The first call wins, so that a repeated preparation keeps the first
    /// count.
    /// </summary>
    public Task<PreparedContainer> KeepPreparedAsync(PreparedContainer prepared, CancellationToken cancellationToken) =>
        KeepAsync(PreparedName, prepared, cancellationToken);

    public Task<PreparedContainer?> ReadPreparedAsync(CancellationToken cancellationToken) =>
        ReadAsync<PreparedContainer>(PreparedName, cancellationToken);

    /// <summary>
    /// Notes that a program begins to orchestrate the run, or resumes it: what lies before was interrupted. The report of an earlier start
    /// that failed is deleted, for it says nothing of this one.
    /// </summary>
    /// <param name="by">The orchestration that begins, which is noted once; null if each call is a program of its own.</param>
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

    /// <summary>When programs began to orchestrate the run, in their order; empty where no program notes it.</summary>
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

    /// <summary>Marks a worker as ready to start; false when an earlier attempt at its first leg did.</summary>
    public Task<bool> MarkReadyAsync(int worker, CancellationToken cancellationToken) =>
        MarkAsync(ReadyName(worker), cancellationToken);

    public async Task<int> CountReadyAsync(CancellationToken cancellationToken) =>
        (await Store.ListAsync(Id, ReadyPrefix, cancellationToken)).Count;

    /// <summary>Notes that a worker has written its share of the documents that the workload needs.</summary>
    public Task KeepPreloadAsync(int worker, PreloadShare share, CancellationToken cancellationToken) =>
        TryCreateAsync(PreloadName(worker), share, cancellationToken);

    /// <summary>What a worker wrote before the start; null when it has not finished that.</summary>
    public Task<PreloadShare?> ReadPreloadAsync(int worker, CancellationToken cancellationToken) =>
        ReadAsync<PreloadShare>(PreloadName(worker), cancellationToken);

    /// <summary>Sets the common start instant unless it is set; returns the one that holds.</summary>
    public Task<StartInstant> SetStartAsync(StartInstant start, CancellationToken cancellationToken) =>
        KeepAsync(StartName, start, cancellationToken);

    /// <summary>The common start instant; null while it is not set.</summary>
    public Task<StartInstant?> ReadStartAsync(CancellationToken cancellationToken) => ReadAsync<StartInstant>(StartName, cancellationToken);

    /// <summary>
    /// Discards what the run did, so that it can be measured again. Its claim, its attempts and its place in the list of runs stay.
    /// </summary>
    /// <param name="except">Another item that stays; null for none.</param>
    public Task DiscardAsync(CancellationToken cancellationToken, string? except = null) => Store.DeleteAsync(
        Id,
        name => name is not (SpecName or ListingName or StartedByName or ResumptionName) && name != except
            && !name.StartsWith(AttemptsPrefix, StringComparison.Ordinal),
        cancellationToken);

    /// <summary>Notes that the run is resumed or measured again.</summary>
    public Task WriteResumptionAsync(RunResumption resumption, CancellationToken cancellationToken) =>
        WriteAsync(ResumptionName, resumption, cancellationToken);

    /// <summary>When the run was last resumed or measured again, and by what; null when it was not.</summary>
    public Task<RunResumption?> ReadResumptionAsync(CancellationToken cancellationToken) =>
        ReadAsync<RunResumption>(ResumptionName, cancellationToken);

    /// <summary>Keeps how the run ended unless that is kept: from now on its report says that, however often it is made.</summary>
    public Task KeepEndingAsync(RunEnding ending, CancellationToken cancellationToken) =>
        TryCreateAsync(EndingName, ending, cancellationToken);

    /// <summary>How the run ended; null while that is open.</summary>
    public Task<RunEnding?> ReadEndingAsync(CancellationToken cancellationToken) => ReadAsync<RunEnding>(EndingName, cancellationToken);

    /// <summary>Notes that the run has ended, when nothing is left to do. Calling it again writes the same again.</summary>
    public Task WriteEndedAsync(RunEnded ended, CancellationToken cancellationToken) =>
        WriteAsync(EndedName, ended, cancellationToken);

    /// <summary>How and when the run ended; null while it has not.</summary>
    public Task<RunEnded?> ReadEndedAsync(CancellationToken cancellationToken) => ReadAsync<RunEnded>(EndedName, cancellationToken);

    /// <summary>How and when the run ended; null if it has not, or if the note is damaged, since it can be written again.</summary>
    public async Task<RunEnded?> FindEndedAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndedAsync, cancellationToken)).Item;

    /// <summary>What is wrong with the note that the run ended; null if it is sound or missing.</summary>
    public async Task<EvidenceException?> FindEndedDamageAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndedAsync, cancellationToken)).Damage;

    /// <summary>What is wrong with the ending that the report was made from; null if it is sound or missing.</summary>
    public async Task<EvidenceException?> FindEndingDamageAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndingAsync, cancellationToken)).Damage;

    /// <summary>Takes back that the run has ended and that its container is gone, for a run that ended before it began.</summary>
    public Task WithdrawEndedAsync(CancellationToken cancellationToken) =>
        Store.DeleteAsync(Id, name => name is EndedName or ContainerGoneName, cancellationToken);

    /// <summary>Notes that no container of the run's own is left to delete: it was deleted, or the run never made one.</summary>
    public Task MarkContainerGoneAsync(CancellationToken cancellationToken) => MarkAsync(ContainerGoneName, cancellationToken);

    public Task<bool> IsContainerGoneAsync(CancellationToken cancellationToken) => HasAsync(ContainerGoneName, cancellationToken);

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

/// <summary>That a program began to orchestrate a run, or to resume it.</summary>
/// <param name="At">When, UTC by the clock that the orchestration goes by.</param>
/// <param name="By">The orchestration; null if a program orchestrates the run without one that is kept.</param>
internal sealed record RunBegun(DateTimeOffset At, string? By);

/// <summary>Says that a run is resumed, or that its experiment measures it again because it came to no measurement before.</summary>
/// <param name="Attempt">The experiment's attempt that measured it last; 1 for a run of no experiment.</param>
/// <param name="InstanceId">
/// Id of the orchestration that runs it. Each attempt has its own, because not every engine accepts the id of an orchestration that has
/// ended; the first attempt has the run's id.
/// </param>
/// <param name="At">UTC.</param>
/// <param name="WasAskedToStop">Whether the run had its stop flag before. It gets the flag back if the start fails.</param>
public sealed record RunResumption(int Attempt, string InstanceId, DateTimeOffset At, bool WasAskedToStop = false);
