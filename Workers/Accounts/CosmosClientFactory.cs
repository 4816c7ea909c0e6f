using System.Security.Cryptography.X509Certificates;
using Azure.Core;
using Azure.Identity;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = Microsoft.Azure.Cosmos.ConsistencyLevel;

namespace ScaleOut.Workers.Accounts;

/// <summary>Makes clients of an account: those that are measured, and those that prepare and verify.</summary>
public static class CosmosClientFactory
{
    /// <summary>
    /// Longest wait for one request in Direct. In Gateway the SDK's own limit of 65 s holds, so who needs an end within seconds passes a
    /// token. It is the time in which a leg drains.
    /// </summary>
    public static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(10);

    private const string ApplicationName = "ScaleOut";

    /// <summary>
    /// A client for the workload, with exactly the settings asked for. It retries no 429, single, in bulk or in a batch: whoever uses it
    /// waits and counts.
    /// </summary>
    /// <param name="bulk">Whether the SDK groups operations by physical partition.</param>
    /// <param name="handler">Sees every request and response; null for none.</param>
    /// <exception cref="AccountException">The connection or a setting is one that no client can be made of.</exception>
    public static CosmosClient Create(AccountConnection account, ClientSettings settings, bool bulk, RequestHandler? handler = null) =>
        Connect(account, OptionsFor(account, settings, bulk, handler));

    /// <summary>
    /// As <see cref="Create"/>, with the connections to all replicas of a container open. For Direct; in Gateway it opens none.
    /// </summary>
    /// <exception cref="AccountException">The connection or a setting is one that no client can be made of.</exception>
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
        return KeyOf(account) is { } key
            ? CosmosClient.CreateAndInitializeAsync(account.Endpoint.AbsoluteUri, key, containers, options, cancellationToken)
            : CosmosClient.CreateAndInitializeAsync(
                account.Endpoint.AbsoluteUri, CreateCredential(), containers, options, cancellationToken);
    }

    /// <summary>
    /// A client that prepares and verifies: Gateway, and patient with 429, which it waits out for up to 5 minutes an operation.
    /// </summary>
    /// <exception cref="AccountException">The connection is one that no client can be made of.</exception>
    public static CosmosClient CreateControl(AccountConnection account)
    {
        var options = OptionsFor(account);
        options.ConnectionMode = ConnectionMode.Gateway;
        options.MaxRetryAttemptsOnRateLimitedRequests = 1_000;
        options.MaxRetryWaitTimeOnRateLimitedRequests = TimeSpan.FromMinutes(5);
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
        options.ConsistencyLevel = settings.Consistency is { } consistency ? Map(consistency) : null;
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

        return options;
    }

    private static CosmosClientOptions OptionsFor(AccountConnection account)
    {
        var options = new CosmosClientOptions
        {
            ApplicationName = ApplicationName,
            RequestTimeout = RequestTimeout,
            // An emulator or simulated account may name itself by an address that only its own machine knows.
            LimitToEndpoint = account.Simulated || !AzureEndpoints.Contains(account.Endpoint),
            CosmosClientTelemetryOptions =
                new CosmosClientTelemetryOptions { DisableDistributedTracing = true, DisableSendingMetricsToService = true },
        };
        if (CertificatePin.From(account) is { } pin)
            options.ServerCertificateCustomValidationCallback = (certificate, _, _) => pin.Accepts(certificate);
        return options;
    }

    private static CosmosClient Connect(AccountConnection account, CosmosClientOptions options) => KeyOf(account) is { } key
        ? new CosmosClient(account.Endpoint.AbsoluteUri, key, options)
        : new CosmosClient(account.Endpoint.AbsoluteUri, CreateCredential(), options);

    /// <summary>The account's key; null if an identity is used instead.</summary>
    private static string? KeyOf(AccountConnection account)
    {
        if (account.Key is not { } key)
        {
            return account.Endpoint.Scheme == Uri.UriSchemeHttps
                ? null
                : throw new AccountException(
                    $"The account {account.Endpoint} is reached without a key, and an identity's token is only sent over https.");
        }

        return IsBase64(key) ? key : throw new AccountException(
            $"The key for the account {account.Endpoint} is not base64; copy it whole.");
    }

    /// <summary>Whether a text has the form of an account's key.</summary>
    internal static bool IsBase64(string key) =>
        key.Length > 0 && Convert.TryFromBase64String(key, new byte[key.Length], out _);

    private static ConsistencyLevel Map(Specs.ConsistencyLevel consistency) => consistency switch
    {
        Specs.ConsistencyLevel.Strong => ConsistencyLevel.Strong,
        Specs.ConsistencyLevel.BoundedStaleness => ConsistencyLevel.BoundedStaleness,
        Specs.ConsistencyLevel.Session => ConsistencyLevel.Session,
        Specs.ConsistencyLevel.ConsistentPrefix => ConsistencyLevel.ConsistentPrefix,
        Specs.ConsistencyLevel.Eventual => ConsistencyLevel.Eventual,
        _ => throw new ArgumentOutOfRangeException(nameof(consistency), consistency, "No such consistency level."),
    };
}

/// <summary>
/// Accepts one certificate and no other, trusted or not. Meant for an emulator or the simulated account, whose certificate is self-signed;
/// an account in Azure is never to be reached with less than ordinary trust.
/// </summary>
public sealed class CertificatePin
{
    private readonly byte[] _thumbprint;

    private CertificatePin(byte[] thumbprint) => _thumbprint = thumbprint;

    /// <summary>The account's pin; null when ordinary trust decides.</summary>
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

    /// <summary>Whether the certificate is the pinned one.</summary>
    public bool Accepts(X509Certificate? certificate) =>
        certificate is not null && CryptographicOperations.FixedTimeEquals(SHA256.HashData(certificate.GetRawCertData()), _thumbprint);
}
