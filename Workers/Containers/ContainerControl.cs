using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Logging.Abstractions;

namespace ScaleOut.Workers.Containers;

/// <summary>
/// Prepares, counts and cleans up what runs write to: containers of Cosmos DB, and tables of Table storage for workloads that use them. Its
/// own clients wait out throttling. It changes only containers and tables that a run created. Not thread-safe.
/// </summary>
public sealed class ContainerControl : IContainerControl
{
    /// <summary>
    /// Timeout for reading the properties of a reachable account. Acquiring a token and the SDK's first call take long on a busy machine.
    /// </summary>
    private static readonly TimeSpan AccountReadTimeout = TimeSpan.FromMinutes(1);
    private static readonly TransientRetry Verifying = new(TimeSpan.FromMinutes(1), TimeSpan.FromMilliseconds(250));
    private static readonly TransientRetry Changing = new(TimeSpan.FromSeconds(30), TimeSpan.FromMilliseconds(250));
    private static readonly TimeSpan PermissionTimeout = TimeSpan.FromSeconds(5);

    private readonly AccountConnection _account;
    private readonly ILogger _logger;
    private readonly Lazy<CosmosClient> _client;
    private readonly Lazy<IContainerPlane> _containers;
    private readonly Lazy<TablePlane> _tables;

    /// <summary>Nothing is connected before the first call.</summary>
    /// <param name="account">The account; tables are in <see cref="AccountConnection.Tables"/>.</param>
    /// <param name="logger">Logs what is retried for longer than a few seconds. Optional.</param>
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
        _containers = new Lazy<IContainerPlane>(() => createPlane(account, _client.Value));
        _tables = new Lazy<TablePlane>(() => new TablePlane(account.Tables ?? throw new AccountException(TableAccount.Missing)));
    }

    /// <remarks>
    /// A missing database is created, and is not deleted later. An unreachable account is detected within 15 s. If the preparation fails
    /// midway, the container that it created is deleted again.
    /// </remarks>
    public async Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        try
        {
            AccountFacts? facts = null;
            string? emulator = null;
            if (spec.Workload.Kind.UsesTables())
            {
                emulator = await _tables.Value.FindEmulatorAsync(cancellationToken);
            }
            else
            {
                await AccountProbe.EnsureReachableAsync(_account, cancellationToken, Retried("reaching the account"));
                var properties = await _client.Value.ReadAccountAsync().WaitAsync(AccountReadTimeout, cancellationToken);
                string[] rejections =
                [
                    .. EndpointCheck.ErrorsOf(spec, _account),
                    .. ConsistencyCheck.RejectionsOf(spec, ConsistencyCheck.LevelOf(properties)),
                ];
                if (rejections.Length > 0)
                    return new Preparation { Rejections = rejections };
                facts = FactsOf(properties);
            }

            var preparation = PreparationOf(spec, store, "preparing the run's container or table", facts, emulator);
            return new Preparation { Container = await preparation.PrepareAsync(cancellationToken) };
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var message = AccountErrors.Describe(e, _account).Message;
            return AccountErrors.MayBeLateRole(e) ? new Preparation { MissingRole = message } : new Preparation { Rejections = [message] };
        }
    }

    /// <remarks>Retries transient errors for one minute.</remarks>
    public async Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        var target = container.Target;
        try
        {
            var count = await Verifying.RunAsync(
                token => target.IsTable
                    ? _tables.Value.CountAsync(target, token)
                    : new DocumentCounter(_client.Value).CountSettledAsync(target, token),
                cancellationToken, onRetry: Retried("counting the documents"));
            return new Verification(count - container.CountBefore) { BudgetPerSecond = await ReadBudgetAsync(target, cancellationToken) };
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            return new Verification(null, $"{target.Text} could not be counted: {AccountErrors.Describe(e, _account).Message}");
        }
    }

    /// <remarks>Retries transient errors for half a minute.</remarks>
    public async Task<bool> ChangeThroughputAsync(ThroughputChange change, CancellationToken cancellationToken)
    {
        try
        {
            return await Changing.RunAsync(
                async token =>
                {
                    var plane = PlaneOf(change.Target.IsTable);
                    if ((await plane.ReadThroughputAsync(change.Target, token))?.PerSecond == change.Throughput)
                        return false;
                    await plane.ReplaceThroughputAsync(change.Target, change.Throughput, change.Autoscale, token);
                    return true;
                },
                cancellationToken, onRetry: Retried("changing the RU/s"));
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            throw new AccountException(AccountErrors.Describe(e, _account), e);
        }
    }

    /// <remarks>Asks once, for at most 5 s.</remarks>
    public async Task<bool> MayChangeThroughputAsync(string database, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(PermissionTimeout);
        try
        {
            return await _containers.Value.MayReplaceThroughputAsync(database, limit.Token);
        }
        catch (Exception e) when ((AccountErrors.IsAccountError(e) || limit.IsCancellationRequested)
            && !cancellationToken.IsCancellationRequested)
        {
            // It is not known. If the right is missing, the run says so.
            return true;
        }
    }

    /// <remarks>Retries transient errors for half a minute.</remarks>
    public async Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        if (!container.Created)
            return;
        try
        {
            await Changing.RunAsync(
                async token =>
                {
                    await PlaneOf(container.Target.IsTable).DeleteContainerAsync(container.Target, token);
                    return true;
                },
                cancellationToken, onRetry: Retried("deleting the run's container or table"));
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            throw AccountException.From($"The {container.Target.Text} could not be deleted and stays", e, _account);
        }
    }

    public async Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        // If the run never began to create a container, nothing is left. No account is needed to know that.
        if (!await new RunFiles(store, spec.Id!).HoldsContainerAsync(cancellationToken))
            return true;
        return (_account.Tables is not null || !spec.Workload.Kind.UsesTables())
            && await PreparationOf(spec, store, "deleting the container of a run that could not begin").GiveUpAsync(cancellationToken);
    }

    public void Dispose()
    {
        if (_client.IsValueCreated)
            _client.Value.Dispose();
        if (_tables.IsValueCreated)
            _tables.Value.Dispose();
    }

    private IContainerPlane PlaneOf(bool isTable) => isTable ? _tables.Value : _containers.Value;

    private ContainerPreparation PreparationOf(
        RunSpec spec, IRunStore store, string what, AccountFacts? facts = null, string? emulator = null)
    {
        var isTable = spec.Workload.Kind.UsesTables();
        return new ContainerPreparation(
            spec, store, PlaneOf(isTable), isTable ? _tables.Value.CountAsync : new DocumentCounter(_client.Value).CountAsync,
            new PreparedAccount(_account, facts, emulator), Retried(what));
    }

    private AccountFacts FactsOf(AccountProperties properties) => new(
        _account.Endpoint.Host,
        properties.ReadableRegions.FirstOrDefault()?.Name,
        ConsistencyCheck.LevelOf(properties),
        SoftwareNames.SdkVersion);

    /// <summary>Reads the RU/s of what the run wrote to; null after an error.</summary>
    private async Task<double?> ReadBudgetAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        try
        {
            return (await PlaneOf(target.IsTable).ReadThroughputAsync(target, cancellationToken))?.PerSecond;
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            // The count does not depend on the RU/s.
            return null;
        }
    }

    private Func<Exception, Task> Retried(string what) => error =>
    {
        _logger.CallRetried(what, AccountErrors.Describe(error, _account).Message);
        return Task.CompletedTask;
    };
}

