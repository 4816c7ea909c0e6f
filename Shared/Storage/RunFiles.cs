using ScaleOut.Experiments;

namespace ScaleOut.Storage;

/// <summary>
/// The items of one run in the run store, by what they mean. What is read is what was written (<see cref="StoredItem"/>); every reading of
/// an item that is not throws an <see cref="EvidenceException"/>, which names it.
/// </summary>
public sealed class RunFiles(IRunStore store, string runId)
{
    /// <summary>The item that holds a run's spec.</summary>
    public const string SpecName = "spec.json";

    /// <summary>The form of a report that programs read, of a run and of an experiment.</summary>
    public const string ReportName = "report.json";

    /// <summary>The container as it was before the first write.</summary>
    public const string PreparedName = "prepared.json";

    /// <summary>The common start instant.</summary>
    public const string StartName = "start.json";

    /// <summary>What the report is made from, besides the leg results.</summary>
    public const string EndingName = "ending.json";

    /// <summary>That no container of the run's own is left to delete.</summary>
    public const string ContainerGoneName = "container-gone";

    private const string ReportPrefix = "report.";
    private const string SumsName = "report-checksums.json";
    private const string StopName = "stop";
    private const string ListingName = "listing.json";
    private const string EndedName = "ended.json";
    private const string ResumptionName = "resumption.json";
    private const string FailIfName = "fail-if.json";
    private const string BegunPrefix = "begun/";
    private const string AttemptsPrefix = "attempts/";
    private const string ReadyPrefix = "ready/";
    private const string PreloadPrefix = "preload/";

    /// <summary>A worker's ready mark.</summary>
    public static string ReadyName(int worker) => ReadyPrefix + Number(worker);

    private readonly LegFiles _legs = new(store, runId);

    /// <summary>The run.</summary>
    public string RunId => runId;

    /// <summary>
    /// Claims the run's id with its spec; false when the id is in use, be it by a run or by an experiment, or when legs of a run are there
    /// whose own spec is gone.
    /// </summary>
    public async Task<bool> TryClaimAsync(RunSpec spec, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, ExperimentFiles.SpecName, cancellationToken) is null
        && !await HasLegsWithoutSpecAsync(cancellationToken)
        && await store.TryCreateAsync(runId, SpecName, Serialize(SpecName, spec), cancellationToken);

