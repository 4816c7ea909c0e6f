namespace ScaleOut.Storage;

/// <summary>
/// What the legs of a run leave in the run store: claimed attempts, and for each leg the one result that holds. A result that is damaged is
/// set aside under another name, so that its leg can be run again.
/// </summary>
internal sealed class LegFiles(IRunStore store, string runId)
{
    private const int ReadsAtOnce = 16;

    public async Task<int> ClaimAttemptAsync(int worker, int leg, string instanceId, CancellationToken cancellationToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            var name = LegNames.Attempt(worker, leg, attempt);
            var claim = StoredItem.Write(ItemOf(name), new AttemptClaim(instanceId, Environment.ProcessId));
            if (await store.TryCreateAsync(runId, name, claim, cancellationToken))
                return attempt;
        }
    }

    public async Task<LegResult> KeepResultAsync(LegResult result, CancellationToken cancellationToken)
    {
        var (worker, leg) = (result.Output.Worker, result.Output.Leg);
        var name = LegNames.Result(worker, leg);
        var content = StoredItem.Write(ItemOf(name), result);
        while (!await store.TryCreateAsync(runId, name, content, cancellationToken))
        {
            if ((await TakeResultAsync(worker, leg, cancellationToken)).Result is { } kept)
                return kept;
        }

        return result;
    }

    public async Task<LegResult?> ReadResultAsync(int worker, int leg, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, LegNames.Result(worker, leg), cancellationToken) is { } content ? Read(worker, leg, content) : null;

    /// <summary>A leg's result. One that is damaged is set aside; then there is none.</summary>
    public async Task<(LegResult? Result, DamagedItem? Damaged)> TakeResultAsync(int worker, int leg, CancellationToken cancellationToken)
    {
        if (await store.ReadAsync(runId, LegNames.Result(worker, leg), cancellationToken) is not { } content)
            return (null, null);
        try
        {
            return (Read(worker, leg, content), null);
        }
        catch (EvidenceException e) when (e.Problem == EvidenceProblem.Damaged)
        {
            return (null, await SetAsideAsync(worker, leg, content, e, cancellationToken));
        }
    }

    /// <summary>The first result of a worker after a leg, and what was found damaged and set aside on the way to it.</summary>
    public async Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> TakeResultAfterAsync(
        int worker, int leg, CancellationToken cancellationToken)
    {
        var names = await NamesAsync(LegNames.Worker(worker), cancellationToken);
        var later = names.Where(name => name.Item == LegItem.Result && name.Leg > leg).Select(name => name.Leg).Order();
        return await TakeFirstAsync(worker, later, cancellationToken);
    }

    /// <summary>The last result of a worker before a leg, and what was found damaged and set aside on the way back to it.</summary>
    public Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> TakeResultBeforeAsync(
        int worker, int leg, CancellationToken cancellationToken) =>
        TakeFirstAsync(worker, Enumerable.Range(1, leg - 1).Reverse(), cancellationToken);

    public async Task<LegHarvest> ReadAllAsync(CancellationToken cancellationToken)
    {
        var names = await NamesAsync(LegNames.Prefix, cancellationToken);
        var legs = names.GroupBy(name => (name.Worker, name.Leg)).OrderBy(leg => leg.Key).Select(leg => leg.ToList()).ToList();
        var kept = new KeptLeg[legs.Count];
        var limit = new ParallelOptions { MaxDegreeOfParallelism = ReadsAtOnce, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, legs.Count, limit, async (i, token) => kept[i] = await ReadLegAsync(legs[i], token));
        return new LegHarvest([.. kept.Select(leg => leg.Result).OfType<LegResult>()], kept.Sum(leg => leg.Lost))
        {
            Damaged = [.. kept.SelectMany(leg => leg.Damaged)],
        };
    }

    /// <summary>How many attempts were begun and left no result, by the names of what is there alone.</summary>
    public async Task<int> CountLostAsync(CancellationToken cancellationToken)
    {
        var names = await NamesAsync(LegNames.Prefix, cancellationToken);
        return names.GroupBy(name => (name.Worker, name.Leg)).Sum(leg => LostOf([.. leg]));
    }

    /// <summary>The numbers of attempts count, not how many names there are: one that was deleted takes no attempt back.</summary>
    private static int LostOf(IReadOnlyList<LegName> leg)
    {
        var begun = leg.Where(name => name.Item == LegItem.Attempt).Select(name => name.Number).DefaultIfEmpty().Max();
        return Math.Max(0, begun - leg.Count(name => name.Item == LegItem.Result));
    }

    private async Task<KeptLeg> ReadLegAsync(List<LegName> names, CancellationToken cancellationToken)
    {
        var (worker, leg) = (names[0].Worker, names[0].Leg);
        var damaged = new List<DamagedItem>();
        foreach (var name in names.Where(name => name.Item == LegItem.Damaged))
            damaged.Add(await DescribeAsync(name, cancellationToken));
        var (result, found) = await TakeResultAsync(worker, leg, cancellationToken);
        if (found is not null && damaged.TrueForAll(item => item.Name != found.Name))
            damaged.Add(found);

        // The numbers count, not how many names there are: one that was deleted takes no attempt back.
        var attempts = names.Where(name => name.Item == LegItem.Attempt).ToList();
        var begun = attempts.Select(name => name.Number).Append(result?.Attempt ?? 0).Max();
        foreach (var lost in attempts.Where(name => name.Number != result?.Attempt))
        {
            if (await ReasonAgainstClaimAsync(lost, cancellationToken) is { } reason)
                damaged.Add(new DamagedItem(lost, ItemOf(lost.Text), reason));
        }

        return new KeptLeg(result, result is null ? begun : begun - 1, damaged);
    }

    /// <summary>The first of some legs' results that can be used, and what was found damaged and set aside before it.</summary>
    private async Task<(LegResult? Result, IReadOnlyList<DamagedItem> Damaged)> TakeFirstAsync(
        int worker, IEnumerable<int> legs, CancellationToken cancellationToken)
    {
        var damaged = new List<DamagedItem>();
        foreach (var leg in legs)
        {
            var (result, found) = await TakeResultAsync(worker, leg, cancellationToken);
            if (found is not null)
                damaged.Add(found);
            if (result is not null)
                return (result, damaged);
        }

        return (null, damaged);
    }

    private LegResult Read(int worker, int leg, byte[] content)
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

    /// <summary>
    /// Keeps a damaged result under the first name that is free, or under the one that it has already from an earlier call, and takes it
    /// away from its own.
    /// </summary>
    private async Task<DamagedItem> SetAsideAsync(
        int worker, int leg, byte[] content, EvidenceException problem, CancellationToken cancellationToken)
    {
        for (var number = 1; ; number++)
        {
            var name = new LegName(worker, leg, LegItem.Damaged, number);
            if (!await store.TryCreateAsync(runId, name.Text, content, cancellationToken)
                && !await IsAsync(name.Text, content, cancellationToken))
                continue;
            // What another call has written there since is no longer what was read.
            var result = LegNames.Result(worker, leg);
            if (await IsAsync(result, content, cancellationToken))
                await store.DeleteAsync(runId, found => found == result, cancellationToken);
            return new DamagedItem(name, problem.Item, problem.Reason);
        }
    }

    private async Task<bool> IsAsync(string name, byte[] content, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, name, cancellationToken) is { } found && found.AsSpan().SequenceEqual(content);

    /// <summary>A result that was set aside is there to say why.</summary>
    private async Task<DamagedItem> DescribeAsync(LegName name, CancellationToken cancellationToken)
    {
        var item = ItemOf(LegNames.Result(name.Worker, name.Leg));
        try
        {
            if (await store.ReadAsync(runId, name.Text, cancellationToken) is { } content)
                StoredItem.Open(item, content);
            return new DamagedItem(name, item, "somebody set it aside");
        }
        catch (EvidenceException e)
        {
            return new DamagedItem(name, item, e.Reason);
        }
    }

    private async Task<string?> ReasonAgainstClaimAsync(LegName name, CancellationToken cancellationToken)
    {
        try
        {
            if (await store.ReadAsync(runId, name.Text, cancellationToken) is { } content)
                StoredItem.Open(ItemOf(name.Text), content);
            return null;
        }
        catch (EvidenceException e)
        {
            return e.Reason;
        }
    }

    private async Task<IReadOnlyList<LegName>> NamesAsync(string prefix, CancellationToken cancellationToken) =>
        [.. (await store.ListAsync(runId, prefix, cancellationToken)).Select(LegNames.Read).OfType<LegName>()];

    private string ItemOf(string name) => $"{runId}/{name}";

    private sealed record AttemptClaim(string InstanceId, int ProcessId);

    private sealed record KeptLeg(LegResult? Result, int Lost, IReadOnlyList<DamagedItem> Damaged);
}
