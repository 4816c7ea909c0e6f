using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.Http;

/// <summary>An answer of <see cref="HttpInterface"/>, for any server to send.</summary>
public sealed record HttpAnswer
{
    public required int Status { get; init; }

    /// <summary>With its charset; null when there is no body.</summary>
    public string? ContentType { get; init; }

    /// <summary>All headers but those of the body.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; init; } = new Dictionary<string, string>();

    public ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>An answer with a JSON body.</summary>
    public static HttpAnswer Json<T>(int status, T body, string mediaType = "application/json") => new()
    {
        Status = status,
        ContentType = $"{mediaType}; charset=utf-8",
        Body = JsonSerializer.SerializeToUtf8Bytes(body, ScaleOutJson.Compact),
    };

    /// <summary>The same with one header more, or with another value of it.</summary>
    public HttpAnswer With(string header, string value) => this with { Headers = new Dictionary<string, string>(Headers) { [header] = value } };
}
