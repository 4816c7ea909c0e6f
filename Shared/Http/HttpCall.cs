namespace ScaleOut.Http;

/// <summary>A request as <see cref="HttpInterface"/> takes it, whichever server received it.</summary>
public sealed record HttpCall
{
    /// <summary>Such as <c>GET</c>.</summary>
    public required string Method { get; init; }

    /// <summary>Path below <see cref="BaseUri"/>, decoded, such as <c>api/runs/million-1</c>; slashes at its ends mean nothing.</summary>
    public required string Path { get; init; }

    /// <summary>What links in answers start with, such as <c>http://127.0.0.1:5080/</c>; ends with a slash.</summary>
    public required Uri BaseUri { get; init; }

    /// <summary>Decoded parameters; of one that is given twice the first. Unknown ones are left alone, such as a function key.</summary>
    public IReadOnlyDictionary<string, string> Query { get; init; } = new Dictionary<string, string>();

    /// <summary>The header's value; null without one.</summary>
    public string? ContentType { get; init; }

    /// <summary>Bytes of the body as far as they were announced; null when they were not.</summary>
    public long? ContentLength { get; init; }

    /// <summary>Read up to <see cref="RequestBody.MostBytes"/>.</summary>
    public Stream Body { get; init; } = Stream.Null;
}