    /// <summary>Whether legs of a run are there, and not the spec that they were made for.</summary>
    public async Task<bool> HasLegsWithoutSpecAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, SpecName, cancellationToken) is null && await HasLegsAsync(cancellationToken);

    /// <summary>Whether any leg of the run was begun.</summary>
    public async Task<bool> HasLegsAsync(CancellationToken cancellationToken) =>
        (await store.ListAsync(runId, LegNames.Prefix, cancellationToken)).Count > 0;

    /// <summary>The claimed spec as JSON; null when there is no such run.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

    /// <summary>The claimed spec as it was validated before it was claimed; null when there is no such run.</summary>
    public Task<RunSpec?> ReadClaimedAsync(CancellationToken cancellationToken) => ReadAsync<RunSpec>(SpecName, cancellationToken);

    /// <summary>
    /// Keeps how the list of runs shows this one; the first call wins, so that a repeated one lists the run no second time.
    /// </summary>
    public async Task<RunListing> KeepListingAsync(RunListing listing, CancellationToken cancellationToken) =>
        await store.TryCreateAsync(runId, ListingName, Serialize(ListingName, listing), cancellationToken)
            ? listing
            : await ReadListingAsync(cancellationToken) ?? listing;

    /// <summary>How the list of runs shows this one; null when it was never listed.</summary>
    public Task<RunListing?> ReadListingAsync(CancellationToken cancellationToken) => ReadAsync<RunListing>(ListingName, cancellationToken);

    /// <summary>
    /// Keeps what is known of the container before the first write; the first writer wins, so that a repeated preparation keeps the first
    /// count.
    /// </summary>
    public async Task<PreparedContainer> KeepPreparedAsync(PreparedContainer prepared, CancellationToken cancellationToken) =>
        await store.TryCreateAsync(runId, PreparedName, Serialize(PreparedName, prepared), cancellationToken)
            ? prepared
            : await ReadPreparedAsync(cancellationToken) ?? prepared;

    public Task<PreparedContainer?> ReadPreparedAsync(CancellationToken cancellationToken) =>
        ReadAsync<PreparedContainer>(PreparedName, cancellationToken);

    /// <summary>Whether an item is there, be it whole or not.</summary>
    public async Task<bool> HasAsync(string name, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, name, cancellationToken) is not null;

    /// <summary>
    /// Notes that a program begins to orchestrate the run, or resumes it: what lies before was interrupted. The report of an earlier start
    /// that failed is deleted, for it says nothing of this one.
    /// </summary>
    /// <param name="by">The orchestration that begins, which is noted once; null where each call is a program of its own.</param>
    public async Task NoteBegunAsync(DateTimeOffset at, CancellationToken cancellationToken, string? by = null)
    {
        await store.DeleteAsync(
            runId, name => name.StartsWith(ReportPrefix, StringComparison.Ordinal) || name == SumsName, cancellationToken);
        for (var number = 1; ; number++)
        {
            var name = $"{BegunPrefix}{Number(number)}.json";
            if (await store.TryCreateAsync(runId, name, Serialize(name, new RunBegun(at, by)), cancellationToken)
                || (by is not null && (await ReadAsync<RunBegun>(name, cancellationToken))?.By == by))
                return;
        }
    }

    /// <summary>When programs began to orchestrate the run, in their order; empty where none notes it.</summary>
    public async Task<IReadOnlyList<DateTimeOffset>> ReadBegunAsync(CancellationToken cancellationToken)
    {
        var begun = new List<DateTimeOffset>();
        foreach (var name in await store.ListAsync(runId, BegunPrefix, cancellationToken))
        {
            if (await ReadAsync<RunBegun>(name, cancellationToken) is { } one)
                begun.Add(one.At);
        }

        return begun;
    }

    /// <summary>Marks a worker as ready to start; false when an earlier attempt at its first leg did.</summary>
    public Task<bool> MarkReadyAsync(int worker, CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, ReadyName(worker), ReadOnlyMemory<byte>.Empty, cancellationToken);

    /// <summary>How many workers are ready to start.</summary>
    public async Task<int> CountReadyAsync(CancellationToken cancellationToken) =>
        (await store.ListAsync(runId, ReadyPrefix, cancellationToken)).Count;

    /// <summary>Notes that a worker has written its share of the documents that the workload needs.</summary>
    public Task KeepPreloadAsync(int worker, PreloadShare share, CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, PreloadName(worker), Serialize(PreloadName(worker), share), cancellationToken);

    /// <summary>What a worker wrote before the start; null when it has not finished that.</summary>
    public Task<PreloadShare?> ReadPreloadAsync(int worker, CancellationToken cancellationToken) =>
        ReadAsync<PreloadShare>(PreloadName(worker), cancellationToken);

    /// <summary>Sets the common start instant unless it is set; returns the one that holds.</summary>
    public async Task<StartInstant> SetStartAsync(StartInstant start, CancellationToken cancellationToken) =>
        await store.TryCreateAsync(runId, StartName, Serialize(StartName, start), cancellationToken)
            ? start
            : await ReadStartAsync(cancellationToken) ?? start;

    /// <summary>The common start instant; null while it is not set.</summary>
    public Task<StartInstant?> ReadStartAsync(CancellationToken cancellationToken) => ReadAsync<StartInstant>(StartName, cancellationToken);

    /// <summary>Asks all legs to end; they poll this flag every second.</summary>
    public Task RequestStopAsync(CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, StopName, ReadOnlyMemory<byte>.Empty, cancellationToken);

    public async Task<bool> IsStopRequestedAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, StopName, cancellationToken) is not null;

    /// <summary>Takes the request to stop back.</summary>
    public Task WithdrawStopAsync(CancellationToken cancellationToken) =>
        store.DeleteAsync(runId, name => name == StopName, cancellationToken);

    /// <summary>
    /// Throws away what the run did, so that it can be measured again. Its claim, its attempts and its place in the list of runs stay.
    /// </summary>
    /// <param name="except">Another item that stays; null for none.</param>
    public Task DiscardAsync(CancellationToken cancellationToken, string? except = null) => store.DeleteAsync(
        runId,
        name => name is not (SpecName or ListingName or ResumptionName) && name != except
            && !name.StartsWith(AttemptsPrefix, StringComparison.Ordinal),
        cancellationToken);

    /// <summary>Claims an attempt at the run, or at the experiment of that id; of several callers exactly one gets true.</summary>
    public Task<bool> TryClaimAttemptAsync(JobAttempt attempt, CancellationToken cancellationToken)
    {
        var name = $"{AttemptsPrefix}{Number(attempt.Number)}.json";
        return store.TryCreateAsync(runId, name, Serialize(name, attempt), cancellationToken);
    }

    /// <summary>The last attempt that was claimed; null when there is none.</summary>
    public async Task<JobAttempt?> ReadAttemptAsync(CancellationToken cancellationToken) =>
        await store.ListAsync(runId, AttemptsPrefix, cancellationToken) is [.., var last]
            ? await ReadAsync<JobAttempt>(last, cancellationToken)
            : null;

    /// <summary>Keeps the condition under which the run, or the experiment, fails although it is complete.</summary>
    public Task KeepFailIfAsync(string condition, CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, FailIfName, Serialize(FailIfName, new KeptCondition(condition)), cancellationToken);

    /// <summary>That condition; null when its start gave none.</summary>
    public async Task<string?> ReadFailIfAsync(CancellationToken cancellationToken) =>
        (await ReadAsync<KeptCondition>(FailIfName, cancellationToken))?.Condition;

    /// <summary>Notes that the run is resumed or measured again.</summary>
    public Task WriteResumptionAsync(RunResumption resumption, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, ResumptionName, Serialize(ResumptionName, resumption), cancellationToken);

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
        store.DeleteAsync(runId, name => name == LegNames.Result(worker, leg), cancellationToken);

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

    /// <summary>Writes one form of the report, such as <c>report.json</c>.</summary>
    public Task WriteReportAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, name, content, cancellationToken);

    /// <summary>Writes all forms of the report, and then their checksums. Meanwhile no form is held against the former checksums.</summary>
    public async Task WriteReportAsync(IReadOnlyList<(string Name, byte[] Content)> forms, CancellationToken cancellationToken)
    {
        await store.DeleteAsync(runId, name => name == SumsName, cancellationToken);
        foreach (var (name, content) in forms)
            await WriteReportAsync(name, content, cancellationToken);
        var sums = new ReportSums(forms.ToDictionary(form => form.Name, form => SumOf(form.Content)));
        await store.WriteAsync(runId, SumsName, Serialize(SumsName, sums), cancellationToken);
    }

    /// <summary>One form of the report; null when there is none. One without content is none.</summary>
    /// <exception cref="EvidenceException">It is not what was written.</exception>
    public async Task<byte[]?> ReadReportAsync(string name, CancellationToken cancellationToken)
    {
        if (await store.ReadAsync(runId, name, cancellationToken) is not { Length: > 0 } content)
            return null;
        if (name == ReportName)
            StoredItem.Open(ItemOf(name), content);
        var sums = await ReadAsync<ReportSums>(SumsName, cancellationToken);
        return sums?.Files.GetValueOrDefault(name) is { } sum && sum != SumOf(content)
            ? throw EvidenceException.Damaged(ItemOf(name), $"it does not have the checksum that {SumsName} has of it, so it was changed")
            : content;
    }

    /// <summary>
    /// What is wrong with the report, such as a form that was changed or deleted; null for nothing. Once the run has ended, the checksums
    /// are part of its report.
    /// </summary>
    public async Task<EvidenceException?> FindReportDamageAsync(CancellationToken cancellationToken)
    {
        try
        {
            var sums = await ReadAsync<ReportSums>(SumsName, cancellationToken);
            if (sums is null && await HasAsync(EndedName, cancellationToken)
                && (await store.ListAsync(runId, ReportPrefix, cancellationToken)).Count > 0)
                return EvidenceException.Damaged(ItemOf(SumsName), "it is missing, so whether the report was changed is not known");
            foreach (var name in sums?.Files.Keys ?? [ReportName])
            {
                if (await ReadReportAsync(name, cancellationToken) is null && sums is not null)
                    return EvidenceException.Damaged(ItemOf(name), "it is missing or empty");
            }

            return null;
        }
        catch (EvidenceException e)
        {
            return e;
        }
    }

    /// <summary>Keeps how the run ended unless that is kept: from now on its report says that, however often it is made.</summary>
    public Task KeepEndingAsync(RunEnding ending, CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, EndingName, Serialize(EndingName, ending), cancellationToken);

    /// <summary>How the run ended; null while that is open.</summary>
    public Task<RunEnding?> ReadEndingAsync(CancellationToken cancellationToken) => ReadAsync<RunEnding>(EndingName, cancellationToken);

    /// <summary>Notes that the run has ended, when nothing is left to do. Calling it again writes the same again.</summary>
    public Task WriteEndedAsync(RunEnded ended, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, EndedName, Serialize(EndedName, ended), cancellationToken);

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
        store.DeleteAsync(runId, name => name is EndedName or ContainerGoneName, cancellationToken);

    /// <summary>Notes that no container of the run's own is left to delete: it was deleted, or the run never made one.</summary>
    public Task MarkContainerGoneAsync(CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, ContainerGoneName, ReadOnlyMemory<byte>.Empty, cancellationToken);

    public async Task<bool> IsContainerGoneAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, ContainerGoneName, cancellationToken) is not null;

    private static string PreloadName(int worker) => $"{PreloadPrefix}{Number(worker)}.json";

    private static string Number(int number) => number.ToString("D4", CultureInfo.InvariantCulture);

    private static string SumOf(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content));

    private string ItemOf(string name) => $"{runId}/{name}";

    private byte[] Serialize<T>(string name, T value) => StoredItem.Write(ItemOf(name), value);

    private async Task<T?> ReadAsync<T>(string name, CancellationToken cancellationToken)
        where T : class =>
        await store.ReadAsync(runId, name, cancellationToken) is { } content ? StoredItem.Read<T>(ItemOf(name), content) : null;
}

