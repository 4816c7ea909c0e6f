using System.Text.Json.Serialization;

namespace ScaleOut.Http;

/// <summary>The body of every answer that is an error: RFC 9457, <c>application/problem+json</c>.</summary>
public sealed record ProblemDetails
{
    public const string MediaType = "application/problem+json";

    /// <summary>Which kind of problem, such as <c>urn:scaleout:problem:id-in-use</c>; <c>about:blank</c> where the status says it all.</summary>
    public string Type { get; init; } = "about:blank";

    /// <summary>The kind in words, the same for all of a kind.</summary>
    public required string Title { get; init; }

    public required int Status { get; init; }

    /// <summary>What is wrong this time.</summary>
    public required string Detail { get; init; }

    /// <summary>The path that was asked for.</summary>
    public required string Instance { get; init; }

    /// <summary>All faults of what was sent, by field path such as <c>client.concurrency</c> or a parameter's name; the empty path is the body as a whole.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, IReadOnlyList<string>>? Errors { get; init; }
}
