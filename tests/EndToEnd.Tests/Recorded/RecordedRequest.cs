using System.Text.Json.Serialization;

namespace ScaleOut.Tests.EndToEnd.Recorded;

/// <summary>A request of the recording, and what the hosted account answered.</summary>
internal sealed record RecordedRequest
{
    private static readonly JsonSerializerOptions Lines = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
    };

    public required int N { get; init; }

    public required string Method { get; init; }

    public required string Path { get; init; }

    public required IReadOnlyDictionary<string, string> Headers { get; init; }

    public string? Body { get; init; }

    public RecordedBody? BodyRule { get; init; }

    public required int Status { get; init; }

    public required int Substatus { get; init; }

    /// <summary>Null for a response without a charge.</summary>
    public required double? Charge { get; init; }

    public int? Count { get; init; }

    public int? RetryAfterMs { get; init; }

    /// <summary>The body, with marks for system values.</summary>
    public string? Expected { get; init; }

    /// <summary>What the body must have, in words that <see cref="RecordedBodies"/> knows.</summary>
    public string? ExpectedRule { get; init; }

    public RecordedError? Error { get; init; }

    /// <summary>The plan that comes with an error.</summary>
    public JsonElement? Plan { get; init; }

    /// <summary>Names of sets of headers, or the names themselves.</summary>
    public string? HeaderSets { get; init; }

    public string? HeadersPresent { get; init; }

    public string? HeadersAbsent { get; init; }

    /// <summary>Whether a value follows from its neighbours instead of the recording.</summary>
    public bool Inferred { get; init; }

    private bool IsQuery =>
        Headers.ContainsKey("x-ms-documentdb-isquery") || Headers.GetValueOrDefault("content-type") is "application/query+json";

    /// <summary>The row of the table in which the request counts.</summary>
    public string Kind =>
        Path.Split('/') is not [_, _, _, _, _, var feed, ..] ? "management"
        : feed != "docs" ? feed is "pkranges" ? "management" : "scripts"
        : Headers.ContainsKey("x-ms-cosmos-is-query-plan-request") ? "plans"
        : IsQuery || Headers.ContainsKey("a-im") ? "queries"
        : Headers.ContainsKey("x-ms-cosmos-is-batch-request") ? "batches"
        : "items";

    public byte[] Bytes() => Encoding.UTF8.GetBytes(Body ?? BodyRule?.Text() ?? "");

    /// <summary>Reads the recording; its first line is the legend.</summary>
    /// <exception cref="InvalidDataException">A line is damaged; the message has its number.</exception>
    public static (RecordedLegend Legend, IReadOnlyList<RecordedRequest> Requests) Read(string name, IEnumerable<string> lines)
    {
        RecordedLegend? legend = null;
        var requests = new List<RecordedRequest>();
        foreach ((var index, var line) in lines.Index())
        {
            try
            {
                if (legend is null)
                    legend = JsonSerializer.Deserialize<RecordedLegend>(line, JsonSerializerOptions.Web)!;
                else
                    requests.Add(JsonSerializer.Deserialize<RecordedRequest>(line, Lines)!.Checked(requests, legend));
            }
            catch (JsonException e)
            {
                throw new InvalidDataException($"{name}, line {index + 1}: {e.Message}", e);
            }
        }

        return (legend ?? throw new InvalidDataException($"{name}, line 1: no legend"), requests);
    }

    private RecordedRequest Checked(List<RecordedRequest> before, RecordedLegend legend)
    {
        if (before.Count > 0 && before[^1].N >= N)
            throw new JsonException($"request {N} follows request {before[^1].N}");
        if (HeaderSets?.Split(' ').FirstOrDefault(set => !legend.Sets.ContainsKey(set.TrimEnd('-', '$'))) is { } unknown)
            throw new JsonException($"'{unknown}' is no set of headers");
        return this;
    }
}

internal sealed record RecordedLegend
{
    public required IReadOnlyDictionary<string, string> Sets { get; init; }

    /// <summary>The names of a request's headers.</summary>
    public HashSet<string> HeadersOf(RecordedRequest request)
    {
        var names = new HashSet<string>(request.HeadersPresent?.Split(' ') ?? [], StringComparer.OrdinalIgnoreCase);
        foreach (var set in request.HeaderSets?.Split(' ') ?? [])
        {
            names.UnionWith(Sets[set.TrimEnd('-', '$')].Split(' '));
            if (set.EndsWith('-'))
                names.Remove("x-ms-cosmos-internal-partition-id");
            if (set.EndsWith('$'))
                names.Remove("x-ms-request-charge");
        }

        return names;
    }
}

internal sealed record RecordedError(string Code, string Message, string Tail);

/// <summary>A body that is described: one document, or the operations of a batch.</summary>
internal sealed record RecordedBody
{
    private const string Large = "<3145728 times y>";

    public required string Document { get; init; }

    public int? Operations { get; init; }

    [JsonPropertyName("operationType")]
    public string? OperationType { get; init; }

    public int From { get; init; }

    public string Text() => Operations is not { } count
        ? Document.Replace(Large, new string('y', 3_145_728), StringComparison.Ordinal)
        : $"[{string.Join(',', Enumerable.Range(From, count).Select(Operation))}]";

    private string Operation(int n) => $$"""{"operationType":"{{OperationType}}","resourceBody":{{At(n)}}}""";

    private string At(int n) => Document.Replace("<n>", $"{n}", StringComparison.Ordinal)
        .Replace("<n mod 7>", $"{n % 7}", StringComparison.Ordinal);
}
