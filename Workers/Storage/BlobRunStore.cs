using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Sas;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// A run store in a blob container: <c>runs/{run id}/{name}</c>. The container is made at the first write. Several function instances may
/// use it at once.
/// </summary>
public sealed class BlobRunStore : IRunStore
{
    /// <summary>Names who created a blob, so that a creation whose response was lost knows its own blob at the retry.</summary>
    private const string CreatorKey = "creator";

    private const int DeletionsAtOnce = 16;

    private static readonly Dictionary<string, string> NoMetadata = [];

    private readonly BlobContainerClient _container;
    private readonly BlobUploads _uploads;

    /// <param name="container">See <see cref="StorageClients"/> for one that retries sensibly; it need not exist.</param>
    /// <param name="credential">The client's; null for the account's key, where the client holds it, or else for
    /// <c>DefaultAzureCredential</c>.</param>
    public BlobRunStore(BlobContainerClient container, TokenCredential? credential = null)
        : this(container, new BlobUploads(container ?? throw new ArgumentNullException(nameof(container)), credential))
    {
    }

    internal BlobRunStore(BlobContainerClient container, BlobUploads uploads) => (_container, _uploads) = (container, uploads);

    /// <inheritdoc/>
    public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        TryCreateBlobAsync(NameOf(runId, name), content, NoMetadata, cancellationToken);

    /// <inheritdoc/>
    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        _uploads.PutAsync(NameOf(runId, name), content, NoMetadata, onlyIfAbsent: false, cancellationToken);

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

    /// <inheritdoc/>
    public async Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken)
    {
        var start = NameOf(runId, "");
        try
        {
            var blobs = _container.GetBlobsAsync(prefix: start, cancellationToken: cancellationToken);
            var limit = new ParallelOptions { MaxDegreeOfParallelism = DeletionsAtOnce, CancellationToken = cancellationToken };
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

    /// <summary>Deletes a blob as it was listed: one that was written since is another.</summary>
    private async Task DeleteBlobAsync(BlobItem blob, CancellationToken cancellationToken)
    {
        try
        {
            await _container.GetBlobClient(blob.Name).DeleteIfExistsAsync(
                conditions: new BlobRequestConditions { IfMatch = blob.Properties.ETag }, cancellationToken: cancellationToken);
        }
        catch (RequestFailedException e) when (e.Status == 412)
        {
        }
    }

    /// <summary>
    /// Creates a blob unless it is there; of several callers exactly one gets true, also when a response is lost and the client sends the
    /// request again.
    /// </summary>
    internal async Task<bool> TryCreateBlobAsync(
        string name, ReadOnlyMemory<byte> content, IReadOnlyDictionary<string, string> metadata, CancellationToken cancellationToken)
    {
        var creator = Guid.NewGuid().ToString("N");
        if (await _uploads.PutAsync(
            name, content, new Dictionary<string, string>(metadata) { [CreatorKey] = creator }, onlyIfAbsent: true, cancellationToken))
            return true;
        var there = await _container.GetBlobClient(name).GetPropertiesAsync(cancellationToken: cancellationToken);
        return there.Value.Metadata.TryGetValue(CreatorKey, out var by) && by == creator;
    }

    private static string NameOf(string runId, string name) => $"runs/{runId}/{name}";
}

/// <summary>
/// Writes small blobs with the service's own <c>Put Blob</c>. The uploads of the storage library load System.IO.Hashing for a checksum that
/// nobody asks for, and a partial package source lacks that package.
/// </summary>
internal sealed class BlobUploads
{
    private const string ServiceVersion = "2021-12-02";
    private const string Scope = "https://storage.azure.com/.default";

    private static readonly TimeSpan SignedFor = TimeSpan.FromHours(1);

    private readonly BlobContainerClient _container;
    private readonly HttpPipeline _pipeline;
    private readonly bool _sign;

    /// <param name="credential">Null for the account's key, where the container's client holds it, or else for
    /// <c>DefaultAzureCredential</c>.</param>
    /// <param name="options">How to ask again; null for the ways of <see cref="StorageClients"/>.</param>
    public BlobUploads(BlobContainerClient container, TokenCredential? credential, BlobClientOptions? options = null)
    {
        _container = container;
        _sign = credential is null && container.CanGenerateSasUri;
        _pipeline = HttpPipelineBuilder.Build(
            options ?? StorageClients.BlobOptions(),
            _sign ? [] : [new BearerTokenAuthenticationPolicy(credential ?? CosmosClientFactory.CreateCredential(), Scope)]);
    }

    /// <summary>Writes a blob, and creates the container where it is missing.</summary>
    /// <returns>False when it was to be written only where there is none, and there is one.</returns>
    /// <exception cref="RequestFailedException">It could not be written.</exception>
    public async Task<bool> PutAsync(
        string name,
        ReadOnlyMemory<byte> content,
        IReadOnlyDictionary<string, string> metadata,
        bool onlyIfAbsent,
        CancellationToken cancellationToken)
    {
        for (var first = true; ; first = false)
        {
            using var message = Message(name, content, metadata, onlyIfAbsent);
            await _pipeline.SendAsync(message, cancellationToken);
            var status = message.Response.Status;
            if (status == 201)
                return true;

            message.Response.Headers.TryGetValue("x-ms-error-code", out var code);
            if (first && code == BlobErrorCode.ContainerNotFound)
                await _container.CreateIfNotExistsAsync(cancellationToken: cancellationToken);
            else if (onlyIfAbsent && (code == BlobErrorCode.BlobAlreadyExists || code == BlobErrorCode.ConditionNotMet))
                return false;
            else
                throw new RequestFailedException(status, $"A blob could not be written: {status} {code}", code, innerException: null);
        }
    }

    private HttpMessage Message(string name, ReadOnlyMemory<byte> content, IReadOnlyDictionary<string, string> metadata, bool onlyIfAbsent)
    {
        var message = _pipeline.CreateMessage();
        var blob = _container.GetBlobClient(name);
        message.Request.Method = RequestMethod.Put;
        message.Request.Uri.Reset(_sign
            ? blob.GenerateSasUri(BlobSasPermissions.Write | BlobSasPermissions.Create, DateTimeOffset.UtcNow + SignedFor)
            : blob.Uri);
        message.Request.Content = RequestContent.Create(content);
        message.Request.Headers.SetValue("Content-Length", content.Length.ToString(CultureInfo.InvariantCulture));
        message.Request.Headers.SetValue("x-ms-version", ServiceVersion);
        message.Request.Headers.SetValue("x-ms-blob-type", "BlockBlob");
        if (onlyIfAbsent)
            message.Request.Headers.SetValue("If-None-Match", "*");
        foreach (var (key, value) in metadata)
            message.Request.Headers.SetValue($"x-ms-meta-{key}", value);
        return message;
    }
}
