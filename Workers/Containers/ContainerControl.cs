using System.Reflection;
using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Logging.Abstractions;
using ScaleOut.Evidence;

namespace ScaleOut.Workers.Containers;

/// <summary>
/// Prepares, counts and cleans up the containers of runs on one account, with a client of its own that waits out throttling. Only a
/// container that a run made is ever changed. Not for use by several threads at once.
/// </summary>
public sealed partial class ContainerControl : IContainerControl
{
    /// <summary>For an account that was reached: a token and the SDK's first call take long on a busy machine.</summary>
    private static readonly TimeSpan AccountReadTimeout = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan VerificationTimeout = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan CleanUpTimeout = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private readonly AccountConnection _account;
    private readonly ILogger _logger;
    private readonly Lazy<CosmosClient> _client;
    private readonly Lazy<IContainerPlane> _plane;

    /// <summary>Nothing is connected before the first call.</summary>
    /// <param name="logger">Takes a warning for what is tried again for longer than a few seconds; null for nobody.</param>
    public ContainerControl(AccountConnection account, ILogger? logger = null)
        : this(account, ContainerPlanes.Create, logger)
    {
    }

    internal ContainerControl(
        AccountConnection account, Func<AccountConnection, CosmosClient, IContainerPlane> createPlane, ILogger? logger = null)
    {
        _account = account;
        _logger = logger ?? NullLogger.Instance;
        _client = new Lazy<CosmosClient>(() => CosmosClientFactory.CreateControl(account));
        _plane = new Lazy<IContainerPlane>(() => createPlane(account, _client.Value));
    }

    /// <inheritdoc/>
    /// <remarks>
    /// The database is created where it is absent, and stays. An account that cannot be reached is found out within 15 s. When it fails
    /// half-way, the container it created is deleted again.
    /// </remarks>
    public async Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        try
        {
            await AccountProbe.EnsureReachableAsync(_account, cancellationToken, Retried("reaching the account"));
            var properties = await _client.Value.ReadAccountAsync().WaitAsync(AccountReadTimeout, cancellationToken);
            string[] rejections =
            [
                .. ConnectionModeCheck.ErrorsOf(spec, _account),
                .. ConsistencyCheck.RejectionsOf(spec, ConsistencyCheck.LevelOf(properties)),
            ];
            if (rejections.Length > 0)
                return new Preparation { Rejections = rejections };

            var preparation = new ContainerPreparation(
                spec, store, _plane.Value, new DocumentCounter(_client.Value).CountAsync, _account, Retried("preparing the container"),
                FactsOf(properties));
            return new Preparation { Container = await preparation.PrepareAsync(cancellationToken) };
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var message = AccountErrors.Describe(e, _account).Message;
            return AccountErrors.MayBeLateRole(e) ? new Preparation { MissingRole = message } : new Preparation { Rejections = [message] };
        }
    }

    private AccountFacts FactsOf(AccountProperties properties) => new(
        _account.Endpoint.Host,
        properties.ReadableRegions.FirstOrDefault()?.Name,
        ConsistencyCheck.LevelOf(properties),
        typeof(CosmosClient).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0]);

    /// <inheritdoc/>
    /// <remarks>Errors that may pass are tried again for a minute.</remarks>
    public async Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        try
        {
            var count = await TransientRetry.RetryAsync(
                token => new DocumentCounter(_client.Value).CountSettledAsync(container.Target, token),
                VerificationTimeout,
                Pause,
                cancellationToken,
                onRetry: Retried("counting the container's documents"));
            return new Verification(count - container.CountBefore)
            {
                BudgetPerSecond = await ReadBudgetAsync(container.Target, cancellationToken),
            };
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var reason = AccountErrors.Describe(e, _account).Message;
            return new Verification(null, $"{container.Target.Database}/{container.Target.Name} could not be counted: {reason}");
        }
    }

    /// <inheritdoc/>
    /// <remarks>Errors that may pass are tried again for half a minute.</remarks>
    public async Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        if (!container.Created)
            return;

        var (database, name) = (container.Target.Database, container.Target.Name);
        try
        {
            await TransientRetry.RetryAsync(
                async token =>
                {
                    await _plane.Value.DeleteContainerAsync(database, name, token);
                    return true;
                },
                CleanUpTimeout,
                Pause,
                cancellationToken,
                onRetry: Retried("deleting the container"));
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var error = AccountErrors.Describe(e, _account);
            throw new AccountException(
                error with { Message = $"The container {database}/{name} could not be deleted and stays: {error.Message}" }, e);
        }
    }

    /// <inheritdoc/>
    public async Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        // A run that never set out to create one needs no account to say so.
        if (spec.Id is { } id && !await new ContainerClaim(store, id).IsHeldAsync(cancellationToken))
            return true;
        var preparation = new ContainerPreparation(
            spec, store, _plane.Value, new DocumentCounter(_client.Value).CountAsync, _account, Retried("giving up the container"));
        return await preparation.GiveUpAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_plane.IsValueCreated)
            _plane.Value.Dispose();
        if (_client.IsValueCreated)
            _client.Value.Dispose();
    }

    /// <summary>Best effort: the count does not wait for it.</summary>
    private async Task<double?> ReadBudgetAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        try
        {
            return (await _plane.Value.ReadThroughputAsync(target, cancellationToken))?.PerSecond;
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    /// <summary>Logs what is tried again, and why.</summary>
    private Func<Exception, Task> Retried(string what) => error =>
    {
        LogRetried(what, AccountErrors.Describe(error, _account).Message);
        return Task.CompletedTask;
    };

    [LoggerMessage(Level = LogLevel.Warning, Message = "{What} is tried again: {Reason}")]
    private partial void LogRetried(string what, string reason);
}

