namespace ScaleOut.Charges;

/// <summary>
/// The paths of an indexing policy: <c>/a/?</c> is the scalar at <c>/a</c>, <c>/a/*</c> everything at and below it, <c>/a/[]/?</c> the
/// scalars of an array, <c>/*</c> everything. The most specific path decides; what no path covers is not indexed.
/// </summary>
public sealed class IndexPaths
{
    private IndexPaths(IndexPathNode root, bool holdsEverything) => (Root, HoldsEverything) = (root, holdsEverything);

    /// <summary>Without any path but the root.</summary>
    public static IndexPaths Everything { get; } = TryCreate(["/*"], [], out _)!;

    /// <summary>Whether all values are indexed, so that paths do not matter.</summary>
    public bool HoldsEverything { get; }

    /// <summary>Whether a path names the root, as the service demands.</summary>
    public bool HasRoot => Root.Below is not null;

    internal IndexPathNode Root { get; }

    /// <summary>Creates the paths; null, with the malformed path, if one is malformed.</summary>
    public static IndexPaths? TryCreate(IReadOnlyList<string> included, IReadOnlyList<string> excluded, out string? malformed)
    {
        var root = new IndexPathNode();
        malformed = included.FirstOrDefault(path => !TryAdd(root, path, true))
            ?? excluded.FirstOrDefault(path => !TryAdd(root, path, false));
        var everything = root.Below == true && excluded.All(path => path is "/\"_etag\"/?" or "/_etag/?");
        return malformed is null ? new IndexPaths(root, everything) : null;
    }

    /// <summary>Whether the index has the scalar at a path; <c>[]</c> stands for the elements of an array.</summary>
    public bool Holds(IReadOnlyList<string> path)
    {
        var node = Root;
        var isIncluded = Root.Below ?? false;
        foreach (var segment in path)
        {
            node = segment == "[]" ? node?.Elements : node?.Child(Encoding.UTF8.GetBytes(segment));
            isIncluded = node?.Below ?? isIncluded;
        }

        return node?.Scalar ?? isIncluded;
    }

    /// <summary>Whether a path covers all that another one covers.</summary>
    public static bool Contains(string indexPath, string other)
    {
        var (path, part) = (PropertyPath.Parse(indexPath), PropertyPath.Parse(other));
        return path is not null && part is not null && (path.SequenceEqual(part)
            || (path[^1] == "*" && part.Count >= path.Count && part.Take(path.Count - 1).SequenceEqual(path.SkipLast(1))));
    }

    /// <summary>Whether two paths differ at most in quotes.</summary>
    public static bool AreSame(string indexPath, string other) =>
        PropertyPath.Parse(indexPath) is { } path && PropertyPath.Parse(other) is { } same && path.SequenceEqual(same);

    private static bool TryAdd(IndexPathNode root, string path, bool include)
    {
        // The root by its old name.
        var segments = path == "/" ? ["*"] : PropertyPath.Parse(path);
        if (segments is not ([.., "*"] or [_, .., "?"]))
            return false;
        var node = segments.SkipLast(1).Aggregate(root, (at, name) => at.ChildOrAdd(name));
        if (segments[^1] == "*")
            node.Below = include;
        else
            node.Scalar = include;
        return true;
    }
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

/// <summary>Parses paths such as <c>/a/b</c> and <c>/"with space"/?</c> in container definitions.</summary>
public static partial class PropertyPath
{
    /// <summary>The segments without quotes; null if the path is malformed.</summary>
    public static List<string>? Parse(string path)
    {
        var segments = Segment().Matches(path);
        return path.Length > 0 && segments.Sum(segment => segment.Length) == path.Length ? [.. segments.Select(TextOf)] : null;
    }

    private static string TextOf(Match segment) => segment.Groups["plain"] is { Success: true, Value: var plain }
        ? plain
        : Escape().Replace(segment.Groups["quoted"].Value, "$1");

    [GeneratedRegex(
        """\G/(?:(?<quote>["'])(?<quoted>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>|(?<plain>[^/"'][^/]*))""",
        RegexOptions.Singleline)]
    private static partial Regex Segment();

    [GeneratedRegex(@"\\(.)", RegexOptions.Singleline)]
    private static partial Regex Escape();
}