/// <summary>The SHA-256 of each form of a report.</summary>
internal sealed record ReportSums(IReadOnlyDictionary<string, string> Files);

/// <summary>A condition under which a run fails although it is complete.</summary>
internal sealed record KeptCondition(string Condition);

/// <summary>That a program began to orchestrate a run, or to resume it.</summary>
/// <param name="At">When, UTC by the clock that the orchestration goes by.</param>
/// <param name="By">The orchestration; null where a program orchestrates the run without one that is kept.</param>
internal sealed record RunBegun(DateTimeOffset At, string? By);

/// <summary>That a run is resumed, or that its experiment measures it again because it came to no measurement before.</summary>
/// <param name="Attempt">The experiment's attempt that measured it last; 1 for a run of no experiment.</param>
/// <param name="InstanceId">Id of the orchestration that runs it: that of the first attempt has the run's own id, a later one
/// has an id of its own, because not every engine accepts the id of an orchestration that has ended.</param>
/// <param name="At">When, UTC.</param>
/// <param name="WasAskedToStop">Whether the run had its stop flag before; it gets it back when the start fails.</param>
public sealed record RunResumption(int Attempt, string InstanceId, DateTimeOffset At, bool WasAskedToStop = false);

/// <summary>An attempt at a run or an experiment on a durable engine, with an orchestration of its own.</summary>
/// <param name="Number">1 for the start; one more each time that it is resumed.</param>
/// <param name="At">When it was claimed, UTC.</param>
public sealed record JobAttempt(int Number, DateTimeOffset At)
{
    /// <summary>
    /// Time from the claim to the orchestration. An attempt that has none by then never will: whoever claimed it is gone.
    /// </summary>
    private static readonly TimeSpan MaxTimeToBegin = TimeSpan.FromMinutes(2);

    /// <summary>Whether an attempt without an orchestration may still get it.</summary>
    public bool MayBegin(DateTimeOffset now) => now - At < MaxTimeToBegin;
}
