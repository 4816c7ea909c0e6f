using System.Text.Json;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>Follows a reader through a document and says of each leaf whether the indexing policy takes it up: the most specific path decides.</summary>
internal sealed class IndexPathWalker
{
    private readonly Stack<Place> _open = new();
    private Place _next;

    public IndexPathWalker(IndexPathNode root) => _open.Push(new Place(root, root.Below ?? false, IsArray: false));

    /// <summary>Called on a property's name.</summary>
    public void EnterProperty(ref Utf8JsonReader reader)
    {
        Place parent = _open.Peek();
        IndexPathNode? node = null;
        if (parent.Node is not null)
            node = reader.ValueIsEscaped ? parent.Node.Child(System.Text.Encoding.UTF8.GetBytes(reader.GetString()!)) : parent.Node.Child(reader.ValueSpan);
        _next = Below(parent, node);
    }

    /// <summary>Called on any other token; whether it is a leaf that counts.</summary>
    public bool Step(ref Utf8JsonReader reader)
    {
        if (reader.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray)
        {
            _open.Pop();
            return false;
        }

        Place place = _open.Peek().IsArray ? Below(_open.Peek(), _open.Peek().Node?.Elements) : _next;
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
