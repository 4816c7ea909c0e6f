using Azure.Core;
using Azure.Identity;
using Azure.Storage.Blobs;
using Azure.Storage.Queues;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// Makes clients of a storage account. They retry five times, after 0.2 s, 0.4 s and so on up to 5 s, when the service is busy, the network
/// fails, or a response takes longer than 20 s. Nothing is connected before the first call.
/// </summary>
public static class StorageClients
{
    /// <summary>Container of the run store.</summary>
    public const string DefaultContainer = "scaleout";

    private const int Retries = 5;

    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(0.2);
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan ResponseTimeout = TimeSpan.FromSeconds(20);

    /// <exception cref="FormatException">The connection string is invalid; the message does not repeat it.</exception>
    public static BlobContainerClient Blobs(StorageConnection storage, string container = DefaultContainer)
    {
        var options = BlobOptions();
        if (storage.ConnectionString is { } text)
            return Parse(() => new BlobContainerClient(text, container, options));
        var endpoint = storage.BlobEndpoint ?? throw new ArgumentException("The storage account has no blob endpoint.", nameof(storage));
        return new BlobServiceClient(endpoint, CosmosClientFactory.CreateCredential(), options).GetBlobContainerClient(container);
    }

    /// <summary>A client of a queue whose messages are not encoded.</summary>
    /// <exception cref="FormatException">The connection string is invalid; the message does not repeat it.</exception>
    public static QueueClient Queue(StorageConnection storage, string queue)
    {
        var options = new QueueClientOptions { MessageEncoding = QueueMessageEncoding.None };
        Retry(options);
        if (storage.ConnectionString is { } text)
            return Parse(() => new QueueClient(text, queue, options));
        var endpoint = storage.QueueEndpoint ?? throw new ArgumentException("The storage account has no queue endpoint.", nameof(storage));
        return new QueueServiceClient(endpoint, CosmosClientFactory.CreateCredential(), options).GetQueueClient(queue);
    }

    /// <summary>Checks that clients of blobs and queues can be made with the connection.</summary>
    /// <exception cref="FormatException">The connection string is invalid; the message does not repeat it.</exception>
    internal static StorageConnection Check(StorageConnection storage)
    {
        _ = Blobs(storage);
        _ = Queue(storage, DefaultContainer);
        return storage;
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
        options.Retry.MaxDelay = MaxPause;
        options.Retry.NetworkTimeout = ResponseTimeout;
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

/// <summary>
/// How to reach a storage account: by endpoint and identity, or by connection string. It is never printed, logged or kept.
/// </summary>
public sealed record StorageConnection
{
    /// <summary>For local use; holds a key. Null means endpoints and <c>DefaultAzureCredential</c>.</summary>
    public string? ConnectionString { get; init; }

    /// <summary>Such as <c>https://account.blob.core.windows.net/</c>.</summary>
    public Uri? BlobEndpoint { get; init; }

    /// <summary>Such as <c>https://account.queue.core.windows.net/</c>.</summary>
    public Uri? QueueEndpoint { get; init; }

    /// <summary>An account of the public cloud, with the identity that is signed in.</summary>
    /// <exception cref="FormatException">It is not a name of a storage account.</exception>
    public static StorageConnection ToAccount(string name)
    {
        if (!name.All(char.IsAsciiLetterOrDigit))
            throw new FormatException("A storage account's name has letters and digits alone.");
        return new()
        {
            BlobEndpoint = new Uri($"https://{name}.blob.core.windows.net/"),
            QueueEndpoint = new Uri($"https://{name}.queue.core.windows.net/"),
        };
    }

    /// <summary>The endpoints alone: a record's own text would show the key.</summary>
    public override string ToString() =>
        ConnectionString is null ? $"{BlobEndpoint?.Host ?? QueueEndpoint?.Host}" : "storage by connection string";
}

/// <summary>Describes errors of a storage account, on one line and without secrets.</summary>
public static class StorageErrors
{
    /// <summary>
    /// Why a storage account cannot be used at the moment; null for an error that has another cause. A missing role counts, because a new
    /// one takes some minutes to work.
    /// </summary>
    public static string? WhyUnavailable(Exception exception) => exception switch
    {
        RequestFailedException { Status: 0 or 403 or 408 or 429 or >= 500 } or AuthenticationFailedException
            or OperationCanceledException or TimeoutException => Describe(exception).TrimEnd('.'),
        AggregateException { InnerExceptions: [.., var last] } => WhyUnavailable(last),
        _ => null,
    };

    /// <summary>Such as <c>403 AuthenticationFailed</c> or <c>Connection refused (127.0.0.1:10001)</c>.</summary>
    internal static string Describe(Exception exception) => exception switch
    {
        AggregateException { InnerExceptions: [.., var last] } => Describe(last),
        RequestFailedException { Status: > 0 } e => $"{e.Status} {e.ErrorCode}".TrimEnd(),
        OperationCanceledException or TimeoutException => "no response in time",
        _ => OneLine.FirstOf(exception.Message),
    };
}
