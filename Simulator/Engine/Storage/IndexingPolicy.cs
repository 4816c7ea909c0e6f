using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>Which leaf values of a document the index takes up, and with it what a write costs.</summary>
internal sealed class IndexingPolicy
{
    private IndexingPolicy(IndexingMode mode, IndexPathNode root, bool everything)
    {
        Mode = mode;
        Root = root;
        IndexesEverything = everything;
    }

    public IndexingMode Mode { get; }

    public IndexPathNode Root { get; }

    /// <summary>Whether writes pay for leaves at all.</summary>
    public bool ChargesLeaves => Mode == IndexingMode.Consistent;

    /// <summary>Whether every leaf counts, so that no path has to be looked at.</summary>
    public bool IndexesEverything { get; }

    /// <exception cref="RequestException">400: a path that is malformed, or no path for the root.</exception>
    public static IndexingPolicy Create(IndexingMode mode, IReadOnlyList<string> included, IReadOnlyList<string> excluded)
    {
        var root = new IndexPathNode();
        foreach (string path in included)
            Add(root, path, true);
        foreach (string path in excluded)
            Add(root, path, false);
        if (mode != IndexingMode.None && root.Below is null)
            throw RequestException.BadRequest("The special mandatory indexing path \"/\" is not provided in any of the path type sets. Please provide this path in one of the sets.");
        bool everything = root.Below == true && excluded.All(path => path is "/\"_etag\"/?" or "/_etag/?");
        return new IndexingPolicy(mode, root, everything);
    }

    private static void Add(IndexPathNode root, string path, bool include)
    {
        List<string> segments = PropertyPath.Parse(path) ?? throw Invalid(path);
        if (segments is [.., "*"])
            Walk(segments).Below = include;
        else if (segments is [_, .., "?"])
            Walk(segments).Scalar = include;
        else
            throw Invalid(path);

        IndexPathNode Walk(List<string> names) => names.Take(names.Count - 1).Aggregate(root, (node, name) => node.ChildOrAdd(name));
    }

    private static RequestException Invalid(string path) =>
        RequestException.BadRequest($"The indexing path '{path}' could not be accepted, please check that it starts with '/' and ends with '/?' or '/*'.");
}
