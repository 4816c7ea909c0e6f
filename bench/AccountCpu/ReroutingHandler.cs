namespace ScaleOut.Bench.AccountCpu;

/// <summary>
/// Sends document writes elsewhere while <see cref="Target"/> is set, and remembers the headers of the last response, so that the same SDK
/// client drives both servers.
/// </summary>
public sealed class ReroutingHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    /// <summary>Where writes go; null for where the SDK sends them.</summary>
    public Uri? Target { get; set; }

    /// <summary>
    /// Headers of the last 201, those that Kestrel adds by itself left out; only kept while <see cref="Target"/> is null and nothing was
    /// kept.
    /// </summary>
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
