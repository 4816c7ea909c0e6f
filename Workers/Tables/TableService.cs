using Azure.Core.Pipeline;
using Azure.Data.Tables;
using Azure.Data.Tables.Models;
using Azure.Identity;

namespace ScaleOut.Workers.Tables;

/// <summary>
/// The calls of Table storage that a run needs. Errors are thrown as <see cref="AccountException"/>, except those of <see cref="TableOf"/>.
/// </summary>
internal sealed class TableService : IDisposable
{
    private readonly TableAccount _account;
    private readonly HttpClient _http;
    private readonly TableServiceClient _client;

    private TableService(TableAccount account, int retries, int? maxConnections)
    {
        _account = account;
        _http = new HttpClient(
            new SocketsHttpHandler
            {
                AllowAutoRedirect = false,
                MaxConnectionsPerServer = maxConnections ?? int.MaxValue,
                UseProxy = AccountProxy.IsUsedFor(account.Endpoint),
            })
        {
            Timeout = Timeout.InfiniteTimeSpan,
        };
        var options = new TableClientOptions { Transport = new HttpClientTransport(_http) };
        options.Retry.MaxRetries = retries;
        options.Retry.Delay = TimeSpan.FromSeconds(0.2);
        options.Retry.MaxDelay = TimeSpan.FromSeconds(5);
        options.Retry.NetworkTimeout = CosmosClientFactory.RequestTimeout;
        options.Diagnostics.IsLoggingEnabled = false;
        options.Diagnostics.IsDistributedTracingEnabled = false;
        _client = account.Key is { } key
            ? new TableServiceClient(account.Endpoint, new TableSharedKeyCredential(account.Name!, key), options)
            : new TableServiceClient(account.Endpoint, CosmosClientFactory.CreateCredential(), options);
    }

    /// <summary>A client for the workload. It does not retry, because its caller waits and counts.</summary>
    /// <param name="maxConnections">Null for as many as there are requests in flight.</param>
    public static TableService Create(TableAccount account, int? maxConnections) => new(account, retries: 0, maxConnections);

    /// <summary>A client that prepares and verifies. It retries transient errors.</summary>
    public static TableService CreateControl(TableAccount account) => new(account, retries: 5, maxConnections: null);

    public TableClient TableOf(string name) => _client.GetTableClient(name);

    /// <summary>The server name that the service reports, such as <c>Azurite-Table/3.37.0</c>; empty if it reports none.</summary>
    public Task<string> ReadServerAsync(CancellationToken cancellationToken) => CallAsync(
        async () =>
        {
            await foreach (var page in _client.QueryAsync(maxPerPage: 1, cancellationToken: cancellationToken).AsPages())
                return page.GetRawResponse().Headers.TryGetValue("Server", out var server) ? server : "";
            return "";
        },
        cancellationToken);

    public Task<bool> ExistsAsync(string table, CancellationToken cancellationToken) => CallAsync(
        async () =>
        {
            var filter = TableServiceClient.CreateQueryFilter($"TableName eq {table}");
            await foreach (var _ in _client.QueryAsync(filter, cancellationToken: cancellationToken))
                return true;
            return false;
        },
        cancellationToken);

    /// <summary>Creates a table; false if there is one of that name.</summary>
    public Task<bool> TryCreateAsync(string table, CancellationToken cancellationToken) => CallAsync(
        async () =>
        {
            try
            {
                await _client.CreateTableAsync(table, cancellationToken);
                return true;
            }
            catch (RequestFailedException e) when (e.ErrorCode == TableErrorCode.TableAlreadyExists)
            {
                // Another worker or an earlier attempt was first.
                return false;
            }
        },
        cancellationToken);

    /// <summary>Deletes a table, unless it does not exist or is being deleted.</summary>
    public Task DeleteAsync(string table, CancellationToken cancellationToken) => CallAsync(
        async () =>
        {
            try
            {
                return await _client.DeleteTableAsync(table, cancellationToken);
            }
            catch (RequestFailedException e) when (e.Status == 404 || e.ErrorCode == TableErrorCode.TableBeingDeleted)
            {
                // The table is already deleted.
                return null;
            }
        },
        cancellationToken);

    /// <summary>Counts the entities of a table by reading their row keys, page by page.</summary>
    public Task<long> CountAsync(string table, CancellationToken cancellationToken) => CallAsync(
        async () =>
        {
            var count = 0L;
            await foreach (var page in TableOf(table).QueryAsync<TableEntity>(
                select: ["RowKey"], cancellationToken: cancellationToken).AsPages())
                count += page.Values.Count;
            return count;
        },
        cancellationToken);

    /// <summary>Asks for entities of a key that does not exist. This opens a connection and does not change the table.</summary>
    public Task ReadNothingAsync(string table, string key, CancellationToken cancellationToken) => CallAsync(
        async () =>
        {
            var filter = TableClient.CreateQueryFilter($"PartitionKey eq {key}");
            await foreach (var _ in TableOf(table).QueryAsync<TableEntity>(filter, maxPerPage: 1, cancellationToken: cancellationToken))
                return true;
            return false;
        },
        cancellationToken);

