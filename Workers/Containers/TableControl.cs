using Microsoft.Extensions.Logging.Abstractions;
using ScaleOut.Workers.Tables;

namespace ScaleOut.Workers.Containers;

/// <summary>
/// Prepares, counts and cleans up the tables of runs on one account of Table storage. A run has a table of its own, and no other is ever
/// changed.
/// </summary>
internal sealed partial class TableControl : IContainerControl
{
    /// <summary>A table that was deleted keeps its name for up to a minute.</summary>
    private static readonly TimeSpan CreationTimeout = TimeSpan.FromMinutes(3);

    private static readonly TimeSpan CallTimeout = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan UndoTimeout = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private readonly TableAccount _account;
    private readonly TableService _client;
    private readonly ILogger _logger;

    /// <summary>Nothing is connected before the first call.</summary>
    /// <param name="logger">Takes a warning for what is tried again for longer than a few seconds; null for nobody.</param>
    public TableControl(TableAccount account, ILogger? logger = null)
    {
        _account = account;
        _client = TableService.CreateControl(account);
        _logger = logger ?? NullLogger.Instance;
    }

    /// <inheritdoc/>
    public async Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        try
        {
            var server = await _client.ReadServerAsync(cancellationToken);
            return new Preparation { Container = await PrepareTableAsync(spec, store, server, cancellationToken) };
        }
        catch (AccountException e)
        {
            return AccountErrors.MayBeLateRole(e)
                ? new Preparation { MissingRole = e.Message }
                : new Preparation { Rejections = [e.Message] };
        }
    }

    /// <inheritdoc/>
    /// <remarks>It reads the row key of every entity, a thousand at a time: a table has no count of its own.</remarks>
    public async Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        try
        {
            var count = await RetriedAsync(
                token => _client.CountAsync(container.Target.Name, token), CallTimeout, "counting the table's entities", cancellationToken);
            return new Verification(count - container.CountBefore);
        }
        catch (AccountException e)
        {
            return new Verification(Verified: null, $"{container.Target.Text} could not be counted: {e.Message}");
        }
    }

    /// <inheritdoc/>
    public async Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        if (!container.Created)
            return;
        try
        {
            await RetriedAsync(token => DeleteAsync(container.Target, token), CallTimeout, "deleting the table", cancellationToken);
        }
        catch (AccountException e)
        {
            throw new AccountException(
                new AccountError(e.Kind, $"The {container.Target.Text} could not be deleted and stays: {e.Message}"), e);
        }
    }

    /// <inheritdoc/>
    public async Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        var claim = new ContainerClaim(store, spec.Id!);
        if (await claim.IsHeldAsync(cancellationToken))
            await UndoAsync(TargetOf(spec), claim, cancellationToken);
        return !await claim.IsHeldAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    private static ContainerTarget TargetOf(RunSpec spec) =>
        new(Database: "", TableNames.From(spec.Id!), spec.Container.PartitionKeyPathFor(spec.Document));

    private async Task<PreparedContainer> PrepareTableAsync(
        RunSpec spec, IRunStore store, string server, CancellationToken cancellationToken)
    {
        var (files, claim, target) = (new RunFiles(store, spec.Id!), new ContainerClaim(store, spec.Id!), TargetOf(spec));
        var exists = await _client.ExistsAsync(target.Name, cancellationToken);
        if (await files.ReadPreparedAsync(cancellationToken) is { } kept)
            return exists ? kept : throw new AccountException($"The {target.Text} that this run wrote to is gone.");

        var heldBefore = await claim.IsHeldAsync(cancellationToken);
        if (!exists)
            await CreateAsync(target, claim, heldBefore, cancellationToken);
        else if (!heldBefore || await _client.CountAsync(target.Name, cancellationToken) > 0)
            throw await ForeignAsync(target, claim, cancellationToken);

        var emulated = IsEmulator(server, _account.Endpoint);
        return await files.KeepPreparedAsync(
            new PreparedContainer
            {
                RunId = spec.Id,
                Target = target,
                Created = true,
                Simulated = false,
                Emulated = emulated,
                CountBefore = 0,
                Warnings = emulated
                    ? [$"The table account {_account.Endpoint} is an emulator ({server}): the figures of this run are a check of the code, "
                        + "and say nothing of Azure Table storage."]
                    : [],
            },
            cancellationToken);
    }

    /// <summary>Creates the table and notes before that it will.</summary>
    private async Task CreateAsync(
        ContainerTarget target, ContainerClaim claim, bool outcomeUnknown, CancellationToken cancellationToken)
    {
        await claim.HoldAsync(target, cancellationToken);
        var created = false;
        try
        {
            created = await RetriedAsync(TryCreateAsync, CreationTimeout, "creating the table", cancellationToken);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e))
        {
            if (outcomeUnknown)
                await UndoAsync(target, claim, cancellationToken);
            else
                await claim.ReleaseAsync(target, CancellationToken.None);
            if (cancellationToken.IsCancellationRequested || e is not AccountException error)
                throw;
            throw new AccountException(new AccountError(error.Kind, $"The {target.Text} could not be created: {e.Message}"), e);
        }

        if (!created)
            throw await ForeignAsync(target, claim, cancellationToken);

        async Task<bool> TryCreateAsync(CancellationToken token)
        {
            try
            {
                return await _client.TryCreateAsync(target.Name, token) || outcomeUnknown;
            }
            catch (Exception e) when (AccountErrors.IsTransient(e) || e is OperationCanceledException)
            {
                outcomeUnknown = true;
                throw;
            }
        }
    }

    /// <summary>Whether what responds is an emulator: it says its name, and lives on the machine itself.</summary>
    internal static bool IsEmulator(string server, Uri endpoint) =>
        endpoint.IsLoopback || server.StartsWith("Azurite", StringComparison.OrdinalIgnoreCase);

    private async Task<bool> DeleteAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        await _client.DeleteAsync(target.Name, cancellationToken);
        return true;
    }

    /// <summary>
    /// Deletes the table that the run may have created, while it is empty. Best effort: what led here is the error to report.
    /// </summary>
    private async Task UndoAsync(ContainerTarget target, ContainerClaim claim, CancellationToken cancellationToken)
    {
        using var limit = cancellationToken.IsCancellationRequested
            ? new CancellationTokenSource()
            : CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(UndoTimeout);
        try
        {
            if (await _client.ExistsAsync(target.Name, limit.Token) && await _client.CountAsync(target.Name, limit.Token) == 0)
                await _client.DeleteAsync(target.Name, limit.Token);
            await claim.ReleaseAsync(target, limit.Token);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) || e is IOException)
        {
            LogRetried("deleting the table of a run that could not begin", e.Message);
        }
    }

    private static async Task<AccountException> ForeignAsync(
        ContainerTarget target, ContainerClaim claim, CancellationToken cancellationToken)
    {
        await claim.ReleaseAsync(target, cancellationToken);
        return new AccountException($"The {target.Text} exists already and is not this run's: choose another run id.");
    }

    private Task<T> RetriedAsync<T>(
        Func<CancellationToken, Task<T>> callAsync, TimeSpan limit, string what, CancellationToken cancellationToken) =>
        TransientRetry.RetryAsync(callAsync, limit, Pause, cancellationToken, onRetry: error =>
        {
            LogRetried(what, error.Message);
            return Task.CompletedTask;
        });

    [LoggerMessage(Level = LogLevel.Warning, Message = "{What} is tried again: {Reason}")]
    private partial void LogRetried(string what, string reason);
}
