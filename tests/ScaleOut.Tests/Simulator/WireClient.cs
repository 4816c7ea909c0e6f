namespace ScaleOut.Tests.Simulator;

/// <summary>Sends requests that the SDK would never send, signed with the account's key.</summary>
internal sealed class WireClient(SimulatedAccount account, string? key = null) : IDisposable
{
    private readonly HttpClient _http = new() { BaseAddress = account.HttpEndpoint };
    private readonly byte[] _key = Convert.FromBase64String(key ?? account.Key);

    public async Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, object? body = null, Action<HttpRequestMessage>? change = null)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null)
            request.Content = body is byte[] bytes ? new ByteArrayContent(bytes) : new StringContent((string)body);
        string date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        request.Headers.Add("x-ms-date", date);
        request.Headers.TryAddWithoutValidation("authorization", Sign(method.Method, path, date));
        change?.Invoke(request);
        return await _http.SendAsync(request, TestContext.Current.CancellationToken);
    }

    public Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, object? body, params (string Name, string Value)[] headers) =>
        SendAsync(method, path, body, request =>
        {
            foreach ((string name, string value) in headers)
                request.Headers.TryAddWithoutValidation(name, value);
        });

    /// <summary>The token for a path by names.</summary>
    public string Sign(string method, string path, string date)
    {
        string[] segments = path.Split('?')[0].Split('/', StringSplitOptions.RemoveEmptyEntries);
        bool isFeed = segments.Length % 2 == 1;
        string type = segments.Length == 0 ? "" : isFeed ? segments[^1] : segments[^2];
        string link = string.Join('/', isFeed ? segments[..^1] : segments);
        string text = $"{method.ToLowerInvariant()}\n{type.ToLowerInvariant()}\n{link}\n{date.ToLowerInvariant()}\n\n";
        return Uri.EscapeDataString(
            $"type=master&ver=1.0&sig={Convert.ToBase64String(HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes(text)))}");
    }

    public void Dispose() => _http.Dispose();
}
