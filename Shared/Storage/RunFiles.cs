using ScaleOut.Experiments;

namespace ScaleOut.Storage;

/// <summary>
/// The items of one run in the run store, by what they mean. Every read throws an <see cref="EvidenceException"/> that names the item if
/// its content is not what was written (<see cref="StoredItem"/>).
/// </summary>
public sealed partial class RunFiles(IRunStore store, string runId)
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

    /// <summary>Says that no container of the run's own is left to delete.</summary>
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

    public string RunId => runId;

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
        (await store.ListAsync(runId, LegNames.Prefix, cancellationToken)).Count > 0;

    /// <summary>The claimed spec as JSON; null when there is no such run.</summary>
    public async Task<byte[]?> ReadSpecAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, SpecName, cancellationToken) is { } content ? StoredItem.Open(ItemOf(SpecName), content) : null;

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

    /// <summary>Whether an item is there, sound or damaged.</summary>
    public async Task<bool> HasAsync(string name, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, name, cancellationToken) is not null;

    /// <summary>Notes that a program begins to orchestrate the run, or resumes it. The time before it was interrupted.</summary>
    /// <param name="by">The orchestration that begins, which is noted once; null where each call is a program of its own.</param>
    public async Task NoteBegunAsync(DateTimeOffset at, CancellationToken cancellationToken, string? by = null)
    {
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
        foreach (var name in await store.ListAsync(runId, BegunPrefix, cancellationToken))
        {
            if (await ReadAsync<RunBegun>(name, cancellationToken) is { } one)
                begun.Add(one.At);
        }

        return begun;
    }

    /// <summary>Marks a worker as ready to start. Returns false if an earlier attempt at its first leg did.</summary>
    public Task<bool> MarkReadyAsync(int worker, CancellationToken cancellationToken) => MarkAsync(ReadyName(worker), cancellationToken);

    public async Task<int> CountReadyAsync(CancellationToken cancellationToken) =>
        (await store.ListAsync(runId, ReadyPrefix, cancellationToken)).Count;

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

    /// <summary>Asks all legs to end; they look at this flag every second.</summary>
    public Task RequestStopAsync(CancellationToken cancellationToken) => MarkAsync(StopName, cancellationToken);

    public Task<bool> IsStopRequestedAsync(CancellationToken cancellationToken) => HasAsync(StopName, cancellationToken);

    public Task WithdrawStopAsync(CancellationToken cancellationToken) =>
        store.DeleteAsync(runId, name => name == StopName, cancellationToken);

    /// <summary>
    /// Discards what the run did, so that it can be measured again. Its claim, its attempts and its place in the list of runs stay.
    /// </summary>
    /// <param name="except">Another item that stays.</param>
    public Task DiscardAsync(CancellationToken cancellationToken, string? except = null) => store.DeleteAsync(
        runId,
        name => name is not (SpecName or ListingName or ResumptionName) && name != except
            && !name.StartsWith(AttemptsPrefix, StringComparison.Ordinal),
        cancellationToken);

    /// <summary>Claims an attempt at the run, or at the experiment of that id. Of several callers exactly one gets true.</summary>
    public Task<bool> TryClaimAttemptAsync(JobAttempt attempt, CancellationToken cancellationToken) =>
        TryCreateAsync($"{AttemptsPrefix}{Number(attempt.Number)}.json", attempt, cancellationToken);

    /// <summary>The last attempt that was claimed; null when there is none.</summary>
    public async Task<JobAttempt?> ReadAttemptAsync(CancellationToken cancellationToken) =>
        await store.ListAsync(runId, AttemptsPrefix, cancellationToken) is [.., var last]
            ? await ReadAsync<JobAttempt>(last, cancellationToken)
            : null;

    /// <summary>Keeps the condition under which the run or the experiment fails although it is complete.</summary>
    public Task KeepFailIfAsync(string condition, CancellationToken cancellationToken) =>
        TryCreateAsync(FailIfName, new KeptCondition(condition), cancellationToken);

    /// <summary>That condition; null when its start gave none.</summary>
    public async Task<string?> ReadFailIfAsync(CancellationToken cancellationToken) =>
        (await ReadAsync<KeptCondition>(FailIfName, cancellationToken))?.Condition;

    /// <summary>Notes that the run is resumed or measured again.</summary>
    public Task WriteResumptionAsync(RunResumption resumption, CancellationToken cancellationToken) =>
        WriteAsync(ResumptionName, resumption, cancellationToken);

    /// <summary>When the run was last resumed or measured again, and by what; null when it was not.</summary>
    public Task<RunResumption?> ReadResumptionAsync(CancellationToken cancellationToken) =>
        ReadAsync<RunResumption>(ResumptionName, cancellationToken);

    /// <summary>Writes one form of the report, such as <c>report.json</c>.</summary>
    public Task WriteReportAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, name, content, cancellationToken);

    /// <summary>
    /// Writes all forms of the report and then their checksums. The former checksums go first, so that no new form is held against them.
    /// </summary>
    public async Task WriteReportAsync(IReadOnlyList<(string Name, byte[] Content)> forms, CancellationToken cancellationToken)
    {
        await store.DeleteAsync(runId, name => name == SumsName, cancellationToken);
        foreach (var (name, content) in forms)
            await WriteReportAsync(name, content, cancellationToken);
        var sums = new ReportSums(forms.ToDictionary(form => form.Name, form => SumOf(form.Content)));
        await WriteAsync(SumsName, sums, cancellationToken);
    }

    /// <summary>One form of the report; null when it is missing or empty.</summary>
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
    /// What is wrong with the report, such as a form that was changed or deleted; null if it is sound. Once the run has ended, the
    /// checksums are part of its report.
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

    /// <summary>Keeps how the run ended, once. From now on its report says that, however often it is made.</summary>
    public Task KeepEndingAsync(RunEnding ending, CancellationToken cancellationToken) =>
        TryCreateAsync(EndingName, ending, cancellationToken);

    /// <summary>How the run ended; null while that is open.</summary>
    public Task<RunEnding?> ReadEndingAsync(CancellationToken cancellationToken) => ReadAsync<RunEnding>(EndingName, cancellationToken);

    /// <summary>Notes that the run has ended and nothing is left to do.</summary>
    public Task WriteEndedAsync(RunEnded ended, CancellationToken cancellationToken) => WriteAsync(EndedName, ended, cancellationToken);

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
        store.DeleteAsync(runId, name => name is EndedName or ContainerGoneName, cancellationToken);

    /// <summary>Notes that no container of the run's own is left to delete: it was deleted, or the run never made one.</summary>
    public Task MarkContainerGoneAsync(CancellationToken cancellationToken) => MarkAsync(ContainerGoneName, cancellationToken);

    public Task<bool> IsContainerGoneAsync(CancellationToken cancellationToken) => HasAsync(ContainerGoneName, cancellationToken);

    private static string PreloadName(int worker) => $"{PreloadPrefix}{Number(worker)}.json";

    private static string Number(int number) => number.ToString("D4", CultureInfo.InvariantCulture);

    private static string SumOf(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content));

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

    private string ItemOf(string name) => $"{runId}/{name}";

    /// <summary>Creates an empty item unless it is there.</summary>
    private Task<bool> MarkAsync(string name, CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, name, ReadOnlyMemory<byte>.Empty, cancellationToken);

    private Task<bool> TryCreateAsync<T>(string name, T value, CancellationToken cancellationToken) =>
        store.TryCreateAsync(runId, name, StoredItem.Write(ItemOf(name), value), cancellationToken);

    /// <summary>Creates an item unless it is there; returns the one that holds.</summary>
    private async Task<T> KeepAsync<T>(string name, T value, CancellationToken cancellationToken)
        where T : class =>
        await TryCreateAsync(name, value, cancellationToken) ? value : await ReadAsync<T>(name, cancellationToken) ?? value;

    private Task WriteAsync<T>(string name, T value, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, name, StoredItem.Write(ItemOf(name), value), cancellationToken);

    private async Task<T?> ReadAsync<T>(string name, CancellationToken cancellationToken)
        where T : class =>
        await store.ReadAsync(runId, name, cancellationToken) is { } content ? StoredItem.Read<T>(ItemOf(name), content) : null;
}

/// <summary>The SHA-256 of each form of a report.</summary>
internal sealed record ReportSums(IReadOnlyDictionary<string, string> Files);

/// <summary>A condition under which a run fails although it is complete.</summary>
internal sealed record KeptCondition(string Condition);

/// <summary>Says that a program began to orchestrate a run, or to resume it.</summary>
/// <param name="At">UTC by the clock of the orchestration.</param>
/// <param name="By">The orchestration; null where a program orchestrates the run without one that is kept.</param>
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
