using System.Text.Json.Serialization;
using Azure.Core;
using Azure.Core.Pipeline;

namespace ScaleOut.Workers.Containers;

/// <summary>Calls Azure Resource Manager as an identity. Waits for long-running operations and turns error bodies into messages.</summary>
internal sealed class ResourceManagerClient
{
    /// <summary>A released version that has every call used here.</summary>
    public const string ApiVersion = "2024-11-15";

    private static readonly TimeSpan OperationTimeout = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(30);
    private static readonly JsonSerializerOptions WithoutNulls = new() { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull };

    private readonly Uri _endpoint;
    private readonly HttpPipeline _pipeline;
    private readonly TimeSpan _pollInterval;
    private readonly TimeProvider _time;

    public ResourceManagerClient(AccountConnection account)
        : this(EndpointOf(account.Endpoint), CosmosClientFactory.CreateCredential(), new ResourceManagerClientOptions())
    {
    }

    internal ResourceManagerClient(Uri endpoint, TokenCredential credential, ResourceManagerClientOptions options)
    {
        _endpoint = endpoint;
        (_pollInterval, _time) = (options.PollInterval, options.Time);
        _pipeline = HttpPipelineBuilder.Build(
            options, new BearerTokenAuthenticationPolicy(credential, new Uri(endpoint, ".default").AbsoluteUri));
    }

    /// <summary>Azure Resource Manager of the account's cloud; that of the public cloud for accounts outside Azure.</summary>
    internal static Uri EndpointOf(Uri account)
    {
        var host = account.IdnHost.TrimEnd('.');
        return new Uri(host switch
        {
            _ when host.EndsWith(".azure.cn", StringComparison.OrdinalIgnoreCase) => "https://management.chinacloudapi.cn/",
            _ when host.EndsWith(".azure.us", StringComparison.OrdinalIgnoreCase) => "https://management.usgovcloudapi.net/",
            _ => "https://management.azure.com/",
        });
    }

    /// <summary>Reads a resource; null when there is none.</summary>
    /// <param name="version">Version of the API; other providers than Cosmos DB's have versions of their own.</param>
    public async Task<JsonElement?> GetAsync(string path, CancellationToken cancellationToken, string version = ApiVersion)
    {
        using var message = await SendAsync(RequestMethod.Get, ResourceUri(path, version), content: null, cancellationToken);
        if (message.Response.Status == 404)
            return null;
        ThrowUnless(message.Response, 200);
        return Parse(message.Response);
    }

    /// <summary>Creates or updates a resource and waits until that is done.</summary>
    /// <param name="body">Serialized without its nulls.</param>
    public Task PutAsync(string path, object body, CancellationToken cancellationToken) =>
        OperateAsync(RequestMethod.Put, path, JsonSerializer.SerializeToUtf8Bytes(body, WithoutNulls), cancellationToken);

    /// <summary>Deletes a resource if it exists, and waits until it is gone.</summary>
    public Task DeleteAsync(string path, CancellationToken cancellationToken) =>
        OperateAsync(RequestMethod.Delete, path, content: null, cancellationToken);

    private async Task OperateAsync(RequestMethod method, string path, byte[]? content, CancellationToken cancellationToken)
    {
        using var message = await SendAsync(method, ResourceUri(path), content, cancellationToken);
        var response = message.Response;
        if (method == RequestMethod.Delete && response.Status == 404)
            return;
        ThrowUnless(response, 200, 201, 202, 204);
        var results = response.Headers.TryGetValue("Location", out var location) ? location : null;
        if (response.Headers.TryGetValue("Azure-AsyncOperation", out var status))
            await WaitAsync(status, results, response, cancellationToken);
        else if (response.Status == 202 && results is not null)
            await WaitAsync(PollUri(results), byBody: false, response, cancellationToken);
        else if (response.Status == 202)
            throw new RequestFailedException(202, "The operation was accepted, but the response names no address for its progress.");
    }

    /// <summary>
    /// Polls the operation's status, which belongs to the subscription. If the identity's role on the account does not permit that, polls
    /// the operation's results, which belong to the resource.
    /// </summary>
    private async Task WaitAsync(string status, string? results, Response last, CancellationToken cancellationToken)
    {
        try
        {
            await WaitAsync(PollUri(status), byBody: true, last, cancellationToken);
        }
        catch (RequestFailedException e) when (e.Status == 403 && results is not null)
        {
            // The role on the account does not cover the subscription; it covers the resource.
            await WaitAsync(PollUri(results), byBody: false, last, cancellationToken);
        }
    }

