using Azure.Identity;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// A run store in a blob container: <c>runs/{run id}/{name}</c>. The container is made at the first write. Several function instances may
/// use it at once.
/// </summary>
/// <param name="container">It need not exist. See <see cref="StorageClients"/> for one that retries.</param>
public sealed class BlobRunStore(BlobContainerClient container) : IRunStore
{
    /// <summary>Identifies the creator of a blob. If the response to a creation is lost, the retry recognizes its own blob by it.</summary>
    private const string CreatorKey = "creator";

    private const int MaxDeletionsAtOnce = 16;

    /// <summary>Message for a storage account that does not let the app read or write, with what its identity needs.</summary>
    public static string WhyForbidden(Exception error)
    {
        var reason = OneLine.FirstOf(error.Message);
        return error is AuthenticationFailedException
            ? $"The app's managed identity got no token: {reason} Check that it exists and is assigned to the app."
            : $"The run store forbids this: {reason} The app's identity needs the role Storage Blob Data Owner on it.";
    }

    public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        TryCreateBlobAsync(NameOf(runId, name), content, new Dictionary<string, string>(), cancellationToken);

    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        UploadAsync(NameOf(runId, name), content, new BlobUploadOptions(), cancellationToken);

    public async Task<bool> UpdateAsync(
        string runId, string name, Func<byte[]?, byte[]?> change, CancellationToken cancellationToken)
    {
        while (true)
        {
            var (known, version) = await ReadVersionAsync(runId, name, cancellationToken);
            if (change(known) is not { } content)
                return false;
            try
            {
                var condition = known is null
                    ? new BlobRequestConditions { IfNoneMatch = ETag.All }
                    : new BlobRequestConditions { IfMatch = version };
                await UploadAsync(NameOf(runId, name), content, new BlobUploadOptions { Conditions = condition }, cancellationToken);
                return true;
            }
            catch (RequestFailedException e)
                when (e.ErrorCode == BlobErrorCode.BlobAlreadyExists || e.ErrorCode == BlobErrorCode.ConditionNotMet)
            {
                // The blob was written since it was read, so it is read again.
            }
        }
    }

    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken) =>
        (await ReadVersionAsync(runId, name, cancellationToken)).Content;

    private async Task<(byte[]? Content, ETag Version)> ReadVersionAsync(
        string runId, string name, CancellationToken cancellationToken)
    {
        try
        {
            var blob = await container.GetBlobClient(NameOf(runId, name)).DownloadContentAsync(cancellationToken);
            return (blob.Value.Content.ToArray(), blob.Value.Details.ETag);
        }
        catch (RequestFailedException e) when (e.Status == 404)
        {
            // The item was not written.
            return default;
        }
    }

    public async Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken)
    {
        var start = NameOf(runId, "");
        var names = new List<string>();
        try
        {
            await foreach (var blob in container.GetBlobsAsync(BlobTraits.None, BlobStates.None, start + prefix, cancellationToken))
                names.Add(blob.Name[start.Length..]);
        }
        catch (RequestFailedException e) when (e.ErrorCode == BlobErrorCode.ContainerNotFound)
        {
            // Nothing was ever written.
            return [];
        }

        // The service lists in ordinal order of UTF-8, and names of items are ASCII.
        return names;
    }

    public async Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken)
    {
        var start = NameOf(runId, "");
        try
        {
            var blobs = container.GetBlobsAsync(BlobTraits.None, BlobStates.None, start, cancellationToken);
            var limit = new ParallelOptions { MaxDegreeOfParallelism = MaxDeletionsAtOnce, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(blobs, limit, async (blob, token) =>
            {
                if (isMeant(blob.Name[start.Length..]))
                    await DeleteBlobAsync(blob, token);
            });
        }
        catch (RequestFailedException e) when (e.ErrorCode == BlobErrorCode.ContainerNotFound)
        {
            // Nothing was ever written.
        }
    }

    /// <summary>
    /// Creates a blob unless it is there. Of several callers exactly one gets true, also when a response is lost and the client sends the
    /// request again.
    /// </summary>
    internal async Task<bool> TryCreateBlobAsync(
        string name, ReadOnlyMemory<byte> content, Dictionary<string, string> metadata, CancellationToken cancellationToken)
    {
        // 1. Create the blob if there is none, with a mark of this call.
        // 2. A conflict may be the call's own: the client sends a request again whose response was lost. The mark says whose blob it is.
        // 3. If there is none by then, somebody has deleted it between 1 and 2. Begin again.
        var creator = Guid.NewGuid().ToString("N");
        metadata[CreatorKey] = creator;
        var options = new BlobUploadOptions { Metadata = metadata, Conditions = new BlobRequestConditions { IfNoneMatch = ETag.All } };
        while (true)
        {
            try
            {
                // 1.
                await UploadAsync(name, content, options, cancellationToken);
                return true;
            }
            catch (RequestFailedException e)
                when (e.ErrorCode == BlobErrorCode.BlobAlreadyExists || e.ErrorCode == BlobErrorCode.ConditionNotMet)
            {
                // 2.
                if (await FindCreatorAsync(name, cancellationToken) is { } by)
                    return by == creator;
                // 3.
            }
        }
    }

    /// <summary>The creator's mark on a blob; empty if the blob has none, null if the blob does not exist.</summary>
    private async Task<string?> FindCreatorAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            var there = await container.GetBlobClient(name).GetPropertiesAsync(cancellationToken: cancellationToken);
            return there.Value.Metadata.TryGetValue(CreatorKey, out var by) ? by : "";
        }
        catch (RequestFailedException e) when (e.Status == 404)
        {
            // The blob was deleted in the meantime, so it has no creator.
            return null;
        }
    }

    private static string NameOf(string runId, string name) => $"runs/{runId}/{name}";

    /// <summary>Writes a blob, and creates the container if it is missing.</summary>
    private async Task UploadAsync(
        string name, ReadOnlyMemory<byte> content, BlobUploadOptions options, CancellationToken cancellationToken)
    {
        var blob = container.GetBlobClient(name);
        try
        {
            await blob.UploadAsync(BinaryData.FromBytes(content), options, cancellationToken);
        }
        catch (RequestFailedException e) when (e.ErrorCode == BlobErrorCode.ContainerNotFound)
        {
            // The first write to an account makes the container.
            await container.CreateIfNotExistsAsync(cancellationToken: cancellationToken);
            await blob.UploadAsync(BinaryData.FromBytes(content), options, cancellationToken);
        }
    }

    /// <summary>Deletes a listed blob, unless it was written again since then.</summary>
    private async Task DeleteBlobAsync(BlobItem blob, CancellationToken cancellationToken)
    {
        try
        {
            await container.GetBlobClient(blob.Name).DeleteIfExistsAsync(
                conditions: new BlobRequestConditions { IfMatch = blob.Properties.ETag }, cancellationToken: cancellationToken);
        }
        catch (RequestFailedException e) when (e.Status == 412)
        {
            // The blob was written again since it was listed, and stays.
        }
    }
}
