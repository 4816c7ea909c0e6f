using System.Security.Cryptography;
using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Containers;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Workers.Calibration;

/// <summary>A container that a calibration creates, deleted whatever becomes of it.</summary>
internal sealed class CalibrationContainer(IContainerPlane plane, AccountConnection account) : IAsyncDisposable
{
    private const string Database = "scaleout";

    /// <summary>How long the deletion is tried again; nobody may cancel it.</summary>
    private static readonly TimeSpan DeletionTimeout = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private volatile bool _mayExist;
    private bool _deletionTried;

    /// <summary>With a name that no other container has.</summary>
    public ContainerTarget Target { get; } = new(
        Database, $"calibrate-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(6))}", CalibrationDocument.KeyPath);

    /// <summary>For people, with the database.</summary>
    public string FullName => $"{Target.Database}/{Target.Name}";

    /// <summary>Its full name from when its creation begins until it is known to be deleted, else null; for any thread.</summary>
    public string? LeftName => _mayExist ? FullName : null;

    /// <summary>Creates it.</summary>
    /// <exception cref="AccountException">The account does not let this client create one.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled, and is deleted.</exception>
    public async Task CreateAsync(int throughput, IndexingMode indexing, CancellationToken cancellationToken)
    {
        if (plane.RejectionToCreate is { } rejection)
            throw new AccountException(rejection);
        await plane.EnsureDatabaseAsync(Database, cancellationToken);
        if (!await TryCreateAsync(throughput, indexing))
        {
            _mayExist = false;
            throw new AccountException($"There is a container {FullName} already on {account.Endpoint}.");
        }

        if (!cancellationToken.IsCancellationRequested)
            return;
        await DisposeAsync();
        throw new OperationCanceledException(cancellationToken);
    }

    /// <summary>
    /// Nobody may cancel this: the service would go on with it, and a deletion before its end would find nothing to delete.
    /// </summary>
    private async Task<bool> TryCreateAsync(int throughput, IndexingMode indexing)
    {
        _mayExist = true;
        try
        {
            return await plane.TryCreateContainerAsync(
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
                $"{AccountErrors.Describe(failure, account).Message} It is not known whether {FullName} was created "
                    + $"nevertheless. {e.Message}",
                failure);
        }
    }

    /// <summary>Deletes it; a second call does nothing, as the first one has tried for long enough.</summary>
    /// <exception cref="AccountException">It could not be deleted.</exception>
    public async ValueTask DisposeAsync()
    {
        if (!_mayExist || _deletionTried)
            return;
        _deletionTried = true;
        try
        {
            await TransientRetry.RetryAsync(
                async token =>
                {
                    await plane.DeleteContainerAsync(Target.Database, Target.Name, token);
                    return true;
                },
                DeletionTimeout, Pause, CancellationToken.None);
            _mayExist = false;
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e))
        {
            var error = AccountErrors.Describe(e, account);
            throw new AccountException(
                error with
                {
                    Message = $"The container {FullName} could not be deleted and goes on to cost money; delete it "
                        + $"by hand: {error.Message}",
                },
                e);
        }
    }
}
