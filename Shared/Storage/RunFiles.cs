using ScaleOut.Experiments;

namespace ScaleOut.Storage;

/// <summary>The items of one run in the run store, by what they mean.</summary>
public sealed class RunFiles(IRunStore store, string runId) : JobFiles(store, runId)
{
    /// <summary>The item that holds a run's spec.</summary>
    public const string SpecName = "spec.json";

    /// <summary>The container as it was before the first write.</summary>
    public const string PreparedName = "prepared.json";

    /// <summary>The common start instant.</summary>
    public const string StartName = "start.json";

    /// <summary>What the report is made from, besides the leg results.</summary>
    public const string EndingName = "ending.json";

    /// <summary>That no container of the run's own is left to delete.</summary>
    public const string ContainerGoneName = "container-gone";

    private const string ListingName = "listing.json";
    private const string ResumptionName = "resumption.json";
    private const string BegunPrefix = "begun/";
    private const string ReadyPrefix = "ready/";
    private const string PreloadPrefix = "preload/";

    /// <summary>A worker's ready mark.</summary>
    public static string ReadyName(int worker) => ReadyPrefix + Number(worker);

    private readonly LegFiles _legs = new(store, runId);

    public string RunId => Id;

    /// <summary>
    /// Claims the run's id with its spec; false when the id is in use, be it by a run or by an experiment, or when legs of a run are there
    /// whose own spec is gone.
    /// </summary>
    public async Task<bool> TryClaimAsync(RunSpec spec, CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, ExperimentFiles.SpecName, cancellationToken) is null
        && !await HasLegsWithoutSpecAsync(cancellationToken)
        && await Store.TryCreateAsync(Id, SpecName, Serialize(SpecName, spec), cancellationToken);

    /// <summary>Whether legs of a run are there, and not the spec that they were made for.</summary>
    public async Task<bool> HasLegsWithoutSpecAsync(CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, SpecName, cancellationToken) is null && await HasLegsAsync(cancellationToken);

    /// <summary>Whether any leg of the run was begun.</summary>
    public async Task<bool> HasLegsAsync(CancellationToken cancellationToken) =>
        (await Store.ListAsync(Id, LegNames.Prefix, cancellationToken)).Count > 0;

    /// <summary>The claimed spec as JSON; null when there is no such run.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

    /// <summary>The claimed spec as it was validated before it was claimed; null when there is no such run.</summary>
    public Task<RunSpec?> ReadClaimedAsync(CancellationToken cancellationToken) => ReadAsync<RunSpec>(SpecName, cancellationToken);

    /// <summary>
    /// Keeps how the list of runs shows this one; the first call wins, so that a repeated one lists the run no second time.
    /// </summary>
    public async Task<RunListing> KeepListingAsync(RunListing listing, CancellationToken cancellationToken) =>
        await Store.TryCreateAsync(Id, ListingName, Serialize(ListingName, listing), cancellationToken)
            ? listing
            : await ReadListingAsync(cancellationToken) ?? listing;

    /// <summary>How the list of runs shows this one; null when it was never listed.</summary>
    public Task<RunListing?> ReadListingAsync(CancellationToken cancellationToken) => ReadAsync<RunListing>(ListingName, cancellationToken);

