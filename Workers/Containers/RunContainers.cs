using Microsoft.Extensions.Logging;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Containers;

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
        ArgumentNullException.ThrowIfNull(spec);
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
        ArgumentNullException.ThrowIfNull(spec);
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
        ArgumentNullException.ThrowIfNull(container);
        return container.Target.IsTable ? _tables.Value : _containers.Value;
    }
}
