namespace ScaleOut.Workers.Storage;

/// <summary>How to reach a storage account: by endpoint and identity, or, for local use, by connection string. It is never printed, logged or kept.</summary>
public sealed record StorageConnection
{
    /// <summary>For Azurite or local use; holds a key. Null means endpoints and <c>DefaultAzureCredential</c>.</summary>
    public string? ConnectionString { get; init; }

    /// <summary>Such as <c>https://account.blob.core.windows.net/</c>.</summary>
    public Uri? BlobEndpoint { get; init; }

    /// <summary>Such as <c>https://account.queue.core.windows.net/</c>.</summary>
    public Uri? QueueEndpoint { get; init; }

    /// <summary>An account of the public cloud by its name, with the identity that is signed in.</summary>
    public static StorageConnection ToAccount(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        return new() { BlobEndpoint = new Uri($"https://{name}.blob.core.windows.net/"), QueueEndpoint = new Uri($"https://{name}.queue.core.windows.net/") };
    }

    /// <summary>The endpoints alone: a record's own text would show the key.</summary>
    public override string ToString() => ConnectionString is null ? $"{BlobEndpoint?.Host ?? QueueEndpoint?.Host}" : "storage by connection string";
}
