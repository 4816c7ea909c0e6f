namespace ScaleOut.Storage;

/// <summary>
/// The items of one job in the run store that a run and an experiment have in common, by what they mean. Throws an
/// <see cref="EvidenceException"/> that names the item if an item is not as it was written (<see cref="StoredItem"/>).
/// </summary>
public class JobFiles(IRunStore store, string id)
{
    /// <summary>The form of a report that programs read.</summary>
    public const string ReportName = "report.json";

    protected const string EndedName = "ended.json";
    protected const string AttemptsPrefix = "attempts/";

    private const string ReportPrefix = "report.";
    private const string SumsName = "report-checksums.json";
    private const string StopName = "stop";
    private const string FailIfName = "fail-if.json";

    /// <summary>The item that says what the job was started by.</summary>
    protected const string StartedByName = "started-by.json";

    public string Id => id;

    protected IRunStore Store => store;

    /// <summary>Whether an item is there, sound or damaged.</summary>
    public async Task<bool> HasAsync(string name, CancellationToken cancellationToken) =>
        await store.ReadAsync(id, name, cancellationToken) is not null;

    /// <summary>Asks the job to stop. Legs of a run look at this flag every second. Each run of an experiment has its own.</summary>
    public Task RequestStopAsync(CancellationToken cancellationToken) =>
        MarkAsync(StopName, cancellationToken);

    public Task<bool> IsStopRequestedAsync(CancellationToken cancellationToken) => HasAsync(StopName, cancellationToken);

    public Task WithdrawStopAsync(CancellationToken cancellationToken) =>
        store.DeleteAsync(id, name => name == StopName, cancellationToken);

    /// <summary>Claims an attempt at the job; of several callers exactly one gets true.</summary>
    public Task<bool> TryClaimAttemptAsync(JobAttempt attempt, CancellationToken cancellationToken) =>
        TryCreateAsync($"{AttemptsPrefix}{Number(attempt.Number)}.json", attempt, cancellationToken);

    /// <summary>The last attempt that was claimed; null if there is none.</summary>
    public async Task<JobAttempt?> ReadAttemptAsync(CancellationToken cancellationToken) =>
        await store.ListAsync(id, AttemptsPrefix, cancellationToken) is [.., var last]
            ? await ReadAsync<JobAttempt>(last, cancellationToken)
            : null;

    /// <summary>Keeps the condition under which the job fails although it is complete.</summary>
    public Task KeepFailIfAsync(string condition, CancellationToken cancellationToken) =>
        TryCreateAsync(FailIfName, new KeptCondition(condition), cancellationToken);

    /// <summary>The condition; null if the start gave none.</summary>
    public async Task<string?> ReadFailIfAsync(CancellationToken cancellationToken) =>
        (await ReadAsync<KeptCondition>(FailIfName, cancellationToken))?.Condition;

    /// <summary>Keeps the command line or request that started the job. It must hold no secret. The first call wins.</summary>
    public Task KeepStartedByAsync(string startedBy, CancellationToken cancellationToken) =>
        TryCreateAsync(StartedByName, new KeptStart(startedBy), cancellationToken);

    /// <summary>What started the job; null if nothing noted it, or if the note is damaged: no figure rests on it.</summary>
    public async Task<string?> ReadStartedByAsync(CancellationToken cancellationToken)
    {
        try
        {
            return (await ReadAsync<KeptStart>(StartedByName, cancellationToken))?.By;
        }
        catch (EvidenceException)
        {
            return null;
        }
    }

    /// <summary>Writes one form of the report, such as <c>report.json</c>.</summary>
    public Task WriteReportAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        store.WriteAsync(id, name, content, cancellationToken);

