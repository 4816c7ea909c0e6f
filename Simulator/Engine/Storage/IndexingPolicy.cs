namespace ScaleOut.Simulator.Engine.Storage;

internal sealed record CompositePath(JsonPath Path, bool IsDescending);

/// <summary>What the index holds, which decides what a write costs and what a query loads.</summary>
internal sealed class IndexingPolicy
{
    private readonly IndexPaths _paths;

    /// <summary>Paths that name a computed property.</summary>
    private readonly IndexPaths _computedPaths;

    /// <summary>Computed properties that writes pay entries for, which those paths name.</summary>
    private readonly string[] _charged;

    private IndexingPolicy(
        IndexingMode mode, IndexPaths paths, IndexPaths computedPaths, IReadOnlyDictionary<string, QuerySyntax> computed,
        IEnumerable<string> indexed)
    {
        (Mode, _paths, _computedPaths, Computed) = (mode, paths, computedPaths, computed);
        _charged = Charged is null ? [] : [.. indexed.Distinct()];
    }

    public IndexingMode Mode { get; }

    public IReadOnlyList<IReadOnlyList<CompositePath>> Composites { get; init; } = [];

    /// <summary>The queries of the container's computed properties, by name. The index has one only by paths that name it.</summary>
    public IReadOnlyDictionary<string, QuerySyntax> Computed { get; }

    /// <summary>The paths that writes pay entries for; null if they pay for none.</summary>
    public IndexPaths? Charged => Mode == IndexingMode.Consistent ? _paths : null;

    /// <exception cref="RequestException">400: a malformed path, or none for the root.</exception>
    public static IndexingPolicy Create(
        IndexingMode mode, IReadOnlyList<string> included, IReadOnlyList<string> excluded,
        IReadOnlyList<IReadOnlyList<CompositePath>>? composites = null, IReadOnlyDictionary<string, QuerySyntax>? computed = null)
    {
        computed ??= new Dictionary<string, QuerySyntax>();
        var paths = IndexPaths.TryCreate(included, excluded, out var malformed) ?? throw RequestException.BadRequest(
            $"The indexing path '{malformed}' could not be accepted, please check that it starts with '/' and ends with '/?' or '/*'.");
        if (mode != IndexingMode.None && !paths.HasRoot)
        {
            throw RequestException.BadRequest(
                "The special mandatory indexing path \"/\" is not provided in any of the path type sets. "
                + "Please provide this path in one of the sets.");
        }

        string[] indexed = [.. included.Where(IsComputed)];
        var computedPaths = IndexPaths.TryCreate(indexed, [.. excluded.Where(IsComputed)], out _)!;
        return new IndexingPolicy(mode, paths, computedPaths, computed, indexed.Select(path => PropertyPath.Parse(path)![0]))
        {
            Composites = composites ?? [],
        };

        bool IsComputed(string path) => PropertyPath.Parse(path) is [var name, ..] && computed.ContainsKey(name);
    }

    /// <summary>How many entries the index has for a document.</summary>
    public int CountEntries(ReadOnlySpan<byte> body) => IndexEntries.Count(Charged, body).Total + CountComputed(body);

    /// <summary>How many of them are of computed properties.</summary>
    public int CountComputed(ReadOnlySpan<byte> body) =>
        _charged.Length == 0 ? 0 : IndexEntries.Count(_computedPaths, Compute(body)).Total - IndexEntries.Always;

    /// <summary>Entries that go or come when one document replaces another, without those of the changed <c>_ts</c>.</summary>
    public int ChangedEntries(ReadOnlySpan<byte> before, ReadOnlySpan<byte> after) => IndexEntries.Changed(Charged, before, after)
        + (_charged.Length == 0 ? 0 : IndexEntries.Changed(_computedPaths, Compute(before), Compute(after)));

    /// <summary>The computed properties of a document that the index has, as a JSON object.</summary>
    private byte[] Compute(ReadOnlySpan<byte> body)
    {
        using var scope = new QueryScope(new Dictionary<string, Datum>(), Computed[_charged[0]], DateTimeOffset.UnixEpoch, Computed);
        scope.Enter(body.ToArray());
        var properties = new List<string>();
        foreach (var name in _charged)
        {
            try
            {
                if (scope.Compute(name) is { IsDefined: true } value)
                    properties.Add($"{JsonSerializer.Serialize(name)}:{DatumJson.ToText(value)}");
            }
            catch (RequestException)
            {
                // No JSON, or more than a query may make of one document. It is not documented what an index has then; here it is nothing.
            }
        }

        return Encoding.UTF8.GetBytes($"{{{string.Join(',', properties)}}}");
    }

    /// <summary>
    /// Whether the index serves a query's condition on a path; <c>[]</c> stands for the elements of an array. Every index has <c>id</c> and
    /// <c>_ts</c>.
    /// </summary>
    public bool Holds(IReadOnlyList<string> path) => Mode != IndexingMode.None
        && (path is ["id" or "_ts"] || (Computed.ContainsKey(path[0]) ? _computedPaths : _paths).Holds(path));

    /// <summary>The composite index of exactly these paths, with the same or all opposite directions; null for none.</summary>
    public IReadOnlyList<CompositePath>? FindComposite(IReadOnlyList<List<string>> paths, IReadOnlyList<bool> areDescending) =>
        Composites.FirstOrDefault(index => index.Count == paths.Count
            && index.Zip(paths).All(pair => pair.First.Path.Segments.SequenceEqual(pair.Second))
            && index.Zip(areDescending).Select(pair => pair.First.IsDescending == pair.Second).Distinct().Count() == 1);
}