/// <summary>Prepares, counts and cleans up the containers and tables of runs. Only what a run made is ever changed.</summary>
public interface IContainerControl : IDisposable
{
    /// <summary>
    /// Creates the run's own container, or checks the named one, and counts it. Problems that the user can correct are returned as
    /// rejections, not thrown.
    /// </summary>
    /// <param name="store">
    /// Keeps the result, so that a repeated call, after a crash or by a resumed run, returns the first call's result.
    /// </param>
    Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken);

    /// <summary>Counts the container after the last write. If it cannot be counted, the result says why.</summary>
    Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken);

    /// <summary>Sets the RU/s of a container that the run made. Returns false if it has them already.</summary>
    /// <exception cref="AccountException">The account rejects the RU/s, or cannot be used.</exception>
    Task<bool> ChangeThroughputAsync(ThroughputChange change, CancellationToken cancellationToken);

    /// <summary>Whether the RU/s of a database's containers may be changed. True also if that cannot be found out.</summary>
    Task<bool> MayChangeThroughputAsync(string database, CancellationToken cancellationToken);

    /// <summary>Deletes the container if the run made it and it is still there.</summary>
    /// <exception cref="AccountException">It could not be deleted.</exception>
    Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken);

    /// <summary>
    /// Deletes the container that a run may have created before its preparation failed. The container must be empty, and the run must have
    /// recorded it as its own. Returns true if no container of the run remains, false if the account could not be queried.
    /// </summary>
    Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken);
}
