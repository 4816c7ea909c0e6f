namespace ScaleOut.Storage;

/// <summary>
/// Reads and writes the items of a job in the run store that runs and experiments have in common. Reading throws an
/// <see cref="EvidenceException"/> if an item is damaged (<see cref="StoredItem"/>).
/// </summary>
public class JobFiles(IRunStore store, string id)
{
    /// <summary>Name of the report in JSON, the form that programs read.</summary>
    public const string ReportName = "report.json";

    protected const string EndedName = "ended.json";
    protected const string AttemptsPrefix = "attempts/";

    private const string ReportPrefix = "report.";
    private const string SumsName = "report-checksums.json";
    private const string StopName = "stop";
    private const string FailIfName = "fail-if.json";

    /// <summary>Name of the item with the command line or request that started the job.</summary>
    protected const string StartedByName = "started-by.json";

    public string Id => id;

    protected IRunStore Store => store;

    /// <summary>Whether an item exists, even a damaged one.</summary>
    public async Task<bool> HasAsync(string name, CancellationToken cancellationToken) =>
        await store.ReadAsync(id, name, cancellationToken) is not null;

    /// <summary>Asks the job to stop. Legs read this flag every second. Each run of an experiment has a flag of its own.</summary>
    public Task RequestStopAsync(CancellationToken cancellationToken) =>
        MarkAsync(StopName, cancellationToken);

    public Task<bool> IsStopRequestedAsync(CancellationToken cancellationToken) => HasAsync(StopName, cancellationToken);

    public Task WithdrawStopAsync(CancellationToken cancellationToken) =>
        store.DeleteAsync(id, name => name == StopName, cancellationToken);

    /// <summary>Claims an attempt at the job. If several callers claim it, exactly one gets true.</summary>
    public Task<bool> TryClaimAttemptAsync(JobAttempt attempt, CancellationToken cancellationToken) =>
        TryCreateAsync($"{AttemptsPrefix}{Number(attempt.Number)}.json", attempt, cancellationToken);

    /// <summary>Gives back a claimed attempt that nothing was started for, so that another caller can claim it.</summary>
    public Task WithdrawAttemptAsync(JobAttempt attempt, CancellationToken cancellationToken)
    {
        var claim = $"{AttemptsPrefix}{Number(attempt.Number)}.json";
        return store.DeleteAsync(id, name => name == claim, cancellationToken);
    }

    /// <summary>The last claimed attempt; null if there is none.</summary>
    public async Task<JobAttempt?> ReadAttemptAsync(CancellationToken cancellationToken) =>
        await store.ListAsync(id, AttemptsPrefix, cancellationToken) is [.., var last]
            ? await ReadAsync<JobAttempt>(last, cancellationToken)
            : null;

    /// <summary>Stores the fail-if condition, under which the job fails although it is complete.</summary>
    public Task CreateFailIfIfAbsentAsync(string condition, CancellationToken cancellationToken) =>
        TryCreateAsync(FailIfName, new KeptCondition(condition), cancellationToken);

    /// <summary>The fail-if condition; null if the start gave none.</summary>
    public async Task<string?> ReadFailIfAsync(CancellationToken cancellationToken) =>
        (await ReadAsync<KeptCondition>(FailIfName, cancellationToken))?.Condition;

    /// <summary>
    /// Stores the command line or request that started the job. It must not contain a secret. Only the first call writes.
    /// </summary>
    public Task CreateStartedByIfAbsentAsync(string startedBy, CancellationToken cancellationToken) =>
        TryCreateAsync(StartedByName, new KeptStart(startedBy), cancellationToken);

    /// <summary>What started the job; null if it was not stored or is damaged.</summary>
    public async Task<string?> ReadStartedByAsync(CancellationToken cancellationToken)
    {
        try
        {
            return (await ReadAsync<KeptStart>(StartedByName, cancellationToken))?.By;
        }
        catch (EvidenceException)
        {
            // No figure depends on the item.
            return null;
        }
    }

    /// <summary>Writes one form of the report, such as <c>report.json</c>.</summary>
    public Task WriteReportAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        store.WriteAsync(id, name, content, cancellationToken);

