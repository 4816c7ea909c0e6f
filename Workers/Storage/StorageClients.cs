using Azure.Core;
using Azure.Storage.Blobs;
using Azure.Storage.Queues;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// Makes clients of a storage account. They ask again five times, after 0.2 s, 0.4 s and so on up to 5 s, when the service is busy, the network fails, or an
/// answer takes longer than 20 s.
/// </summary>
public static class StorageClients
{
    /// <summary>Container of the run store.</summary>
    public const string DefaultContainer = "scaleout";

    private const int Retries = 5;

    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(0.2);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    /// <summary>The run store of a storage account.</summary>
    /// <exception cref="FormatException">The connection string is none; the message does not repeat it.</exception>
    public static BlobRunStore RunStore(StorageConnection storage, string container = DefaultContainer) => new(Blobs(storage, container));

    /// <summary>The list of runs of a storage account, beside its <see cref="RunStore"/>.</summary>
    /// <exception cref="FormatException">The connection string is none; the message does not repeat it.</exception>
    public static BlobRunCatalog RunCatalog(StorageConnection storage, string container = DefaultContainer) => new(Blobs(storage, container));

    /// <summary>A client of a blob container; nothing is connected before its first call.</summary>
    /// <exception cref="FormatException">The connection string is none; the message does not repeat it.</exception>
    public static BlobContainerClient Blobs(StorageConnection storage, string container = DefaultContainer)
    {
        ArgumentNullException.ThrowIfNull(storage);
        var options = BlobOptions();
        if (storage.ConnectionString is { } text)
            return Parse(() => new BlobContainerClient(text, container, options));
        var endpoint = storage.BlobEndpoint ?? throw new ArgumentException("The storage account has no blob endpoint.", nameof(storage));
        return new BlobServiceClient(endpoint, CosmosClientFactory.CreateCredential(), options).GetBlobContainerClient(container);
    }

    /// <summary>A client of a queue whose messages go out as they are given; nothing is connected before its first call.</summary>
    /// <exception cref="FormatException">The connection string is none; the message does not repeat it.</exception>
    public static QueueClient Queue(StorageConnection storage, string queue)
    {
        ArgumentNullException.ThrowIfNull(storage);
        var options = new QueueClientOptions { MessageEncoding = QueueMessageEncoding.None };
        Retry(options);
        if (storage.ConnectionString is { } text)
            return Parse(() => new QueueClient(text, queue, options));
        var endpoint = storage.QueueEndpoint ?? throw new ArgumentException("The storage account has no queue endpoint.", nameof(storage));
        return new QueueServiceClient(endpoint, CosmosClientFactory.CreateCredential(), options).GetQueueClient(queue);
    }

    internal static BlobClientOptions BlobOptions()
    {
        var options = new BlobClientOptions();
        Retry(options);
        return options;
    }

    private static void Retry(ClientOptions options)
    {
        options.Retry.Mode = RetryMode.Exponential;
        options.Retry.MaxRetries = Retries;
        options.Retry.Delay = FirstPause;
        options.Retry.MaxDelay = LongestPause;
        options.Retry.NetworkTimeout = Patience;
    }

    private static T Parse<T>(Func<T> create)
    {
        try
        {
            return create();
        }
        catch (Exception e) when (e is FormatException or ArgumentException or InvalidOperationException)
        {
            // The library's own message may repeat a part of the text, and with it the key.
            throw new FormatException("This is not a connection string of a storage account.");
        }
    }
}