    public void Dispose() => _http.Dispose();

    private async Task<T> CallAsync<T>(Func<Task<T>> callAsync, CancellationToken cancellationToken)
    {
        try
        {
            return await callAsync();
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            throw new AccountException(TableErrors.Describe(e, _account), e);
        }
    }
}

/// <summary>Classifies errors of Table storage, for messages and for retries. No sentence contains a key or a token.</summary>
internal static class TableErrors
{
    /// <summary>An error code that the library has no constant for.</summary>
    private const string ServerBusy = "ServerBusy";

    /// <summary>What an error means for the preparation of a run and for its end.</summary>
    public static AccountError Describe(Exception error, TableAccount account)
    {
        for (var inner = error; inner is not null; inner = inner.InnerException)
        {
            if (inner is AuthenticationFailedException)
                return AccountErrors.Rejected(
                    $"No identity for the table account {account.Endpoint}: give its connection string in {TableAccount.Setting}, sign in "
                    + "(az login), or assign a managed identity.");
            if (inner is RequestFailedException { Status: > 0 } response)
                return Describe(response, account);
        }

        // The sentences about the network are the same for every account.
        return AccountErrors.Describe(
            error is RequestFailedException { InnerException: { } cause } ? cause : error,
            new AccountConnection { Endpoint = account.Endpoint });
    }

    /// <summary>What an error means for an entity group transaction; null if it comes from neither the service nor the network.</summary>
    public static AttemptResponse? Read(Exception error) => error switch
    {
        RequestFailedException { Status: > 0 } e => Read(e),
        RequestFailedException e =>
            new AttemptResponse(AttemptKind.RetryUncertain, 0, 0, default, default, e.InnerException?.Message ?? e.Message),
        AuthenticationFailedException e => new AttemptResponse(AttemptKind.Retry, 0, 0, default, default, e.Message),
        _ => ResponseReading.From(error),
    };

    /// <summary>
    /// What a status means. A conflict on any entity but the first means that somebody else's entity is there, because batches are atomic.
    /// </summary>
    /// <param name="entity">The entity that failed, from 0; null if unknown.</param>
    public static AttemptKind KindOf(int status, string? code, int? entity) => (status, code) switch
    {
        (409, _) when code == TableErrorCode.EntityAlreadyExists && entity is null or 0 => AttemptKind.AlreadyThere,
        (409, _) when code == TableErrorCode.TableBeingDeleted => AttemptKind.Rejected,
        (429, _) or (503, ServerBusy or null) => AttemptKind.Throttled,
        (500, _) when code == TableErrorCode.OperationTimedOut => AttemptKind.Throttled,
        (408 or >= 500, _) => AttemptKind.RetryUncertain,
        (401 or 403 or 404, _) => AttemptKind.Rejected,
        _ => AttemptKind.Failed,
    };

    private static AttemptResponse Read(RequestFailedException error)
    {
        var kind = KindOf(error.Status, error.ErrorCode, (error as TableTransactionFailedException)?.FailedTransactionActionIndex);
        var reason = kind is AttemptKind.AlreadyThere or AttemptKind.Throttled ? null : $"{error.ErrorCode} {TextOf(error)}".Trim();
        var retryAfter = error.GetRawResponse()?.Headers.TryGetValue("Retry-After", out var text) == true
            && int.TryParse(text, CultureInfo.InvariantCulture, out var seconds) && seconds > 0
            ? TimeSpan.FromSeconds(seconds) : TimeSpan.Zero;
        return new AttemptResponse(kind, error.Status, 0, default, retryAfter, reason)
        {
            OutcomeUnknown = error.ErrorCode == TableErrorCode.OperationTimedOut,
        };
    }

    private static AccountError Describe(RequestFailedException error, TableAccount account)
    {
        var code = error.ErrorCode is { } word ? $"{error.Status} {word}" : $"{error.Status}";
        if (error.Status is 408 or 429 or >= 500 || error.ErrorCode == TableErrorCode.TableBeingDeleted)
            return AccountErrors.Transient($"The table account {account.Endpoint} is not ready ({code}): {TextOf(error)}");
        return AccountErrors.Rejected(error.Status switch
        {
            // The service's text shows what was signed.
            401 or 403 when account.Key is not null =>
                $"The table account {account.Endpoint} rejects the key ({code}): it is wrong, was regenerated, keys are turned off, or "
                + "this machine's clock is off.",
            401 or 403 =>
                $"The table account {account.Endpoint} forbids this to the identity ({code}): it needs the role Storage Table Data "
                + "Contributor.",
            404 => $"The table account {account.Endpoint} has no such table ({code}).",
            _ => $"The table account {account.Endpoint} rejects this ({code}): {TextOf(error)}",
        });
    }

    /// <summary>The first line of the service's text, without the number of the entity in front.</summary>
    private static string TextOf(RequestFailedException error)
    {
        var line = error.Message.Split('\n')[0].Trim();
        return line.Split(':', 2) is [var number, var rest] && int.TryParse(number, CultureInfo.InvariantCulture, out _) ? rest : line;
    }
}