    /// <summary>
    /// Writes all forms of the report, and then their checksums. The old checksums are deleted first, so that no new form is compared with
    /// them. Each form is written before the next one is made, because the forms of a large run have many megabytes.
    /// </summary>
    public async Task WriteReportAsync(IEnumerable<(string Name, Func<byte[]> Make)> forms, CancellationToken cancellationToken)
    {
        await store.DeleteAsync(id, name => name == SumsName, cancellationToken);
        var sums = new Dictionary<string, string>();
        foreach (var (name, make) in forms)
        {
            var content = make();
            await WriteReportAsync(name, content, cancellationToken);
            sums.Add(name, SumOf(content));
        }

        await WriteAsync(SumsName, new ReportSums(sums), cancellationToken);
    }

    /// <summary>
    /// One form of the report; null if it is missing or empty, or if its checksum is not written yet. <c>report.json</c> has a checksum of
    /// its own, so it can be read without the others.
    /// </summary>
    /// <exception cref="EvidenceException">The form is damaged, or the job has ended and the checksums are missing.</exception>
    public async Task<byte[]?> ReadReportAsync(string name, CancellationToken cancellationToken)
    {
        if (await store.ReadAsync(id, name, cancellationToken) is not { Length: > 0 } content)
            return null;
        if (name == ReportName)
            StoredItem.Check(ItemOf(name), content);
        var sums = await ReadAsync<ReportSums>(SumsName, cancellationToken);
        if (sums is null && name != ReportName)
            return await HasAsync(EndedName, cancellationToken) ? throw SumsAreMissing() : null;
        return sums?.Files.GetValueOrDefault(name) is { } sum && sum != SumOf(content)
            ? throw EvidenceException.Damaged(ItemOf(name), $"it does not have the checksum that {SumsName} has of it, so it was changed")
            : content;
    }

    /// <summary>
    /// Finds damage of the report, such as a form that was changed or deleted. Once the job has ended, missing checksums are damage too.
    /// Null if the report is undamaged.
    /// </summary>
    public async Task<EvidenceException?> FindReportDamageAsync(CancellationToken cancellationToken)
    {
        try
        {
            var sums = await ReadAsync<ReportSums>(SumsName, cancellationToken);
            if (sums is null && await HasAsync(EndedName, cancellationToken)
                && (await store.ListAsync(id, ReportPrefix, cancellationToken)).Count > 0)
                return SumsAreMissing();
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

    /// <summary>Creates an empty item unless it exists.</summary>
    protected Task<bool> MarkAsync(string name, CancellationToken cancellationToken) =>
        store.TryCreateAsync(id, name, ReadOnlyMemory<byte>.Empty, cancellationToken);

    protected Task<bool> TryCreateAsync<T>(string name, T value, CancellationToken cancellationToken) =>
        store.TryCreateAsync(id, name, Serialize(name, value), cancellationToken);

    /// <summary>Creates an item unless it exists. Returns the stored item.</summary>
    protected async Task<T> CreateIfAbsentAsync<T>(string name, T value, CancellationToken cancellationToken)
        where T : class =>
        await TryCreateAsync(name, value, cancellationToken) ? value : await ReadAsync<T>(name, cancellationToken) ?? value;

    protected Task WriteAsync<T>(string name, T value, CancellationToken cancellationToken) =>
        store.WriteAsync(id, name, Serialize(name, value), cancellationToken);

    protected async Task<T?> ReadAsync<T>(string name, CancellationToken cancellationToken)
        where T : class =>
        await store.ReadAsync(id, name, cancellationToken) is { } content ? StoredItem.Read<T>(ItemOf(name), content) : null;

    private EvidenceException SumsAreMissing() =>
        EvidenceException.Damaged(ItemOf(SumsName), "it is missing, so whether the report was changed is not known");

    private static string SumOf(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content));
}

/// <summary>The SHA-256 of each form of a report.</summary>
internal sealed record ReportSums(IReadOnlyDictionary<string, string> Files);

/// <summary>A condition under which a run fails although it is complete.</summary>
internal sealed record KeptCondition(string Condition);

/// <summary>The command line or request that started a job.</summary>
internal sealed record KeptStart(string By);
