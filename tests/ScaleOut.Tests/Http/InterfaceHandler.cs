using System.Net;
using System.Net.Http.Headers;
using ScaleOut.Http;

namespace ScaleOut.Tests.Http;

/// <summary>Takes requests of an <see cref="HttpClient"/> to the interface without any server between them.</summary>
internal sealed class InterfaceHandler(HttpInterface target) : HttpMessageHandler
{
    public static readonly Uri Base = new("http://interface.test/");

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var uri = request.RequestUri!;
        var answer = await target.HandleAsync(
            new HttpCall
            {
                Method = request.Method.Method,
                Path = Uri.UnescapeDataString(uri.AbsolutePath),
                BaseUri = Base,
                Query = QueryOf(uri),
                ContentType = request.Content?.Headers.ContentType?.ToString() ?? RawContentType(request),
                ContentLength = request.Content?.Headers.ContentLength,
                Body = request.Content is null ? Stream.Null : await request.Content.ReadAsStreamAsync(cancellationToken),
            },
            cancellationToken);

        var response = new HttpResponseMessage((HttpStatusCode)answer.Status) { RequestMessage = request, Content = new ByteArrayContent(answer.Body.ToArray()) };
        if (answer.ContentType is { } type)
            response.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(type);
        foreach (var (name, value) in answer.Headers)
        {
            if (!response.Headers.TryAddWithoutValidation(name, value))
                response.Content.Headers.TryAddWithoutValidation(name, value);
        }

        return response;
    }

    private static string? RawContentType(HttpRequestMessage request) =>
        request.Content?.Headers.TryGetValues("Content-Type", out var values) == true ? values.First() : null;

    private static Dictionary<string, string> QueryOf(Uri uri) => uri.Query.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries)
        .Select(pair => pair.Split('=', 2))
        .GroupBy(pair => Uri.UnescapeDataString(pair[0]))
        .ToDictionary(pairs => pairs.Key, pairs => Uri.UnescapeDataString(pairs.First().ElementAtOrDefault(1) ?? "").Replace('+', ' '));
}
