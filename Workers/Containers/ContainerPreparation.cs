using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Containers;

/// <summary>
/// Prepares one run's container or table: creates the run's own, or checks the one that the spec names. A repeated call returns the result
/// that the first call stored.
/// </summary>
internal sealed class ContainerPreparation(
    RunSpec spec,
    IRunStore store,
    IContainerPlane plane,
    Func<ContainerTarget, CancellationToken, Task<long>> countAsync,
    PreparedAccount account,
    Func<Exception, Task>? onRetry = null)
{
    private static readonly TransientRetry Creating = new(TimeSpan.FromMinutes(5), TimeSpan.FromMilliseconds(250));
    private static readonly TransientRetry Counting = new(TimeSpan.FromMinutes(1), TimeSpan.FromMilliseconds(250));

    private readonly RunFiles _files = new(store, IdOf(spec));

    private ContainerTarget Target { get; } = ContainerTarget.Create(
        spec.Workload.Kind.UsesTables() ? "" : spec.Container.Database,
        spec.Workload.Kind.UsesTables() ? TableNames.From(IdOf(spec)) : spec.Container.NameFor(IdOf(spec)),
        spec.Container.KeyPathsFor(spec.Document));

    private bool IsSimulated => (account.Connection.Simulated || account.Facts is { Simulated: true }) && !Target.IsTable;

    private string Path => $"{Target.Database}/{Target.Name}";

    /// <exception cref="AccountException">The run cannot have the container.</exception>
    public async Task<PreparedContainer> PrepareAsync(CancellationToken cancellationToken)
    {
        var facts = await plane.ReadContainerAsync(Target, cancellationToken);
        if (await _files.ReadPreparedAsync(cancellationToken) is { } kept)
            return facts is not null ? kept : throw new AccountException($"The {Target.Text} that this run wrote to is gone.");
        return spec.Container.Name is null
            ? await PrepareOwnAsync(facts, cancellationToken)
            : await PrepareNamedAsync(facts, cancellationToken);
    }

    /// <summary>
    /// Deletes the container that the run may have created. The container must be empty, and the run must have recorded that it was about
    /// to create it. Returns true if no container of the run remains, false if the account could not be queried.
    /// </summary>
    public async Task<bool> GiveUpAsync(CancellationToken cancellationToken)
    {
        if (await _files.HoldsContainerAsync(cancellationToken))
            await UndoAsync(mayExist: true, cancellationToken);
        return !await _files.HoldsContainerAsync(cancellationToken);
    }

    private static string IdOf(RunSpec spec) => spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(spec));

    private async Task<PreparedContainer> PrepareNamedAsync(ContainerFacts? facts, CancellationToken cancellationToken)
    {
        if (facts is null)
        {
            throw new AccountException(await plane.DatabaseExistsAsync(Target.Database, cancellationToken)
                ? $"container.name: there is no container {Target.Name} in the database {Target.Database}."
                : $"container.database: there is no database {Target.Database}.");
        }

        EnsureKeyFits(facts);
        List<string> warnings = [];
        if (facts.Expires)
            warnings.Add($"Documents in {Path} expire: the count at the end may fall short.");
        if (facts.HasUniqueKeys)
            warnings.Add($"{Path} has unique keys: a document that violates one looks like one that is there already.");
        return await StoreAsync(created: false, await CountAsync(cancellationToken), keptIndexing: null, warnings, cancellationToken);
    }

    private async Task<PreparedContainer> PrepareOwnAsync(ContainerFacts? facts, CancellationToken cancellationToken)
    {
        var heldBefore = await _files.HoldsContainerAsync(cancellationToken);
        var isNew = facts is null && await CreateAsync(heldBefore, cancellationToken);
        if (facts is not null && !heldBefore)
            throw Foreign();
        if (facts is not null)
            EnsureKeyFits(facts);

        var own = facts is null;
        try
        {
            // No worker writes to a run's container before the run store records that it is prepared. So a container with documents does
            // not belong to this run. A new one is counted, too: that waits until the data plane knows it.
            own = await CountAsync(cancellationToken) == 0;
            if (own)
                return await StoreCreatedAsync(cancellationToken);
        }
        catch when (own)
        {
            await UndoAsync(mayExist: true, cancellationToken, isNew);
            throw;
        }

        await _files.WriteContainerClaimAsync(Target, held: false, cancellationToken);
        throw Foreign();
    }

    /// <summary>
    /// Records that the run will create the container, and creates it. Returns true if this call created it, false if an earlier attempt
    /// may have.
    /// </summary>
    /// <param name="outcomeUnknown">
    /// Whether an earlier attempt may have created the container. If not, a container of that name is somebody else's.
    /// </param>
    private async Task<bool> CreateAsync(bool outcomeUnknown, CancellationToken cancellationToken)
    {
        if (plane.RejectionToCreate is { } rejection)
            throw new AccountException($"{rejection} Or name an existing one with --container.");

        var definition = new ContainerDefinition(Target, spec.Container);
        // The program may end between writing the claim and creating the container. The claim is written first, so there may be a claim
        // without a container, but never a container without a claim. A second call for the same run finds the claim, and creates the
        // container or reuses the empty one.
        await _files.WriteContainerClaimAsync(Target, held: true, cancellationToken);
        var created = false;
        try
        {
            if (spec.Container.SharedThroughput)
                await EnsureSharedAsync(definition, cancellationToken);
            else
                await plane.EnsureDatabaseAsync(Target.Database, sharing: null, cancellationToken);
            created = await Creating.RunAsync(TryCreateAsync, cancellationToken, onRetry: onRetry);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e))
        {
            await UndoAsync(mayExist: outcomeUnknown, cancellationToken);
            if (cancellationToken.IsCancellationRequested)
                throw;
            throw AccountException.From($"The {Target.Text} could not be created", e, account.Connection);
        }

        if (!created && !outcomeUnknown)
        {
            await _files.WriteContainerClaimAsync(Target, held: false, cancellationToken);
            throw Foreign();
        }

        return created;

        async Task<bool> TryCreateAsync(CancellationToken token)
        {
            try
            {
                return await plane.TryCreateContainerAsync(definition, token);
            }
            catch (Exception e) when (AccountErrors.IsTransient(e))
            {
                outcomeUnknown = true;
                throw;
            }
        }
    }

    /// <summary>
    /// Makes the database with its throughput on the simulated account, which ends with the run. Elsewhere its RU/s would be billed for as
    /// long as it exists, so it must be there.
    /// </summary>
    /// <exception cref="AccountException">The database has no throughput to share, or it cannot be read.</exception>
    private async Task EnsureSharedAsync(ContainerDefinition definition, CancellationToken cancellationToken)
    {
        if (IsSimulated)
            await plane.EnsureDatabaseAsync(Target.Database, definition, cancellationToken);
        else if (!await plane.DatabaseExistsAsync(Target.Database, cancellationToken))
        {
            throw new AccountException(
                $"container.sharedThroughput: there is no database {Target.Database} whose throughput could be shared.");
        }

        // A container that the service makes without shared throughput would get, and be billed for, its own.
        if (await plane.ReadThroughputAsync(Target, cancellationToken) is not { SharedByDatabase: true })
        {
            throw new AccountException(
                $"container.sharedThroughput: no throughput of the database {Target.Database} can be read: either it has none that its "
                    + "containers share, or this identity may not read it.");
        }
    }

    private async Task<long> CountAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await Counting.RunAsync(
                token => countAsync(Target, token),
                cancellationToken,
                // The data plane may not know yet what Azure Resource Manager has just created.
                alsoTransient: e => e is CosmosException { StatusCode: HttpStatusCode.NotFound },
                onRetry: onRetry);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            throw AccountException.From($"The {Target.Text} could not be counted", e, account.Connection);
        }
    }

    /// <summary>An account without the requested indexing mode may use another one silently, so the container is read again.</summary>
    private async Task<PreparedContainer> StoreCreatedAsync(CancellationToken cancellationToken)
    {
        var asked = spec.Container.Indexing;
        var made = (await plane.ReadContainerAsync(Target, cancellationToken))?.Indexing;
        List<string> warnings =
            made is { } mode && mode != asked ? [$"{Path} was to have {asked} indexing; the account gave it {mode}."] : [];
        return await StoreAsync(created: true, count: 0, keptIndexing: made is null ? null : made == asked, warnings, cancellationToken);
    }

    private async Task<PreparedContainer> StoreAsync(
        bool created, long count, bool? keptIndexing, List<string> warnings, CancellationToken cancellationToken)
    {
        var throughput = await plane.ReadThroughputAsync(Target, cancellationToken);
        if (throughput is null && spec.Workload.MaxRequestUnitShare is not null)
            throw new AccountException(WorkloadSpec.UnknownShare);
        if (account.Emulator is not null)
            warnings.Add($"The table account {account.Connection.Tables?.Endpoint} is an emulator ({account.Emulator}): the figures of "
                + "this run are a check of the code, and say nothing of Azure Table storage.");
        if (throughput is null && !Target.IsTable)
            warnings.Add($"The account does not report the RU/s of {Path} (serverless, or no right to read them): "
                + "no rate can be compared with the budget.");
        else if (throughput is { SharedByDatabase: true })
            warnings.Add($"{Path} shares {throughput.PerSecond} RU/s with the other containers of its database.");
        return await _files.CreatePreparedIfAbsentAsync(
            new PreparedContainer
            {
                RunId = IdOf(spec),
                Target = Target,
                Created = created,
                Simulated = IsSimulated,
                Emulated = account.Emulator is not null,
                Account = account.Facts,
                CountBefore = count,
                BudgetPerSecond = throughput?.PerSecond,
                KeptIndexing = keptIndexing,
                Warnings = warnings,
            },
            cancellationToken);
    }

    /// <summary>Deletes the empty container that this run created, if possible.</summary>
    /// <param name="isNew">Whether this call has just created it, so that it needs no count.</param>
    private async Task UndoAsync(bool mayExist, CancellationToken cancellationToken, bool isNew = false)
    {
        using var limit = new CancellationTokenSource(
            cancellationToken.IsCancellationRequested ? TimeSpan.FromSeconds(3) : TimeSpan.FromSeconds(20));
        try
        {
            if (mayExist
                && await plane.ReadContainerAsync(Target, limit.Token) is not null
                && (isNew || await countAsync(Target, limit.Token) == 0))
                await plane.DeleteContainerAsync(Target, limit.Token);
            await _files.WriteContainerClaimAsync(Target, held: false, limit.Token);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) || e is IOException)
        {
            // The error that led here is the one to report.
        }
    }

    private void EnsureKeyFits(ContainerFacts facts)
    {
        if (!facts.PartitionKeyPaths.SequenceEqual(Target.KeyPaths))
            throw new AccountException(
                $"container.{(Target.FurtherKeyPaths is null ? "partitionKeyPath" : "partitionKeyPaths")}: {Path} is partitioned by "
                + $"{string.Join(" + ", facts.PartitionKeyPaths)}, the run's documents by {string.Join(" + ", Target.KeyPaths)}.");
    }

    private AccountException Foreign() => new(
        $"The {Target.Text} exists already and is not this run's: choose another run id"
        + (Target.IsTable ? "." : ", or name it as container.name to use it as it is."));
}

/// <summary>The account that a container is prepared on, and what is known of it.</summary>
/// <param name="Facts">Null for Table storage.</param>
/// <param name="Emulator">Name of the emulator that the tables are on; null for none.</param>
internal sealed record PreparedAccount(AccountConnection Connection, AccountFacts? Facts = null, string? Emulator = null);