    /// <summary>
    /// Keeps what is known of the container before the first write; the first writer wins, so that a repeated preparation keeps the first
    /// count.
    /// </summary>
    public async Task<PreparedContainer> KeepPreparedAsync(PreparedContainer prepared, CancellationToken cancellationToken) =>
        await Store.TryCreateAsync(Id, PreparedName, Serialize(PreparedName, prepared), cancellationToken)
            ? prepared
            : await ReadPreparedAsync(cancellationToken) ?? prepared;

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
            if (await Store.TryCreateAsync(Id, name, Serialize(name, new RunBegun(at, by)), cancellationToken)
                || (by is not null && (await ReadAsync<RunBegun>(name, cancellationToken))?.By == by))
                return;
        }
    }

    /// <summary>When programs began to orchestrate the run, in their order; empty where none notes it.</summary>
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
        Store.TryCreateAsync(Id, ReadyName(worker), ReadOnlyMemory<byte>.Empty, cancellationToken);

    /// <summary>How many workers are ready to start.</summary>
    public async Task<int> CountReadyAsync(CancellationToken cancellationToken) =>
        (await Store.ListAsync(Id, ReadyPrefix, cancellationToken)).Count;

    /// <summary>Notes that a worker has written its share of the documents that the workload needs.</summary>
    public Task KeepPreloadAsync(int worker, PreloadShare share, CancellationToken cancellationToken) =>
        Store.TryCreateAsync(Id, PreloadName(worker), Serialize(PreloadName(worker), share), cancellationToken);

    /// <summary>What a worker wrote before the start; null when it has not finished that.</summary>
    public Task<PreloadShare?> ReadPreloadAsync(int worker, CancellationToken cancellationToken) =>
        ReadAsync<PreloadShare>(PreloadName(worker), cancellationToken);

    /// <summary>Sets the common start instant unless it is set; returns the one that holds.</summary>
    public async Task<StartInstant> SetStartAsync(StartInstant start, CancellationToken cancellationToken) =>
        await Store.TryCreateAsync(Id, StartName, Serialize(StartName, start), cancellationToken)
            ? start
            : await ReadStartAsync(cancellationToken) ?? start;

    /// <summary>The common start instant; null while it is not set.</summary>
    public Task<StartInstant?> ReadStartAsync(CancellationToken cancellationToken) => ReadAsync<StartInstant>(StartName, cancellationToken);

    /// <summary>
    /// Throws away what the run did, so that it can be measured again. Its claim, its attempts and its place in the list of runs stay.
    /// </summary>
    /// <param name="except">Another item that stays; null for none.</param>
    public Task DiscardAsync(CancellationToken cancellationToken, string? except = null) => Store.DeleteAsync(
        Id,
        name => name is not (SpecName or ListingName or ResumptionName) && name != except
            && !name.StartsWith(AttemptsPrefix, StringComparison.Ordinal),
        cancellationToken);

    /// <summary>Notes that the run is resumed or measured again.</summary>
    public Task WriteResumptionAsync(RunResumption resumption, CancellationToken cancellationToken) =>
        Store.WriteAsync(Id, ResumptionName, Serialize(ResumptionName, resumption), cancellationToken);

    /// <summary>When the run was last resumed or measured again, and by what; null when it was not.</summary>
    public Task<RunResumption?> ReadResumptionAsync(CancellationToken cancellationToken) =>
        ReadAsync<RunResumption>(ResumptionName, cancellationToken);

    /// <summary>Claims the next attempt at a leg; returns its number, from 1.</summary>
    public Task<int> ClaimAttemptAsync(int worker, int leg, string instanceId, CancellationToken cancellationToken) =>
        _legs.ClaimAttemptAsync(worker, leg, instanceId, cancellationToken);

    /// <summary>Keeps a leg's result unless there is one; returns the one that holds, so that a leg that ran twice counts once.</summary>
    public Task<LegResult> KeepResultAsync(LegResult result, CancellationToken cancellationToken)
    {
        return _legs.KeepResultAsync(result, cancellationToken);
    }

    /// <summary>A leg's result; null when it has none.</summary>
    public Task<LegResult?> ReadResultAsync(int worker, int leg, CancellationToken cancellationToken) =>
        _legs.ReadResultAsync(worker, leg, cancellationToken);

    /// <summary>Throws a leg's result away, so that the leg can be run again; it counts as lost then.</summary>
    public Task DiscardResultAsync(int worker, int leg, CancellationToken cancellationToken) =>
        Store.DeleteAsync(Id, name => name == LegNames.Result(worker, leg), cancellationToken);

    /// <summary>
    /// A leg's result. One that is damaged is set aside under another name, so that the leg can be run again; then there is none.
    /// </summary>
    public Task<(LegResult? Result, DamagedItem? Damaged)> TakeResultAsync(int worker, int leg, CancellationToken cancellationToken) =>
        _legs.TakeResultAsync(worker, leg, cancellationToken);

    /// <summary>
    /// The last result of a worker before a leg; null when there is none. What is damaged on the way back to it is set aside.
    /// </summary>
    public Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> TakeResultBeforeAsync(
        int worker, int leg, CancellationToken cancellationToken) =>
        _legs.TakeResultBeforeAsync(worker, leg, cancellationToken);

    /// <summary>The first result of a worker after a leg; null when there is none. What is damaged on the way to it is set aside.</summary>
    public Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> TakeResultAfterAsync(
        int worker, int leg, CancellationToken cancellationToken) =>
        _legs.TakeResultAfterAsync(worker, leg, cancellationToken);

    /// <summary>
    /// All leg results of the run, by worker and leg, and how many attempts were begun without one. Results that are damaged are set aside.
    /// </summary>
    public Task<LegHarvest> ReadLegsAsync(CancellationToken cancellationToken) => _legs.ReadAllAsync(cancellationToken);

    /// <summary>How many attempts at legs were begun and left no result, so far.</summary>
    public Task<int> CountLostLegsAsync(CancellationToken cancellationToken) => _legs.CountLostAsync(cancellationToken);

    /// <summary>Keeps how the run ended unless that is kept: from now on its report says that, however often it is made.</summary>
    public Task KeepEndingAsync(RunEnding ending, CancellationToken cancellationToken) =>
        Store.TryCreateAsync(Id, EndingName, Serialize(EndingName, ending), cancellationToken);

    /// <summary>How the run ended; null while that is open.</summary>
    public Task<RunEnding?> ReadEndingAsync(CancellationToken cancellationToken) => ReadAsync<RunEnding>(EndingName, cancellationToken);

    /// <summary>Notes that the run has ended, when nothing is left to do. Calling it again writes the same again.</summary>
    public Task WriteEndedAsync(RunEnded ended, CancellationToken cancellationToken) =>
        Store.WriteAsync(Id, EndedName, Serialize(EndedName, ended), cancellationToken);

    /// <summary>How and when the run ended; null while it has not.</summary>
    public Task<RunEnded?> ReadEndedAsync(CancellationToken cancellationToken) => ReadAsync<RunEnded>(EndedName, cancellationToken);

    /// <summary>How and when the run ended; null if it has not, or if the note of it is damaged, since it can be written again.</summary>
    public async Task<RunEnded?> FindEndedAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndedAsync, cancellationToken)).Item;

    /// <summary>What is wrong with the note that the run ended; null if it is sound or missing.</summary>
    public async Task<EvidenceException?> FindEndedDamageAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndedAsync, cancellationToken)).Damage;

    /// <summary>What is wrong with the ending that the report was made from; null if it is sound or missing.</summary>
    public async Task<EvidenceException?> FindEndingDamageAsync(CancellationToken cancellationToken) =>
        (await TryReadAsync(ReadEndingAsync, cancellationToken)).Damage;

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

    /// <summary>
    /// Takes back that the run has ended, and that no container is left of it, for one that ended before it began and begins now.
    /// </summary>
    public Task WithdrawEndedAsync(CancellationToken cancellationToken) =>
        Store.DeleteAsync(Id, name => name is EndedName or ContainerGoneName, cancellationToken);

    /// <summary>Notes that no container of the run's own is left to delete: it was deleted, or the run never made one.</summary>
    public Task MarkContainerGoneAsync(CancellationToken cancellationToken) =>
        Store.TryCreateAsync(Id, ContainerGoneName, ReadOnlyMemory<byte>.Empty, cancellationToken);

    public async Task<bool> IsContainerGoneAsync(CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, ContainerGoneName, cancellationToken) is not null;

    private static string PreloadName(int worker) => $"{PreloadPrefix}{Number(worker)}.json";
}

/// <summary>That a program began to orchestrate a run, or to resume it.</summary>
/// <param name="At">When, UTC by the clock that the orchestration goes by.</param>
/// <param name="By">The orchestration; null if a program orchestrates the run without one that is kept.</param>
internal sealed record RunBegun(DateTimeOffset At, string? By);

/// <summary>That a run is resumed, or that its experiment measures it again because it came to no measurement before.</summary>
/// <param name="Attempt">The experiment's attempt that measured it last; 1 for a run of no experiment.</param>
/// <param name="InstanceId">Id of the orchestration that runs it: that of the first attempt has the run's own id, a later one
/// has an id of its own, because not every engine accepts the id of an orchestration that has ended.</param>
/// <param name="At">When, UTC.</param>
/// <param name="WasAskedToStop">Whether the run had its stop flag before; it gets it back when the start fails.</param>
public sealed record RunResumption(int Attempt, string InstanceId, DateTimeOffset At, bool WasAskedToStop = false);
