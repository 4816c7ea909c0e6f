using System.Security.Cryptography.X509Certificates;
using Azure.Core;
using Azure.Identity;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = Microsoft.Azure.Cosmos.ConsistencyLevel;

namespace ScaleOut.Workers.Accounts;

/// <summary>Creates clients of an account: for the measured workload, and for preparation and verification.</summary>
internal static class CosmosClientFactory
{
    /// <summary>
    /// Request timeout in Direct mode, and the time in which a leg drains. In Gateway mode the SDK has a timeout of its own, 65 s, so
    /// callers that need a shorter one pass a cancellation token.
    /// </summary>
    public static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(ClientSpec.MaxRequestTimeoutSeconds);

    private const string ApplicationName = "ScaleOut";

    /// <summary>
    /// A client for the workload, with exactly the given settings. It does not retry 429s of single, bulk or batch operations, because its
    /// caller waits and counts them.
    /// </summary>
    /// <param name="bulk">Whether the SDK groups operations by physical partition.</param>
    /// <param name="handler">Sees every request and response. Optional.</param>
    /// <exception cref="AccountException">The connection or a setting is invalid.</exception>
    public static CosmosClient Create(AccountConnection account, ClientSettings settings, bool bulk, RequestHandler? handler = null) =>
        Connect(account, OptionsFor(account, settings, bulk, handler));

    /// <summary>
    /// Makes a client as <see cref="Create"/> does, and opens the connections to all replicas of a container. It is meant for Direct; in
    /// Gateway it opens none.
    /// </summary>
    /// <exception cref="AccountException">The connection or a setting is invalid.</exception>
    /// <exception cref="CosmosException">The account or the container cannot be used.</exception>
    public static Task<CosmosClient> CreateAndInitializeAsync(
        AccountConnection account,
        ClientSettings settings,
        bool bulk,
        ContainerTarget container,
        CancellationToken cancellationToken,
        RequestHandler? handler = null)
    {
        var options = OptionsFor(account, settings, bulk, handler);
        IReadOnlyList<(string Database, string Container)> containers = [(container.Database, container.Name)];
        return CheckingRegion(options, () => KeyOf(account) is { } key
            ? CosmosClient.CreateAndInitializeAsync(account.Endpoint.AbsoluteUri, key, containers, options, cancellationToken)
            : CosmosClient.CreateAndInitializeAsync(
                account.Endpoint.AbsoluteUri, CreateCredential(), containers, options, cancellationToken));
    }

    /// <summary>A client that prepares and verifies. It uses Gateway and waits out 429 for up to 5 minutes per operation.</summary>
    /// <exception cref="AccountException">The connection is invalid.</exception>
    public static CosmosClient CreateControl(AccountConnection account)
    {
        var options = OptionsFor(account);
        options.ConnectionMode = ConnectionMode.Gateway;
        options.MaxRetryAttemptsOnRateLimitedRequests = 1_000;
        options.MaxRetryWaitTimeOnRateLimitedRequests = TimeSpan.FromMinutes(5);
        options.CustomHandlers.Add(new GoneLimit(GoneLimit.Default));
        return Connect(account, options);
    }

    /// <summary>The identity of this machine or developer, for accounts reached without a key.</summary>
    internal static TokenCredential CreateCredential() => new DefaultAzureCredential();

    private static CosmosClientOptions OptionsFor(AccountConnection account, ClientSettings settings, bool bulk, RequestHandler? handler)
    {
        var options = OptionsFor(account);
        if (handler is not null)
            options.CustomHandlers.Add(handler);
        options.AllowBulkExecution = bulk;
        options.EnableContentResponseOnWrite = settings.ContentResponseOnWrite;
        options.ConsistencyLevel = settings.Consistency is { } consistency ? Enum.Parse<ConsistencyLevel>($"{consistency}") : null;
        options.MaxRetryAttemptsOnRateLimitedRequests = 0;
        options.MaxRetryWaitTimeOnRateLimitedRequests = TimeSpan.Zero;
        options.ConnectionMode = settings.ConnectionMode == Specs.ConnectionMode.Direct ? ConnectionMode.Direct : ConnectionMode.Gateway;
        if (settings.MaxConnections is { } connections)
        {
            if (connections < 1)
                throw new AccountException($"client.maxConnections must be at least 1, not {connections}.");
            if (settings.ConnectionMode == Specs.ConnectionMode.Direct)
                options.MaxTcpConnectionsPerEndpoint = connections;
            else
                options.GatewayModeMaxConnectionLimit = connections;
        }

        // Only Direct has these; a spec that gives one of them for Gateway is not valid.
        options.MaxRequestsPerTcpConnection = settings.MaxRequestsPerConnection;
        options.IdleTcpConnectionTimeout = settings.IdleConnectionTimeout;
        options.RequestTimeout = settings.RequestTimeout ?? options.RequestTimeout;
        SetRequestOptions(options, account, settings);
        return options;
    }