    /// <summary>
    /// Polls until the operation has ended. The end shows in the status in the body, or in an HTTP status other than 202.
    /// </summary>
    private async Task WaitAsync(Uri uri, bool byBody, Response last, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(OperationTimeout, _time);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        var pause = PauseAfter(last);
        while (true)
        {
            await Task.Delay(pause, _time, limit.Token);
            using var message = await SendAsync(RequestMethod.Get, uri, content: null, limit.Token);
            var response = message.Response;
            ThrowUnless(response, 200, 201, 202, 204);
            if (byBody ? HasEnded(response) : response.Status != 202)
                return;
            pause = PauseAfter(response);
        }
    }

    private static bool HasEnded(Response response)
    {
        var body = Parse(response);
        var status = body.TryGetProperty("status", out var value) ? value.GetString() : null;
        if (string.Equals(status, "Succeeded", StringComparison.OrdinalIgnoreCase))
            return true;
        if (!string.Equals(status, "Failed", StringComparison.OrdinalIgnoreCase)
            && !string.Equals(status, "Canceled", StringComparison.OrdinalIgnoreCase))
            return false;
        var (code, text) = ErrorIn(body);
        throw new AccountException($"Azure Resource Manager began the operation, but it ended as {status}: {code}: {text}");
    }

    private async Task<HttpMessage> SendAsync(RequestMethod method, Uri uri, byte[]? content, CancellationToken cancellationToken)
    {
        var message = _pipeline.CreateMessage();
        message.Request.Method = method;
        message.Request.Uri.Reset(uri);
        message.Request.Headers.Add("Accept", "application/json");
        if (content is not null)
        {
            message.Request.Headers.Add("Content-Type", "application/json");
            message.Request.Content = RequestContent.Create(content);
        }

        await _pipeline.SendAsync(message, cancellationToken);
        return message;
    }

    private Uri ResourceUri(string path, string version = ApiVersion) => new(_endpoint, $"{path}?api-version={version}");

    /// <summary>
    /// Checks the address that a response names for polling. The token is sent to Resource Manager and its regional hosts only.
    /// </summary>
    private Uri PollUri(string address)
    {
        if (Uri.TryCreate(_endpoint, address, out var uri)
            && uri.Scheme == _endpoint.Scheme
            && uri.Port == _endpoint.Port
            && ("." + uri.Host).EndsWith("." + _endpoint.Host, StringComparison.OrdinalIgnoreCase))
            return uri;
        throw new AccountException(
            "Azure Resource Manager names an address outside its own domain for an operation's progress; it is not followed.");
    }

    private TimeSpan PauseAfter(Response response)
    {
        if (!response.Headers.TryGetValue("Retry-After", out var text))
            return _pollInterval;
        var pause = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds) ? TimeSpan.FromSeconds(seconds)
            : DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, out var instant) ? instant - _time.GetUtcNow()
            : _pollInterval;
        return pause < TimeSpan.Zero ? TimeSpan.Zero : pause > MaxPause ? MaxPause : pause;
    }

    private static void ThrowUnless(Response response, params ReadOnlySpan<int> statuses)
    {
        if (statuses.Contains(response.Status))
            return;
        var (code, text) = ErrorIn(Parse(response));
        throw new RequestFailedException(response.Status, text.Length > 0 ? text : response.ReasonPhrase, code, innerException: null);
    }

    /// <summary>Code and message of <c>{"error": {...}}</c>, or of the older form without that envelope.</summary>
    private static (string? Code, string Text) ErrorIn(JsonElement body)
    {
        if (body.ValueKind != JsonValueKind.Object)
            return (null, "");
        var error = body.TryGetProperty("error", out var inner) && inner.ValueKind == JsonValueKind.Object ? inner : body;
        return (TextOf("code"), TextOf("message") ?? "");

        string? TextOf(string name) =>
            error.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
    }

    private static JsonElement Parse(Response response)
    {
        try
        {
            using var document = JsonDocument.Parse(response.Content);
            return document.RootElement.Clone();
        }
        catch (JsonException)
        {
            // The callers report the status, and a body without an error has no text.
            return default;
        }
    }
}

/// <summary>Pipeline settings of <see cref="ResourceManagerClient"/>. The pipeline retries 429 and 5xx.</summary>
internal sealed class ResourceManagerClientOptions : ClientOptions
{
    public ResourceManagerClientOptions()
    {
        Retry.MaxRetries = 5;
        Retry.NetworkTimeout = TimeSpan.FromSeconds(60);
        Diagnostics.IsLoggingEnabled = false;
        Diagnostics.IsDistributedTracingEnabled = false;
    }

    /// <summary>Time between two requests for the state of an operation, if the response names none. Default 2 s.</summary>
    public TimeSpan PollInterval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The clock of the waits for an operation's end. The pipeline's retries have their own.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
