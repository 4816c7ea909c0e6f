namespace ScaleOut.Storage;

/// <content>
/// Reads and writes the items of a run's legs: claimed attempts, and one result per leg. A damaged result is renamed and counts as missing,
/// so that <c>resume</c> runs its leg again. </content>
public sealed partial class RunFiles
{
    private const int MaxReadsAtOnce = 16;

    /// <summary>Maximum number of partition figures in memory at once, about 16 MB. A leg may have a million.</summary>
    private const int MaxFiguresAtOnce = 2_000_000;

    /// <summary>Claims the next attempt at a leg. Returns its number, from 1.</summary>
    public async Task<int> ClaimAttemptAsync(int worker, int leg, string instanceId, CancellationToken cancellationToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            var name = LegNames.Attempt(worker, leg, attempt);
            if (await TryCreateAsync(name, new AttemptClaim(instanceId, Environment.ProcessId), cancellationToken))
                return attempt;
        }
    }

    /// <summary>A leg with its workload and documents, which its input may not have (<see cref="WorkerAssignment.SpecIsKept"/>).</summary>
    /// <exception cref="EvidenceException">The claimed spec is missing or damaged.</exception>
    public async Task<LegInput> ReadWholeAsync(LegInput leg, CancellationToken cancellationToken)
    {
        if (!leg.Assignment.SpecIsKept)
            return leg;
        var spec = await ReadClaimedAsync(cancellationToken) ?? throw EvidenceException.Damaged(ItemOf(SpecName), "it is missing");
        var workload = spec.WorkloadOf(leg.Assignment.Worker);
        return leg with { Assignment = leg.Assignment with { Workload = workload, Document = spec.Document, SpecIsKept = false } };
    }

    /// <summary>Stores a leg's result unless there is one. Returns the stored result, so that a leg that ran twice counts once.</summary>
    public async Task<LegResult> CreateResultIfAbsentAsync(LegResult result, CancellationToken cancellationToken)
    {
        var (worker, leg) = (result.Output.Worker, result.Output.Leg);
        while (!await TryCreateAsync(LegNames.Result(worker, leg), result, cancellationToken))
        {
            if ((await ReadOrSetAsideResultAsync(worker, leg, cancellationToken)).Result is { } kept)
                return kept;
        }

        return result;
    }

    /// <summary>A leg's result; null if there is none.</summary>
    public async Task<LegResult?> ReadResultAsync(int worker, int leg, CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, LegNames.Result(worker, leg), cancellationToken) is { } content
            ? ReadResult(worker, leg, content)
            : null;

    /// <summary>
    /// Decides whether a leg with an earlier result must be run. If the result was stopped or rejected by the account, that belongs to an
    /// earlier start of the run, so a later start goes on after the leg. A first leg also prepares its worker, so a rejected first leg
    /// without a finished document is run again.
    /// </summary>
    /// <param name="isStopped">Whether the run is to stop now.</param>
    /// <returns>
    /// The leg's output, or null if the leg must be run. In the latter case the second value says why an earlier result was discarded,
    /// without a full stop. It is null if there was no result.
    /// </returns>
    /// <exception cref="EvidenceException">The result belongs to another spec or to other documents.</exception>
    public async Task<(LegOutput? Output, string? Lost)> ReadOrDiscardEarlierOutputAsync(
        LegInput leg, bool isStopped, CancellationToken cancellationToken)
    {
        var (kept, damaged) = await ReadOrSetAsideResultAsync(leg.Assignment.Worker, leg.Leg, cancellationToken);
        if (kept is null)
            return (null, damaged?.Text);
        LegChain.EnsureFits(leg, kept);

        var output = kept.Output with { IsKept = true };
        var isRejected = output.End is LegEnd.Rejected or LegEnd.AccountSilent;
        if (isStopped || !(isRejected || output.End == LegEnd.Stopped))
            return (output, null);
        if (isRejected && (await ReadBegunAsync(cancellationToken)).Count < 2)
            return (output, null);
        if (isRejected && output.Leg == 1 && output.Counts.Done == 0)
        {
            var name = LegNames.Result(output.Worker, output.Leg);
            await Store.DeleteAsync(Id, item => item == name, cancellationToken);
            return (null, output.Reason?.TrimEnd('.') ?? FormattableString.Invariant($"Leg {leg.Leg} could not begin"));
        }

        return (output with { End = LegEnd.TimeUp, NothingDue = output.NothingDue || output.Counts.Done == 0 }, null);
    }

    /// <summary>The last result of a worker before a leg, and the damaged results between the two, which are set aside.</summary>
    public Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> ReadOrSetAsideResultBeforeAsync(
        int worker, int leg, CancellationToken cancellationToken) =>
        ReadOrSetAsideFirstAsync(worker, Enumerable.Range(1, leg - 1).Reverse(), cancellationToken);

    /// <summary>The first result of a worker after a leg, and the damaged results between the two, which are set aside.</summary>
    public async Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> ReadOrSetAsideResultAfterAsync(
        int worker, int leg, CancellationToken cancellationToken)
    {
        var names = await LegNamesAsync(LegNames.Worker(worker), cancellationToken);
        var later = names.Where(name => name.Item == LegItem.Result && name.Leg > leg).Select(name => name.Leg).Order();
        return await ReadOrSetAsideFirstAsync(worker, later, cancellationToken);
    }

    /// <summary>
    /// Reads the items of all legs. Damaged results are set aside. The partitions of a leg and the latencies of its seconds are merged with
    /// those of the legs before it as soon as it is read, so that a run of many workers and partitions needs little more memory than one
    /// of few.
    /// </summary>
    public async Task<RunLegs> ReadLegsAsync(CancellationToken cancellationToken)
    {
        var legs = (await ListLegsAsync(cancellationToken)).OrderBy(leg => leg.Key).Select(leg => leg.ToList()).ToList();
        var (kept, partitions, latencies) = (new List<KeptLeg>(legs.Count), new PartitionMerge(), new Dictionary<long, PackedHistogram>());
        var reading = new Queue<Task<KeptLeg>>();
        // The largest leg so far says how many may be in memory at once; the first is read alone.
        var (begun, mostFigures) = (0, MaxFiguresAtOnce);
        try
        {
            while (kept.Count < legs.Count)
            {
                for (; begun < legs.Count && reading.Count < Math.Clamp(MaxFiguresAtOnce / mostFigures, 1, MaxReadsAtOnce); begun++)
                    reading.Enqueue(ReadLegAsync(legs[begun], cancellationToken));
                var leg = await reading.Dequeue();
                if (leg.Result is { } result)
                {
                    partitions.Add(result);
                    LatencyMerge.AddBySecond(latencies, result);
                    var figures = Math.Max(1, result.Partitions.Sum(partition => partition.RequestUnitsPerSecond.Count));
                    mostFigures = kept.Exists(other => other.Result is not null) ? Math.Max(mostFigures, figures) : figures;
                    leg = leg with { Result = result.WithoutMergedFigures() };
                }

                kept.Add(leg);
            }
        }
        finally
        {
            // Reads that have begun may still be renaming damaged results.
            await ((Task)Task.WhenAll(reading)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return new RunLegs([.. kept.Select(leg => leg.Result).OfType<LegResult>()], kept.Sum(leg => leg.Lost))
        {
            Damaged = [.. kept.SelectMany(leg => leg.Damaged)],
            Partitions = partitions.Merged(),
            Latencies = latencies,
        };
    }

    /// <summary>Number of attempts that left no result so far. Reads only names.</summary>
    public async Task<int> CountLostLegsAsync(CancellationToken cancellationToken) => (await ListLegsAsync(cancellationToken))
        .Sum(leg => Math.Max(0, AttemptsOf(leg) - leg.Count(name => name.Item == LegItem.Result)));

    /// <summary>Number of attempts at a leg. The highest ordinal decides, because an item may have been deleted.</summary>
    private static int AttemptsOf(IEnumerable<LegName> leg) =>
        leg.Where(name => name.Item == LegItem.Attempt).Select(name => name.Number).DefaultIfEmpty().Max();

    private async Task<KeptLeg> ReadLegAsync(List<LegName> names, CancellationToken cancellationToken)
    {
        var damaged = new List<DamagedItem>();
        foreach (var name in names.Where(name => name.Item == LegItem.Damaged))
        {
            var item = ItemOf(LegNames.Result(name.Worker, name.Leg));
            var reason = await DamageOfAsync(name, item, cancellationToken) ?? await WhySetAsideAsync(name, cancellationToken);
            damaged.Add(new DamagedItem(name, item, reason));
        }

        var (result, found) = await ReadOrSetAsideResultAsync(names[0].Worker, names[0].Leg, cancellationToken);
        if (found is not null && damaged.TrueForAll(item => item.Name != found.Name))
            damaged.Add(found);
        foreach (var lost in names.Where(name => name.Item == LegItem.Attempt && name.Number != result?.Attempt))
        {
            if (await DamageOfAsync(lost, ItemOf(lost.Text), cancellationToken) is { } reason)
                damaged.Add(new DamagedItem(lost, ItemOf(lost.Text), reason));
        }

        var begun = Math.Max(AttemptsOf(names), result?.Attempt ?? 0);
        return new KeptLeg(result, result is null ? begun : begun - 1, damaged);
    }

    /// <summary>A leg's result, or the damaged result that this call set aside.</summary>
    internal async Task<(LegResult? Result, DamagedItem? Damaged)> ReadOrSetAsideResultAsync(
        int worker, int leg, CancellationToken cancellationToken)
    {
        if (await Store.ReadAsync(Id, LegNames.Result(worker, leg), cancellationToken) is not { } content)
            return (null, null);
        try
        {
            return (ReadResult(worker, leg, content), null);
        }
        catch (EvidenceException e) when (e.Problem == EvidenceProblem.Damaged)
        {
            return (null, await SetAsideAsync(worker, leg, content, e, cancellationToken));
        }
    }

    private async Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> ReadOrSetAsideFirstAsync(
        int worker, IEnumerable<int> legs, CancellationToken cancellationToken)
    {
        var damaged = new List<DamagedItem>();
        foreach (var leg in legs)
        {
            var (result, found) = await ReadOrSetAsideResultAsync(worker, leg, cancellationToken);
            if (found is not null)
                damaged.Add(found);
            if (result is not null)
                return (result, damaged);
        }

        return (null, damaged);
    }

    private LegResult ReadResult(int worker, int leg, byte[] content)
    {
        var item = ItemOf(LegNames.Result(worker, leg));
        var result = StoredItem.Read<LegResult>(item, content);
        var contradiction = (result.Output.Worker, result.Output.Leg) != (worker, leg)
            ? FormattableString.Invariant($"it is the result of leg {result.Output.Leg} of worker {result.Output.Worker}")
            : LegResultRules.ContradictionIn(result);
        return contradiction is null
            ? result
            : throw EvidenceException.Contradicts(item, contradiction, "Delete it and resume the run: the leg is run again.");
    }

    /// <summary>Renames a damaged result to the first free name, or to the name that an earlier call gave it.</summary>
    private async Task<DamagedItem> SetAsideAsync(
        int worker, int leg, byte[] content, EvidenceException problem, CancellationToken cancellationToken)
    {
        for (var number = 1; ; number++)
        {
            var name = new LegName(worker, leg, LegItem.Damaged, number);
            if (!await Store.TryCreateAsync(Id, name.Text, content, cancellationToken)
                && !await HasContentAsync(name.Text, content, cancellationToken))
                continue;
            await TryCreateAsync(
                LegNames.SetAside(worker, leg, number),
                new SetAside(problem.Reason, Environment.MachineName, Environment.ProcessId, TimeProvider.System.GetUtcNow()),
                cancellationToken);
            // Another call may have written a new result since the damaged one was read.
            var result = LegNames.Result(worker, leg);
            if (await HasContentAsync(result, content, cancellationToken))
                await Store.DeleteAsync(Id, found => found == result, cancellationToken);
            return new DamagedItem(name, problem.Item, problem.Reason);
        }
    }

    /// <summary>Why a result that is undamaged now was set aside, and by whom.</summary>
    private async Task<string> WhySetAsideAsync(LegName name, CancellationToken cancellationToken)
    {
        try
        {
            return await ReadAsync<SetAside>(LegNames.SetAside(name.Worker, name.Leg, name.Number), cancellationToken) is { } aside
                ? FormattableString.Invariant($"{aside.Reason}, when process {aside.ProcessId} of {aside.Machine} set it aside at ")
                    + FormattableString.Invariant($"{aside.At.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC")
                : "it was set aside by hand";
        }
        catch (EvidenceException e)
        {
            return $"it was set aside, and of why {e.Reason}";
        }
    }

    private async Task<bool> HasContentAsync(string name, byte[] content, CancellationToken cancellationToken) =>
        await Store.ReadAsync(Id, name, cancellationToken) is { } found && found.AsSpan().SequenceEqual(content);

    /// <summary>The damage of a leg's item; null if the item is undamaged or gone.</summary>
    private async Task<string?> DamageOfAsync(LegName name, string item, CancellationToken cancellationToken)
    {
        try
        {
            if (await Store.ReadAsync(Id, name.Text, cancellationToken) is { } content)
                StoredItem.Check(item, content);
            return null;
        }
        catch (EvidenceException e)
        {
            return e.Reason;
        }
    }

    private async Task<IEnumerable<IGrouping<(int Worker, int Leg), LegName>>> ListLegsAsync(CancellationToken cancellationToken) =>
        (await LegNamesAsync(LegNames.Prefix, cancellationToken)).GroupBy(name => (name.Worker, name.Leg));

    private async Task<IEnumerable<LegName>> LegNamesAsync(string prefix, CancellationToken cancellationToken) =>
        (await Store.ListAsync(Id, prefix, cancellationToken)).Select(LegNames.Read).OfType<LegName>();

    private sealed record ContainerClaim(string Database, string Name, bool Held);

    private sealed record AttemptClaim(string InstanceId, int ProcessId);

    private sealed record SetAside(string Reason, string Machine, int ProcessId, DateTimeOffset At);

    private sealed record KeptLeg(LegResult? Result, int Lost, IReadOnlyList<DamagedItem> Damaged);
}

/// <summary>The data of a run's legs from the run store.</summary>
/// <param name="Results">Results of the legs that ended, by worker and leg.</param>
/// <param name="LostLegs">Number of attempts that left no usable result.</param>
public sealed record RunLegs(IReadOnlyList<LegResult> Results, int LostLegs)
{
    /// <summary>
    /// The partitions of all legs, merged. Null if <see cref="Results"/> contain them. Results that are read from a store do not.
    /// </summary>
    public IReadOnlyList<MergedPartition>? Partitions { get; init; }

    /// <summary>
    /// The latencies of all legs by UTC second, merged. Null if <see cref="Results"/> contain them. Results that are read from a store do
    /// not.
    /// </summary>
    public IReadOnlyDictionary<long, PackedHistogram>? Latencies { get; init; }

    /// <summary>Damaged items that were found now or earlier, by worker and leg.</summary>
    public IReadOnlyList<DamagedItem> Damaged { get; init; } = [];

    /// <summary>Legs whose results are missing, by worker and leg. No figure includes their work.</summary>
    public IReadOnlyList<MissingLeg> Missing { get; init; } = [];

    /// <summary>The common start; null if it was not set.</summary>
    public StartInstant? Start { get; init; }

    /// <summary>When programs began to orchestrate the run: the first program, and those that resumed the run.</summary>
    public IReadOnlyList<DateTimeOffset> Begun { get; init; } = [];

    /// <summary>The command or request that started the run; null if it was not stored.</summary>
    public string? StartedBy { get; init; }
}

/// <param name="Name">The item's name. For a result that was set aside, its new name.</param>
/// <param name="Item">The run's id and the name under which the item was found.</param>
/// <param name="Reason">The damage, such as <c>it is empty</c>.</param>
public sealed record DamagedItem(LegName Name, string Item, string Reason)
{
    /// <summary>A message that names the item, its damage, and the new name of a result that was set aside.</summary>
    public string Text => Name.Item == LegItem.Damaged
        ? $"{Item} is damaged: {Reason}. It is kept as {Name.Text[(Name.Text.LastIndexOf('/') + 1)..]}"
        : $"{Item} is damaged: {Reason}";
}

/// <summary>A leg without a usable result.</summary>
/// <param name="Documents">Number of documents that only this leg finished. Null for a worker's last leg, where it is not known.</param>
public sealed record MissingLeg(int Worker, int Leg, long? Documents);