/// <summary>
/// Prepares, counts and cleans up the containers of runs on one account. Only a container that a run made is ever changed.
/// </summary>
public interface IContainerControl : IDisposable
{
    /// <summary>
    /// Creates the run's own container, or checks the named one, and counts it. What the user can correct comes back as reasons in the
    /// result, not as an exception.
    /// </summary>
    /// <param name="spec">A valid spec with its id.</param>
    /// <param name="store">Keeps what was found: a repeated call, after a crash or by a resumed run, gives the first one's result.</param>
    /// <param name="cancellationToken">Ends it early, with an <see cref="OperationCanceledException"/>.</param>
    Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken);

    /// <summary>Counts the container after the last write; when it cannot be counted, the result says why.</summary>
    Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken);

    /// <summary>Deletes the container if the run made it. One that is gone already is fine.</summary>
    /// <exception cref="AccountException">It could not be deleted.</exception>
    Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken);

    /// <summary>
    /// Deletes what a run that never got its container ready may have created: an empty container of its own that it noted before.
    /// </summary>
    /// <param name="spec">The run's claimed spec.</param>
    /// <param name="store">Has the run's note.</param>
    /// <returns>Whether nothing of the run's is left; false when the account could not be asked.</returns>
    Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken);
}

/// <summary>
/// A run's note, written before it creates its container, that the container of that name is its own. A container without the note is
/// somebody else's; after a crash between note and preparation the next attempt finds both and goes on with them.
/// </summary>
public sealed class ContainerClaim(IRunStore store, string runId)
{
    /// <summary>The note.</summary>
    public const string ItemName = "container-claim.json";

    private string Item => $"{runId}/{ItemName}";

    /// <summary>Whether an attempt of this run, this or an earlier one, has set out to create the container.</summary>
    public async Task<bool> IsHeldAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, ItemName, cancellationToken) is { } content && StoredItem.Read<Note>(Item, content).Held;

    /// <summary>Notes that this run sets out to create the container.</summary>
    public Task HoldAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        WriteAsync(new Note(target.Database, target.Name, Held: true), cancellationToken);

    /// <summary>Notes that the container of that name is not, or no longer, this run's.</summary>
    public Task ReleaseAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        WriteAsync(new Note(target.Database, target.Name, Held: false), cancellationToken);

    private Task WriteAsync(Note note, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, ItemName, StoredItem.Write(Item, note), cancellationToken);

    private sealed record Note(string Database, string Name, bool Held);
}

/// <summary>
/// Prepares, counts and cleans up what runs write to: containers of Cosmos DB, and tables of Table storage where a run's workload asks for
/// them. Not for use by several threads at once.
/// </summary>
/// <param name="account">The account; tables are in <see cref="AccountConnection.Tables"/>.</param>
/// <param name="logger">Takes a warning for what is tried again for longer than a few seconds; null for nobody.</param>
public sealed class RunContainers(AccountConnection account, ILogger? logger = null) : IContainerControl
{
    private readonly Lazy<ContainerControl> _containers = new(() => new ContainerControl(account, logger));
    private readonly Lazy<TableControl> _tables = new(
        () => new TableControl(account.Tables ?? throw new AccountException(TableAccount.Missing), logger));

    /// <inheritdoc/>
    public Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        return spec.Workload.Kind.UsesTables() && account.Tables is null
            ? Task.FromResult(new Preparation { Rejections = [TableAccount.Missing] })
            : For(spec).PrepareAsync(spec, store, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken) =>
        For(container).VerifyAsync(container, cancellationToken);

    /// <inheritdoc/>
    public Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken) =>
        For(container).CleanUpAsync(container, cancellationToken);

    /// <inheritdoc/>
    /// <remarks>A table account that is not there any more cannot be asked.</remarks>
    public async Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        if (spec.Workload.Kind.UsesTables() && account.Tables is null)
            return !await new ContainerClaim(store, spec.Id!).IsHeldAsync(cancellationToken);
        return await For(spec).GiveUpAsync(spec, store, cancellationToken);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_containers.IsValueCreated)
            _containers.Value.Dispose();
        if (_tables.IsValueCreated)
            _tables.Value.Dispose();
    }

    private IContainerControl For(RunSpec spec) => spec.Workload.Kind.UsesTables() ? _tables.Value : _containers.Value;

    private IContainerControl For(PreparedContainer container)
    {
        return container.Target.IsTable ? _tables.Value : _containers.Value;
    }
}
