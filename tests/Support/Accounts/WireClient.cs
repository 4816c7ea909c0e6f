namespace ScaleOut.Tests.Support.Accounts;

/// <summary>Sends requests that the SDK would never send, signed with the account's key.</summary>
internal sealed class WireClient(SimulatedAccount account) : IDisposable
{
    private readonly HttpClient _http = new() { BaseAddress = account.HttpEndpoint };

    public async Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, object? body = null, Action<HttpRequestMessage>? change = null)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null)
            request.Content = body is byte[] bytes ? new ByteArrayContent(bytes) : new StringContent((string)body);
        var date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        request.Headers.Add("x-ms-date", date);
        request.Headers.TryAddWithoutValidation("authorization", Sign(method.Method, path, date));
        change?.Invoke(request);
        return await _http.SendAsync(request, TestContext.Current.CancellationToken);
    }

    public Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, object? body, params (string Name, string Value)[] headers) =>
        SendAsync(method, path, body, request =>
        {
            foreach ((var name, var value) in headers)
                request.Headers.TryAddWithoutValidation(name, value);
        });

    /// <summary>The token for a path by names.</summary>
    public string Sign(string method, string path, string date)
    {
        var segments = path.Split('?')[0].Split('/', StringSplitOptions.RemoveEmptyEntries);
        var isFeed = segments.Length % 2 == 1;
        var type = segments.Length == 0 ? "" : isFeed ? segments[^1] : segments[^2];
        var link = string.Join('/', isFeed ? segments[..^1] : segments);
        return Sign(account.Key, method, type, link, date);
    }

    /// <summary>The token for a resource.</summary>
    public static string Sign(string key, string method, string type, string link, string date)
    {
        var text = $"{method.ToLowerInvariant()}\n{type.ToLowerInvariant()}\n{link}\n{date.ToLowerInvariant()}\n\n";
        var signature = HMACSHA256.HashData(Convert.FromBase64String(key), Encoding.UTF8.GetBytes(text));
        return Uri.EscapeDataString($"type=master&ver=1.0&sig={Convert.ToBase64String(signature)}");
    }

    public void Dispose() => _http.Dispose();
}
