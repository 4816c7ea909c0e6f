using System.Globalization;
using System.Text.Json;
using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Tables;

/// <summary>
/// The calls of Table storage that a run needs: a table is created, written to by entity group transactions, counted and deleted.
/// </summary>
internal sealed class TableClient : IDisposable
{
    /// <summary>A version of the service that takes tokens and has every call used here.</summary>
    private const string ServiceVersion = "2020-12-06";

    private const string Scope = "https://storage.azure.com/.default";
    private const string Json = "application/json;odata=nometadata";
    private const string NextPartitionKey = "x-ms-continuation-NextPartitionKey";
    private const string NextRowKey = "x-ms-continuation-NextRowKey";

    private readonly TableAccount _account;
    private readonly SocketsHttpHandler _handler;
    private readonly HttpClient _http;
    private readonly HttpPipeline _pipeline;

    private TableClient(TableAccount account, TableClientOptions options)
    {
        _account = account;
        _handler = new SocketsHttpHandler { AllowAutoRedirect = false, MaxConnectionsPerServer = options.MaxConnections ?? int.MaxValue };
        _http = new HttpClient(_handler) { Timeout = Timeout.InfiniteTimeSpan };
        options.Transport = new HttpClientTransport(_http);
        HttpPipelinePolicy authentication = account.Key is { } key
            ? new SharedKeyPolicy(account.Name!, key)
            : new BearerTokenAuthenticationPolicy(CosmosClientFactory.CreateCredential(), Scope);
        _pipeline = HttpPipelineBuilder.Build(options, authentication);
    }

    /// <summary>A client for the workload: it tries nothing again, whoever uses it waits and counts.</summary>
    /// <param name="account">The account.</param>
    /// <param name="maxConnections">Most connections; null for as many as there are requests in flight.</param>
    public static TableClient Create(TableAccount account, int? maxConnections) =>
        new(account, new TableClientOptions(retries: 0) { MaxConnections = maxConnections });

    /// <summary>A client that prepares and verifies: it tries again what may pass.</summary>
    public static TableClient CreateControl(TableAccount account) => new(account, new TableClientOptions(retries: 5));

    /// <summary>Address of a table, as entity group transactions name it.</summary>
    public Uri AddressOf(string table) => new($"{_account.Endpoint.AbsoluteUri.TrimEnd('/')}/{table}");

    /// <summary>What the service calls itself, such as <c>Azurite-Table/3.37.0</c>.</summary>
    /// <exception cref="AccountException">The account cannot be used.</exception>
    public async Task<string> ReadServerAsync(CancellationToken cancellationToken)
    {
        using var message = await SendAsync(RequestMethod.Get, "Tables", "$top=1", content: null, cancellationToken);
        ThrowUnless(message.Response, 200);
        return message.Response.Headers.TryGetValue("Server", out var server) ? server : "";
    }

    /// <summary>Whether there is a table of that name.</summary>
    /// <exception cref="AccountException">The account cannot be used.</exception>
    public async Task<bool> ExistsAsync(string table, CancellationToken cancellationToken)
    {
        using var message = await SendAsync(RequestMethod.Get, $"Tables('{table}')", "", content: null, cancellationToken);
        if (message.Response.Status == 404)
            return false;
        ThrowUnless(message.Response, 200);
        return true;
    }

    /// <summary>Creates a table; false when there is one of that name.</summary>
    /// <exception cref="AccountException">The account cannot be used, or still deletes one of that name.</exception>
    public async Task<bool> TryCreateAsync(string table, CancellationToken cancellationToken)
    {
        var body = JsonSerializer.SerializeToUtf8Bytes(new { TableName = table });
        using var message = await SendAsync(RequestMethod.Post, "Tables", "", RequestContent.Create(body), cancellationToken);
        if (message.Response.Status == 409 && TableError.From(message.Response).Code == TableErrors.TableAlreadyExists)
            return false;
        ThrowUnless(message.Response, 201, 204);
        return true;
    }

    /// <summary>Deletes a table; one that does not exist is fine.</summary>
    /// <exception cref="AccountException">The account cannot be used.</exception>
    public async Task DeleteAsync(string table, CancellationToken cancellationToken)
    {
        using var message = await SendAsync(RequestMethod.Delete, $"Tables('{table}')", "", content: null, cancellationToken);
        if (message.Response.Status == 404 || TableError.From(message.Response).Code == TableErrors.TableBeingDeleted)
            return;
        ThrowUnless(message.Response, 204);
    }

    /// <summary>Counts the entities of a table by reading their row keys, page by page.</summary>
    /// <exception cref="AccountException">The account cannot be used.</exception>
    public async Task<long> CountAsync(string table, CancellationToken cancellationToken)
    {
        var count = 0L;
        var continuation = "";
        do
        {
            using var message = await SendAsync(
                RequestMethod.Get, $"{table}()", $"$select=RowKey{continuation}", content: null, cancellationToken);
            ThrowUnless(message.Response, 200);
            using var page = JsonDocument.Parse(message.Response.Content);
            count += page.RootElement.GetProperty("value").GetArrayLength();
            continuation = ContinuationOf(message.Response);
        }
        while (continuation.Length > 0);
        return count;
    }

