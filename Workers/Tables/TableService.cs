using Azure;
using Azure.Core.Pipeline;
using Azure.Data.Tables;
using Azure.Data.Tables.Models;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Tables;

/// <summary>
/// The calls of Table storage that a run needs: a table is created, written to, counted and deleted. Every error is an
/// <see cref="AccountException"/> that a person can read, except those of <see cref="TableOf"/>.
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
            new SocketsHttpHandler { AllowAutoRedirect = false, MaxConnectionsPerServer = maxConnections ?? int.MaxValue })
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

    /// <summary>A client for the workload. It retries nothing: its caller waits and counts.</summary>
    /// <param name="account">The account.</param>
    /// <param name="maxConnections">Most connections; null for as many as there are requests in flight.</param>
    public static TableService Create(TableAccount account, int? maxConnections) => new(account, retries: 0, maxConnections);

    /// <summary>A client that prepares and verifies. It retries transient errors.</summary>
    public static TableService CreateControl(TableAccount account) => new(account, retries: 5, maxConnections: null);

    /// <summary>A table as the library has it.</summary>
    public TableClient TableOf(string name) => _client.GetTableClient(name);

    /// <summary>What the service calls itself, such as <c>Azurite-Table/3.37.0</c>; empty where it does not say.</summary>
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

    /// <summary>Creates a table; false when there is one of that name.</summary>
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
                return false;
            }
        },
        cancellationToken);

    /// <summary>Deletes a table; one that does not exist, or is being deleted, is fine.</summary>
    public Task DeleteAsync(string table, CancellationToken cancellationToken) => CallAsync(
        async () =>
        {
            try
            {
                return await _client.DeleteTableAsync(table, cancellationToken);
            }
            catch (RequestFailedException e) when (e.Status == 404 || e.ErrorCode == TableErrorCode.TableBeingDeleted)
            {
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

    /// <summary>Asks for entities of a key that does not occur: it opens a connection and leaves no trace in the table.</summary>
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
