namespace ScaleOut.Simulator.Engine.Storage;

internal sealed record CompositePath(JsonPath Path, bool IsDescending);

/// <summary>The leaf values that the index holds, which decide what a write costs.</summary>
internal sealed class IndexingPolicy
{
    private readonly IndexPathNode _root;

    /// <summary>Whether every leaf counts, so that paths do not matter.</summary>
    private readonly bool _indexesEverything;

    private IndexingPolicy(IndexingMode mode, IndexPathNode root, bool indexesEverything)
    {
        Mode = mode;
        _root = root;
        _indexesEverything = indexesEverything;
    }

    public IndexingMode Mode { get; }

    public IReadOnlyList<IReadOnlyList<CompositePath>> Composites { get; init; } = [];

    /// <summary>Whether writes pay for leaves.</summary>
    public bool ChargesLeaves => Mode == IndexingMode.Consistent;

    /// <exception cref="RequestException">400: a malformed path, or none for the root.</exception>
    public static IndexingPolicy Create(
        IndexingMode mode, IReadOnlyList<string> included, IReadOnlyList<string> excluded,
        IReadOnlyList<IReadOnlyList<CompositePath>>? composites = null)
    {
        var root = new IndexPathNode();
        foreach (var path in included)
            Add(root, path, true);
        foreach (var path in excluded)
            Add(root, path, false);
        if (mode != IndexingMode.None && root.Below is null)
        {
            throw RequestException.BadRequest(
                "The special mandatory indexing path \"/\" is not provided in any of the path type sets. "
                + "Please provide this path in one of the sets.");
        }

        var everything = root.Below == true && excluded.All(path => path is "/\"_etag\"/?" or "/_etag/?");
        return new IndexingPolicy(mode, root, everything) { Composites = composites ?? [] };
    }

    /// <summary>
    /// Whether the index serves a query's condition on a path; <c>[]</c> stands for the elements of an array. Every index has <c>id</c> and
    /// <c>_ts</c>.
    /// </summary>
    public bool Holds(IReadOnlyList<string> path)
    {
        if (Mode == IndexingMode.None || path is ["id" or "_ts"])
            return Mode != IndexingMode.None;
        var node = _root;
        var isIncluded = _root.Below ?? false;
        foreach (var segment in path)
        {
            node = segment == "[]" ? node?.Elements : node?.Child(Encoding.UTF8.GetBytes(segment));
            isIncluded = node?.Below ?? isIncluded;
        }

        return node?.Scalar ?? isIncluded;
    }

    /// <summary>The composite index of exactly these paths, with the same or all opposite directions; null for none.</summary>
    public IReadOnlyList<CompositePath>? FindComposite(IReadOnlyList<List<string>> paths, IReadOnlyList<bool> areDescending) =>
        Composites.FirstOrDefault(index => index.Count == paths.Count
            && index.Zip(paths).All(pair => pair.First.Path.Segments.SequenceEqual(pair.Second))
            && index.Zip(areDescending).Select(pair => pair.First.IsDescending == pair.Second).Distinct().Count() == 1);

    /// <summary>A walker for one document; null if paths do not matter.</summary>
    public IndexPathWalker? CreateWalker() => ChargesLeaves && !_indexesEverything ? new IndexPathWalker(_root) : null;

    private static void Add(IndexPathNode root, string path, bool include)
    {
        if (path == "/")
        {
            // The root by its old name.
            root.Below = include;
            return;
        }

        var segments = PropertyPath.Parse(path) ?? throw Invalid(path);
        if (segments is [.., "*"])
            Walk(segments).Below = include;
        else if (segments is [_, .., "?"])
            Walk(segments).Scalar = include;
        else
            throw Invalid(path);

        IndexPathNode Walk(List<string> names) => names.Take(names.Count - 1).Aggregate(root, (node, name) => node.ChildOrAdd(name));
    }

    private static RequestException Invalid(string path) =>
        RequestException.BadRequest(
            $"The indexing path '{path}' could not be accepted, please check that it starts with '/' and ends with '/?' or '/*'.");
}

/// <summary>A property name in the tree of included and excluded index paths.</summary>
internal sealed class IndexPathNode
{
    private readonly List<(byte[] Name, IndexPathNode Node)> _children = [];

    /// <summary>The path segment <c>[]</c>.</summary>
    public IndexPathNode? Elements { get; private set; }

    /// <summary>Whether a path with <c>/*</c> here includes everything below; null for no such path.</summary>
    public bool? Below { get; set; }

    /// <summary>Whether a path with <c>/?</c> here includes the scalar; null for no such path.</summary>
    public bool? Scalar { get; set; }

    public IndexPathNode? Child(ReadOnlySpan<byte> name)
    {
        foreach ((var childName, var node) in _children)
        {
            if (name.SequenceEqual(childName))
                return node;
        }

        return null;
    }

    public IndexPathNode ChildOrAdd(string segment)
    {
        if (segment == "[]")
            return Elements ??= new IndexPathNode();
        var name = Encoding.UTF8.GetBytes(segment);
        if (Child(name) is { } found)
            return found;
        var added = new IndexPathNode();
        _children.Add((name, added));
        return added;
    }
}

/// <summary>Follows a reader through a document and says for each leaf whether it is indexed: the most specific path decides.</summary>
internal sealed class IndexPathWalker
{
    private readonly Stack<Place> _open = new();
    private Place _next;

    public IndexPathWalker(IndexPathNode root) => _open.Push(new Place(root, root.Below ?? false, IsArray: false));

    public void EnterProperty(ref Utf8JsonReader reader)
    {
        var parent = _open.Peek();
        IndexPathNode? node = null;
        if (parent.Node is not null)
            node = parent.Node.Child(reader.ValueIsEscaped ? Encoding.UTF8.GetBytes(reader.GetString()!) : reader.ValueSpan);
        _next = Below(parent, node);
    }

    /// <summary>Must be called on every token except property names. Returns whether the token is an indexed leaf.</summary>
    public bool Step(ref Utf8JsonReader reader)
    {
        if (reader.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray)
        {
            _open.Pop();
            return false;
        }

        var place = _open.Peek().IsArray ? Below(_open.Peek(), _open.Peek().Node?.Elements) : _next;
        if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
        {
            _open.Push(place with { IsArray = reader.TokenType == JsonTokenType.StartArray });
            return false;
        }

        return place.Node?.Scalar ?? place.Included;
    }

    private static Place Below(Place parent, IndexPathNode? node) => new(node, node?.Below ?? parent.Included, IsArray: false);

    private readonly record struct Place(IndexPathNode? Node, bool Included, bool IsArray);
}