    /// <summary>Sets the priority and the throughput bucket of all requests, and the preferred region.</summary>
    private static void SetRequestOptions(CosmosClientOptions options, AccountConnection account, ClientSettings settings)
    {
        options.PriorityLevel = settings.Priority is { } priority ? Enum.Parse<PriorityLevel>($"{priority}") : null;
        options.ThroughputBucket = settings.ThroughputBucket;
        if (settings.PreferredRegion is not { } region)
            return;
        if (options.LimitToEndpoint)
            throw new AccountException($"client.preferredRegion: {EndpointCheck.OneRegion(account)}.");
        options.ApplicationRegion = region;
    }

    /// <summary>
    /// Raises the minimum size of the thread pool to one thread more than there are cores. The SDK's monitor of CPU and memory
    /// (<c>SystemUsageMonitor</c>) blocks a pool thread as long as the process lives. On one core the pool sometimes shrinks to that
    /// thread. Then no work item runs for 0.5 to 1.5 s, until the pool detects the starvation and adds a thread.
    /// </summary>
    private static void ReserveThreadForMonitor()
    {
        ThreadPool.GetMinThreads(out var threads, out var completionThreads);
        ThreadPool.SetMinThreads(Math.Max(threads, Environment.ProcessorCount + 1), completionThreads);
    }

    private static CosmosClientOptions OptionsFor(AccountConnection account)
    {
        ReserveThreadForMonitor();
        var options = new CosmosClientOptions
        {
            ApplicationName = ApplicationName,
            RequestTimeout = RequestTimeout,
            // An emulator or simulated account may report an address that only its own machine knows.
            LimitToEndpoint = account.Simulated || !AzureEndpoints.Contains(account.Endpoint),
            CosmosClientTelemetryOptions =
                new CosmosClientTelemetryOptions { DisableDistributedTracing = true, DisableSendingMetricsToService = true },
        };
        if (!AccountProxy.IsUsedFor(account.Endpoint))
            options.WebProxy = AccountProxy.None;
        if (CertificatePin.From(account) is { } pin)
            options.ServerCertificateCustomValidationCallback = (certificate, _, _) => pin.Accepts(certificate);
        return options;
    }

    private static CosmosClient Connect(AccountConnection account, CosmosClientOptions options) => CheckingRegion(
        options, () => KeyOf(account) is { } key
            ? new CosmosClient(account.Endpoint.AbsoluteUri, key, options)
            : new CosmosClient(account.Endpoint.AbsoluteUri, CreateCredential(), options));

    /// <summary>Makes a client. The SDK has a list of regions, and rejects others while it is made.</summary>
    /// <exception cref="AccountException">The region of the options is none that the SDK knows.</exception>
    private static T CheckingRegion<T>(CosmosClientOptions options, Func<T> create)
    {
        try
        {
            return create();
        }
        catch (ArgumentException e) when (options.ApplicationRegion is { } region)
        {
            throw new AccountException($"client.preferredRegion: '{region}' is not a region of Azure that the SDK knows.", e);
        }
    }

    /// <summary>The account's key; null if an identity is used instead.</summary>
    private static string? KeyOf(AccountConnection account)
    {
        if (account.Key is not { } key)
            return account.Endpoint.Scheme == Uri.UriSchemeHttps
                ? null
                : throw new AccountException(
                    $"The account {account.Endpoint} is reached without a key, and an identity's token is only sent over https.");
        return IsBase64(key) ? key : throw new AccountException(
            $"The key for the account {account.Endpoint} is not base64; copy it whole.");
    }

    /// <summary>Whether a text has the form of an account's key.</summary>
    internal static bool IsBase64(string key) =>
        key.Length > 0 && Convert.TryFromBase64String(key, new byte[key.Length], out _);
}

/// <summary>
/// Accepts one certificate only, trusted or not. For an emulator or the simulated account, whose certificate is self-signed. An account in
/// Azure requires normal trust.
/// </summary>
public sealed class CertificatePin
{
    private readonly byte[] _thumbprint;

    private CertificatePin(byte[] thumbprint) => _thumbprint = thumbprint;

    /// <summary>The account's pin; null for normal trust.</summary>
    /// <exception cref="AccountException">The thumbprint is malformed, or the endpoint is one of Azure's own.</exception>
    public static CertificatePin? From(AccountConnection account)
    {
        if (account.CertificateThumbprint is not { } text)
            return null;
        if (AzureEndpoints.Contains(account.Endpoint))
            throw new AccountException(
                $"A certificate thumbprint is not accepted for {account.Endpoint.Host}: accounts in Azure have trusted certificates.");

        var digits = text.Replace(":", "", StringComparison.Ordinal);
        if (digits.Length != 2 * SHA256.HashSizeInBytes || !digits.All(char.IsAsciiHexDigit))
            throw new AccountException(
                "The account's certificate thumbprint must be a SHA-256: 64 hexadecimal digits, with or without colons.");
        return new CertificatePin(Convert.FromHexString(digits));
    }

    public bool Accepts(X509Certificate? certificate) =>
        certificate is not null && CryptographicOperations.FixedTimeEquals(SHA256.HashData(certificate.GetRawCertData()), _thumbprint);
}