    /// <summary>Writes all forms of the report, and then their checksums. Meanwhile no form is held against the former checksums.</summary>
    public async Task WriteReportAsync(IReadOnlyList<(string Name, byte[] Content)> forms, CancellationToken cancellationToken)
    {
        await store.DeleteAsync(id, name => name == SumsName, cancellationToken);
        foreach (var (name, content) in forms)
            await WriteReportAsync(name, content, cancellationToken);
        var sums = new ReportSums(forms.ToDictionary(form => form.Name, form => SumOf(form.Content)));
        await WriteAsync(SumsName, sums, cancellationToken);
    }

    /// <summary>One form of the report; null if it is missing or empty.</summary>
    /// <exception cref="EvidenceException">It is not what was written.</exception>
    public async Task<byte[]?> ReadReportAsync(string name, CancellationToken cancellationToken)
    {
        if (await store.ReadAsync(id, name, cancellationToken) is not { Length: > 0 } content)
            return null;
        if (name == ReportName)
            StoredItem.Open(ItemOf(name), content);
        var sums = await ReadAsync<ReportSums>(SumsName, cancellationToken);
        return sums?.Files.GetValueOrDefault(name) is { } sum && sum != SumOf(content)
            ? throw EvidenceException.Damaged(ItemOf(name), $"it does not have the checksum that {SumsName} has of it, so it was changed")
            : content;
    }

    /// <summary>
    /// Finds out whether the report is damaged, such as by a form that was changed or deleted. Once the job has ended, missing checksums
    /// are damage too. Null if the report is sound.
    /// </summary>
    public async Task<EvidenceException?> FindReportDamageAsync(CancellationToken cancellationToken)
    {
        try
        {
            var sums = await ReadAsync<ReportSums>(SumsName, cancellationToken);
            if (sums is null && await HasAsync(EndedName, cancellationToken)
                && (await store.ListAsync(id, ReportPrefix, cancellationToken)).Count > 0)
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

    /// <summary>Deletes all forms of the report, and their checksums.</summary>
    protected Task DeleteReportAsync(CancellationToken cancellationToken) => store.DeleteAsync(
        id, name => name.StartsWith(ReportPrefix, StringComparison.Ordinal) || name == SumsName, cancellationToken);

    protected static string Number(int number) => number.ToString("D4", CultureInfo.InvariantCulture);

    protected string ItemOf(string name) => $"{id}/{name}";

    protected byte[] Serialize<T>(string name, T value) => StoredItem.Write(ItemOf(name), value);

    /// <summary>Creates an empty item unless it is there.</summary>
    protected Task<bool> MarkAsync(string name, CancellationToken cancellationToken) =>
        store.TryCreateAsync(id, name, ReadOnlyMemory<byte>.Empty, cancellationToken);

    protected Task<bool> TryCreateAsync<T>(string name, T value, CancellationToken cancellationToken) =>
        store.TryCreateAsync(id, name, Serialize(name, value), cancellationToken);

    /// <summary>Creates an item unless it is there; returns the one that holds.</summary>
    protected async Task<T> KeepAsync<T>(string name, T value, CancellationToken cancellationToken)
        where T : class =>
        await TryCreateAsync(name, value, cancellationToken) ? value : await ReadAsync<T>(name, cancellationToken) ?? value;

    protected Task WriteAsync<T>(string name, T value, CancellationToken cancellationToken) =>
        store.WriteAsync(id, name, Serialize(name, value), cancellationToken);

    protected async Task<T?> ReadAsync<T>(string name, CancellationToken cancellationToken)
        where T : class =>
        await store.ReadAsync(id, name, cancellationToken) is { } content ? StoredItem.Read<T>(ItemOf(name), content) : null;

    private static string SumOf(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content));
}

/// <summary>The SHA-256 of each form of a report.</summary>
internal sealed record ReportSums(IReadOnlyDictionary<string, string> Files);

/// <summary>A condition under which a run fails although it is complete.</summary>
internal sealed record KeptCondition(string Condition);

/// <summary>What a job was started by.</summary>
internal sealed record KeptStart(string By);

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
