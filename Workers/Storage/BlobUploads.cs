using System.Globalization;
using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Sas;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Storage;

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

    /// <param name="container">Where blobs go.</param>
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
