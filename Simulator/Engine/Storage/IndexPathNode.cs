using System.Text;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>One property name in the tree of included and excluded index paths.</summary>
internal sealed class IndexPathNode
{
    private readonly List<(byte[] Name, IndexPathNode Node)> _children = [];

    /// <summary>Elements of an array, the path segment <c>[]</c>.</summary>
    public IndexPathNode? Elements { get; private set; }

    /// <summary>What a path that ends in <c>/*</c> here says about everything below; null when there is none.</summary>
    public bool? Below { get; set; }

    /// <summary>What a path that ends in <c>/?</c> here says about the scalar itself; null when there is none.</summary>
    public bool? Scalar { get; set; }

    public IndexPathNode? Child(ReadOnlySpan<byte> name)
    {
        foreach ((byte[] childName, IndexPathNode node) in _children)
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
        byte[] name = Encoding.UTF8.GetBytes(segment);
        if (Child(name) is { } found)
            return found;
        var added = new IndexPathNode();
        _children.Add((name, added));
        return added;
    }
}
