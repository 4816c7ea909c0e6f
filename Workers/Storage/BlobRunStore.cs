using Azure;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using ScaleOut.Storage;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// A run store in a blob container: <c>runs/{run id}/{name}</c>. The container is made at the first write. Several function instances may use it at once.
/// </summary>
public sealed class BlobRunStore : IRunStore
{
    /// <summary>Carries who created a blob, so that a creation whose answer was lost knows its own blob at the retry.</summary>
    private const string CreatorKey = "creator";

    private readonly BlobContainerClient _container;

    /// <param name="container">See <see cref="StorageClients"/> for one that retries sensibly; it need not exist.</param>
    public BlobRunStore(BlobContainerClient container)
    {
        ArgumentNullException.ThrowIfNull(container);
        _container = container;
    }

    /// <inheritdoc/>
    public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        TryCreateBlobAsync(_container, NameOf(runId, name), content, new Dictionary<string, string>(), cancellationToken);

    /// <inheritdoc/>
    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) => InContainerAsync(
        _container,
        async () =>
        {
            await _container.GetBlobClient(NameOf(runId, name)).UploadAsync(BinaryData.FromBytes(content), overwrite: true, cancellationToken);
            return true;
        },
        cancellationToken);

    /// <inheritdoc/>
    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken)
    {
        try
        {
            var blob = await _container.GetBlobClient(NameOf(runId, name)).DownloadContentAsync(cancellationToken);
            return blob.Value.Content.ToArray();
        }
        catch (RequestFailedException e) when (e.Status == 404)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken)
    {
        var start = NameOf(runId, "");
        var names = new List<string>();
        try
        {
            await foreach (var blob in _container.GetBlobsAsync(prefix: start + prefix, cancellationToken: cancellationToken))
                names.Add(blob.Name[start.Length..]);
        }
        catch (RequestFailedException e) when (e.ErrorCode == BlobErrorCode.ContainerNotFound)
        {
            return [];
        }

        // The service lists in ordinal order of UTF-8; names of items are ASCII.
        return names;
    }

    /// <summary>Creates a blob unless it is there; of several callers exactly one gets true, also when an answer is lost and the client asks again.</summary>
    internal static Task<bool> TryCreateBlobAsync(
        BlobContainerClient container, string name, ReadOnlyMemory<byte> content, Dictionary<string, string> metadata, CancellationToken cancellationToken)
    {
        var blob = container.GetBlobClient(name);
        var creator = Guid.NewGuid().ToString("N");
        metadata[CreatorKey] = creator;
        var options = new BlobUploadOptions { Metadata = metadata, Conditions = new BlobRequestConditions { IfNoneMatch = ETag.All } };
        return InContainerAsync(
            container,
            async () =>
            {
                try
                {
                    await blob.UploadAsync(BinaryData.FromBytes(content), options, cancellationToken);
                    return true;
                }
                catch (RequestFailedException e) when (e.Status is 409 or 412 && e.ErrorCode != BlobErrorCode.ContainerBeingDeleted)
                {
                    var there = await blob.GetPropertiesAsync(cancellationToken: cancellationToken);
                    return there.Value.Metadata.TryGetValue(CreatorKey, out var by) && by == creator;
                }
            },
            cancellationToken);
    }

    /// <summary>Writes, and makes the container when it turns out to be missing.</summary>
    private static async Task<bool> InContainerAsync(BlobContainerClient container, Func<Task<bool>> writeAsync, CancellationToken cancellationToken)
    {
        try
        {
            return await writeAsync();
        }
        catch (RequestFailedException e) when (e.ErrorCode == BlobErrorCode.ContainerNotFound)
        {
            await container.CreateIfNotExistsAsync(cancellationToken: cancellationToken);
            return await writeAsync();
        }
    }

    private static string NameOf(string runId, string name) => $"runs/{runId}/{name}";
}