    /// <summary>Asks for entities of a key that does not occur: it opens a connection and leaves no trace in the table.</summary>
    /// <exception cref="AccountException">The account cannot be used, or has no such table.</exception>
    public async Task ReadNothingAsync(string table, string key, CancellationToken cancellationToken)
    {
        using var message = await SendAsync(
            RequestMethod.Get, $"{table}()", $"$top=1&$filter={Uri.EscapeDataString($"PartitionKey eq '{key}'")}", content: null,
            cancellationToken);
        ThrowUnless(message.Response, 200);
    }

    /// <summary>Sends an entity group transaction once.</summary>
    /// <param name="transaction">The transaction.</param>
    /// <exception cref="RequestFailedException">There was no response; the exception of the network is inside.</exception>
    /// <exception cref="OperationCanceledException">There was no response in time.</exception>
    public async Task<TransactionResponse> SubmitAsync(EntityGroupTransaction transaction)
    {
        using var message = CreateMessage(RequestMethod.Post, "$batch", "");
        message.Request.Headers.SetValue("Content-Type", transaction.ContentType);
        message.Request.Content = RequestContent.Create(transaction.Body);
        await _pipeline.SendAsync(message, CancellationToken.None);
        return TransactionResponse.From(message.Response, transaction.Count);
    }

    public void Dispose()
    {
        _http.Dispose();
        _handler.Dispose();
    }

    private async Task<HttpMessage> SendAsync(
        RequestMethod method, string path, string query, RequestContent? content, CancellationToken cancellationToken)
    {
        var message = CreateMessage(method, path, query);
        message.Request.Headers.SetValue("Prefer", "return-no-content");
        if (content is not null)
        {
            message.Request.Headers.SetValue("Content-Type", "application/json");
            message.Request.Content = content;
        }

        try
        {
            await _pipeline.SendAsync(message, cancellationToken);
            return message;
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            message.Dispose();
            throw new AccountException(TableErrors.Describe(e, _account), e);
        }
    }

    private HttpMessage CreateMessage(RequestMethod method, string path, string query)
    {
        var message = _pipeline.CreateMessage();
        message.Request.Method = method;
        var address = $"{_account.Endpoint.AbsoluteUri.TrimEnd('/')}/{path}";
        message.Request.Uri.Reset(new Uri(query.Length == 0 ? address : $"{address}?{query}"));
        message.Request.Headers.SetValue("Accept", Json);
        message.Request.Headers.SetValue("x-ms-version", ServiceVersion);
        message.Request.Headers.SetValue("DataServiceVersion", "3.0");
        message.Request.Headers.SetValue("MaxDataServiceVersion", "3.0;NetFx");
        return message;
    }

    private void ThrowUnless(Response response, params ReadOnlySpan<int> statuses)
    {
        if (!statuses.Contains(response.Status))
            throw new AccountException(TableErrors.Describe(response.Status, TableError.From(response), _account)!, innerException: null!);
    }

    private static string ContinuationOf(Response response)
    {
        if (!response.Headers.TryGetValue(NextPartitionKey, out var partition))
            return "";
        var row = response.Headers.TryGetValue(NextRowKey, out var next) ? $"&NextRowKey={Uri.EscapeDataString(next)}" : "";
        return $"&NextPartitionKey={Uri.EscapeDataString(partition)}{row}";
    }

    /// <summary>Signs each try of a request with the account's key (SharedKeyLite): the signature has the time in it.</summary>
    private sealed class SharedKeyPolicy(string account, string key) : HttpPipelineSynchronousPolicy
    {
        private readonly byte[] _key = Convert.FromBase64String(key);

        public override void OnSendingRequest(HttpMessage message)
        {
            var date = DateTimeOffset.UtcNow.ToString("R", CultureInfo.InvariantCulture);
            message.Request.Headers.SetValue("x-ms-date", date);
            // The query is not signed, but for a parameter that no call here has.
            var text = $"{date}\n/{account}{message.Request.Uri.ToUri().AbsolutePath}";
            var signature = System.Security.Cryptography.HMACSHA256.HashData(_key, System.Text.Encoding.UTF8.GetBytes(text));
            message.Request.Headers.SetValue("Authorization", $"SharedKeyLite {account}:{Convert.ToBase64String(signature)}");
        }
    }
}

/// <summary>Pipeline settings of <see cref="TableClient"/>.</summary>
internal sealed class TableClientOptions : ClientOptions
{
    /// <param name="retries">How often a request is tried again that failed in a way that may pass.</param>
    public TableClientOptions(int retries)
    {
        Retry.MaxRetries = retries;
        Retry.Delay = TimeSpan.FromSeconds(0.2);
        Retry.MaxDelay = TimeSpan.FromSeconds(5);
        Retry.NetworkTimeout = CosmosClientFactory.RequestTimeout;
        Diagnostics.IsLoggingEnabled = false;
        Diagnostics.IsDistributedTracingEnabled = false;
    }

    public int? MaxConnections { get; init; }
}
