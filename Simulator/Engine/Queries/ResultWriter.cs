using System.Buffers;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Syntax;
using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>The results of a page, one behind the other, with commas between them.</summary>
internal sealed class ResultWriter(ArrayBufferWriter<byte> output) : IDisposable
{
    private const int MostBytes = 4 * 1024 * 1024;

    private readonly int _begin = output.WrittenCount;
    private Utf8JsonWriter? _writer;

    /// <summary>Results so far.</summary>
    public int Count { get; private set; }

    public bool IsFull(int pageSize) => Count >= pageSize || output.WrittenCount - _begin >= MostBytes;

    /// <summary>What SELECT makes of the document that the scope has entered; undefined for no result at all.</summary>
    public static Datum Project(SelectSyntax select, QueryScope scope)
    {
        if (select.Kind == SelectKind.All)
            return scope.Root;
        if (select.Kind == SelectKind.Value)
            return select.Items[0].Item.Value.Evaluate(scope);
        var properties = new List<KeyValuePair<string, Datum>>(select.Items.Count);
        foreach (SelectItem item in select.Items)
        {
            Datum value = item.Item.Value.Evaluate(scope);
            if (value.IsDefined)
                properties.Add(KeyValuePair.Create(item.Name, value));
        }

        return Datum.From(properties.ToArray());
    }

    /// <summary>Begins a result that the caller writes.</summary>
    public ArrayBufferWriter<byte> Begin()
    {
        if (Count++ > 0)
            output.Write(","u8);
        return output;
    }

    /// <summary>Writes a result; how many bytes it has.</summary>
    public int Write(Datum value)
    {
        int before = output.WrittenCount;
        if (_writer is null)
            _writer = new Utf8JsonWriter(Begin(), DatumJson.Options);
        else
            _writer.Reset(Begin());
        value.WriteTo(_writer);
        _writer.Flush();
        return output.WrittenCount - before;
    }

    public void Dispose() => _writer?.Dispose();
}
