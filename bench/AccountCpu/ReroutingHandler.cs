namespace ScaleOut.Bench.AccountCpu;

/// <summary>
/// Sends document writes to another server while <see cref="Target"/> is set, so that the same SDK client drives both servers. Records the
/// headers of the account's first response.
/// </summary>
public sealed class ReroutingHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    /// <summary>The server that receives writes. Null for the account.</summary>
    public Uri? Target { get; set; }

    /// <summary>Headers of the first response to a write, except those that Kestrel adds by itself. Null until then.</summary>
    public Dictionary<string, string>? LastHeaders { get; private set; }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var isWrite = request.Method == HttpMethod.Post && request.RequestUri!.AbsolutePath.EndsWith("/docs", StringComparison.Ordinal);
        if (isWrite && Target is { } target)
            request.RequestUri = new Uri(target, request.RequestUri!.PathAndQuery);

        var response = await base.SendAsync(request, cancellationToken);
        if (isWrite && LastHeaders is null)
        {
            LastHeaders = response.Headers.Concat(response.Content.Headers)
                .Where(header => header.Key is not ("Date" or "Content-Length" or "Transfer-Encoding" or "Server"))
                .ToDictionary(header => header.Key, header => string.Join(",", header.Value));
        }

        return response;
    }
}
