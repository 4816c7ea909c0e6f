using System.Buffers;
using System.Text;
using System.Text.Json;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Values;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A condition that compares the value at a path with a scalar. It is decided on a body's bytes, without parsing all.</summary>
internal sealed record QueryFilter(IReadOnlyList<string> Path, BinaryOperator Comparison, QueryValue Value)
{
    private readonly byte[][] _names = [.. Path.Select(Encoding.UTF8.GetBytes)];
    private readonly bool _wantsText = Comparison == BinaryOperator.Equal && Value.Kind == PartitionKeyKind.Text;

    /// <summary>Whether a document's body meets it; a document without the property never does.</summary>
    public bool Matches(ReadOnlySpan<byte> body)
    {
        if (_wantsText && LacksText(body))
            return false;
        var reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = 256 });
        reader.Read();
        int level = 0;
        while (reader.TokenType == JsonTokenType.StartObject && JsonPath.TryEnter(ref reader, _names[level]))
        {
            if (++level == _names.Length)
                return Compare(ref reader);
        }

        return false;
    }

    /// <summary>
    /// Whether the text is nowhere in a body in which nothing is escaped, so that no property can be equal to it: looking for bytes takes a
    /// fraction of what reading the properties does, and a query looks at every document of its partition.
    /// </summary>
    private bool LacksText(ReadOnlySpan<byte> body) => body.IndexOf(Value.Text) < 0 && !body.Contains((byte)'\\');

    private bool Compare(ref Utf8JsonReader reader)
    {
        byte[] scratch = ArrayPool<byte>.Shared.Rent(reader.ValueIsEscaped ? reader.ValueSpan.Length : 0);
        try
        {
            // What is no scalar differs from every scalar.
            return PartitionKeyValue.TryRead(ref reader, scratch, out PartitionKeyValue actual)
                ? Value.Holds(Comparison, actual)
                : Comparison == BinaryOperator.NotEqual;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which JSON may have and UTF-8 may not.
            string text = SurrogateText.Unescape(Encoding.UTF8.GetString(reader.ValueSpan));
            return Value.Holds(Comparison, PartitionKeyValue.From(text));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(scratch);
        }
    }
}
