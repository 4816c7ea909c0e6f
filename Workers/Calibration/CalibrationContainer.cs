using System.Security.Cryptography;
using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Containers;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Workers.Calibration;

/// <summary>The containers that a calibration creates, one at a time, each deleted whatever becomes of it.</summary>
internal sealed class CalibrationContainer : IAsyncDisposable
{
    private const string Database = "scaleout";

    /// <summary>How long the deletion is tried again; nobody may cancel it.</summary>
    private static readonly TimeSpan DeletionTimeout = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private readonly IContainerPlane _plane;
    private readonly AccountConnection _account;

    private CalibrationContainer(IContainerPlane plane, AccountConnection account, ContainerTarget target) =>
        (_plane, _account, Target) = (plane, account, target);

    public ContainerTarget Target { get; }

    /// <summary>Creates one with a name that no other container has.</summary>
    /// <exception cref="AccountException">The account does not let this client create one.</exception>
    public static async Task<CalibrationContainer> CreateAsync(
        IContainerPlane plane, AccountConnection account, int throughput, IndexingMode indexing, CancellationToken cancellationToken)
    {
        if (plane.RejectionToCreate is { } rejection)
            throw new AccountException(rejection);
        var name = $"calibrate-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(6))}";
        var target = new ContainerTarget(Database, name, CalibrationDocument.KeyPath);
        var container = new CalibrationContainer(plane, account, target);
        await plane.EnsureDatabaseAsync(Database, cancellationToken);
        if (!await container.TryCreateAsync(throughput, indexing))
            throw new AccountException($"There is a container {Database}/{name} already on {account.Endpoint}.");
        if (!cancellationToken.IsCancellationRequested)
            return container;
        await container.DisposeAsync();
        throw new OperationCanceledException(cancellationToken);
    }

    /// <summary>
    /// Nobody may cancel this: the service would go on with it, and a deletion before its end would find nothing to delete.
    /// </summary>
    private async Task<bool> TryCreateAsync(int throughput, IndexingMode indexing)
    {
        try
        {
            return await _plane.TryCreateContainerAsync(
                new ContainerDefinition
                {
                    Target = Target, Throughput = throughput, Autoscale = false, Indexing = indexing,
                    ExcludedPaths = indexing == IndexingMode.None ? [] : CalibrationDocument.ExcludedPaths,
                },
                CancellationToken.None);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e))
        {
            // The account may have made it all the same.
            await DeleteIfThereAsync(e);
            throw;
        }
    }

    /// <exception cref="AccountException">Whether it is there is not known.</exception>
    private async Task DeleteIfThereAsync(Exception failure)
    {
        try
        {
            await DisposeAsync();
        }
        catch (AccountException e)
        {
            throw new AccountException(
                $"{AccountErrors.Describe(failure, _account).Message} It is not known whether {Target.Database}/{Target.Name} was created "
                    + $"nevertheless. {e.Message}",
                failure);
        }
    }

    /// <summary>Deletes it.</summary>
    /// <exception cref="AccountException">It could not be deleted.</exception>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await TransientRetry.RetryAsync(
                async token =>
                {
                    await _plane.DeleteContainerAsync(Target.Database, Target.Name, token);
                    return true;
                },
                DeletionTimeout, Pause, CancellationToken.None);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e))
        {
            var error = AccountErrors.Describe(e, _account);
            throw new AccountException(
                error with
                {
                    Message = $"The container {Target.Database}/{Target.Name} could not be deleted and goes on to cost money; delete it "
                        + $"by hand: {error.Message}",
                },
                e);
        }
    }
}
