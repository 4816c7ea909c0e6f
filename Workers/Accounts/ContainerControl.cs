using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts.Planes;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Prepares, counts and cleans up the containers of runs on one account, with a client of its own that waits out throttling. Only a container that
/// a run made is ever changed. Not for use by several threads at once.
/// </summary>
public sealed class ContainerControl : IDisposable
{
    private static readonly TimeSpan AccountReadTimeout = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan IdentityTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan VerificationPatience = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan CleanUpPatience = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private readonly AccountConnection _account;
    private readonly Lazy<CosmosClient> _client;
    private readonly Lazy<IContainerPlane> _plane;

    /// <summary>Nothing is connected before the first call.</summary>
    public ContainerControl(AccountConnection account)
        : this(account, ContainerPlanes.Create)
    {
    }

    internal ContainerControl(AccountConnection account, Func<AccountConnection, CosmosClient, IContainerPlane> createPlane)
    {
        ArgumentNullException.ThrowIfNull(account);
        _account = account;
        _client = new Lazy<CosmosClient>(() => CosmosClientFactory.CreateControl(account));
        _plane = new Lazy<IContainerPlane>(() => createPlane(account, _client.Value));
    }

    /// <summary>
    /// Creates the run's own container (and its database, where it is absent), or checks the named one, and counts it. What the user can mend comes back as
    /// refusals. An account that cannot be reached is found out within 15 s. When it fails half-way, the container it created is deleted again;
    /// a database stays.
    /// </summary>
    /// <param name="spec">A valid spec with its id.</param>
    /// <param name="store">Keeps what was found: a repeated call, after a crash or by a resumed run, gives the first one's result.</param>
    /// <param name="cancellationToken">Ends it early, with an <see cref="OperationCanceledException"/>.</param>
    public async Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(spec);
        ArgumentNullException.ThrowIfNull(store);
        try
        {
            await AccountProbe.EnsureReachableAsync(_account, cancellationToken);
            var properties = await _client.Value.ReadAccountAsync().WaitAsync(_account.Key is null ? IdentityTimeout : AccountReadTimeout, cancellationToken);
            var consistency = Enum.Parse<Specs.ConsistencyLevel>(properties.Consistency.DefaultConsistencyLevel.ToString());
            string[] refusals = [.. ConsistencyCheck.RefusalsOf(spec, consistency)];
            if (refusals.Length > 0)
                return new Preparation { Refusals = refusals };

            var preparation = new ContainerPreparation(spec, store, _plane.Value, new DocumentCounter(_client.Value).CountAsync, _account);
            return new Preparation { Container = await preparation.PrepareAsync(cancellationToken) };
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            return new Preparation { Refusals = [AccountErrors.Describe(e, _account).Message] };
        }
    }

    /// <summary>
    /// Counts the container after the last write. Errors that may pass are tried again for a minute; then the result says why there is no count.
    /// </summary>
    public async Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(container);
        try
        {
            var count = await Patience.RetryAsync(
                token => new DocumentCounter(_client.Value).CountSettledAsync(container.Target, token), VerificationPatience, Pause, cancellationToken);
            return new Verification(count - container.CountBefore);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var reason = AccountErrors.Describe(e, _account).Message;
            return new Verification(null, $"{container.Target.Database}/{container.Target.Name} could not be counted: {reason}");
        }
    }

    /// <summary>Deletes the container if the run made it. One that is gone already is fine.</summary>
    /// <exception cref="AccountException">It could not be deleted within half a minute.</exception>
    public async Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(container);
        if (!container.Created)
            return;

        var (database, name) = (container.Target.Database, container.Target.Name);
        try
        {
            await Patience.RetryAsync(
                async token =>
                {
                    await _plane.Value.DeleteContainerAsync(database, name, token);
                    return true;
                },
                CleanUpPatience,
                Pause,
                cancellationToken);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var fault = AccountErrors.Describe(e, _account);
            throw new AccountException(fault with { Message = $"The container {database}/{name} could not be deleted and stays: {fault.Message}" }, e);
        }
    }

    /// <summary>Deletes what a run that never got its container ready may have created: an empty container of its own that it noted before.</summary>
    /// <param name="spec">The run's claimed spec.</param>
    /// <param name="store">Has the run's note.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <returns>Whether nothing of the run's is left; false when the account could not be asked.</returns>
    public Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(spec);
        ArgumentNullException.ThrowIfNull(store);
        return new ContainerPreparation(spec, store, _plane.Value, new DocumentCounter(_client.Value).CountAsync, _account).GiveUpAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_plane.IsValueCreated)
            _plane.Value.Dispose();
        if (_client.IsValueCreated)
            _client.Value.Dispose();
    }
}
