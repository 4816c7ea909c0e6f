namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Writes the results of a page, with commas in between.</summary>
internal sealed class ResultWriter(ArrayBufferWriter<byte> output) : IDisposable
{
    /// <summary>Bytes of results that end a page.</summary>
    public const int MaxBytes = 4 * 1024 * 1024;

    private readonly int _begin = output.WrittenCount;
    private Utf8JsonWriter? _writer;

    public int Count { get; private set; }

    public bool IsFull(int pageSize) => Count >= pageSize || output.WrittenCount - _begin >= MaxBytes;

    /// <summary>Begins a result that the caller writes.</summary>
    public ArrayBufferWriter<byte> Begin()
    {
        if (Count++ > 0)
            output.Write(","u8);
        return output;
    }

    public int Write(Datum value)
    {
        var before = output.WrittenCount;
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

/// <summary>A scalar to compare documents with.</summary>
internal sealed record QueryValue(PartitionKeyKind Kind, double Number, byte[] Text)
{
    /// <summary>Null for undefined, arrays, objects, and numbers of more than 53 bits.</summary>
    public static QueryValue? From(Datum value) => value.Type switch
    {
        DatumType.Text => new QueryValue(PartitionKeyKind.Text, 0, System.Text.Encoding.UTF8.GetBytes(value.Text)),
        // Bodies are compared with doubles.
        DatumType.Number when Math.Abs(value.Number) < JsonNumber.ExactLimit => new QueryValue(PartitionKeyKind.Number, value.Number, []),
        DatumType.True => new QueryValue(PartitionKeyKind.True, 0, []),
        DatumType.False => new QueryValue(PartitionKeyKind.False, 0, []),
        DatumType.Null => new QueryValue(PartitionKeyKind.Null, 0, []),
        _ => null,
    };

    public PartitionKeyValue AsPartitionKey() => Kind switch
    {
        PartitionKeyKind.Text => PartitionKeyValue.From(Text),
        PartitionKeyKind.Number => PartitionKeyValue.From(Number),
        PartitionKeyKind.Null => PartitionKeyValue.Null,
        _ => PartitionKeyValue.From(Kind == PartitionKeyKind.True),
    };

    /// <summary>Whether a comparison of <paramref name="actual"/> with this value holds. Values of different types only differ.</summary>
    public bool Holds(BinaryOperator comparison, PartitionKeyValue actual)
    {
        var bothBoolean = actual.Kind is PartitionKeyKind.True or PartitionKeyKind.False
            && Kind is PartitionKeyKind.True or PartitionKeyKind.False;
        if (actual.Kind != Kind && !bothBoolean)
            return comparison == BinaryOperator.NotEqual;
        var order = Kind switch
        {
            PartitionKeyKind.Text => actual.Text.SequenceCompareTo(Text),
            PartitionKeyKind.Number => actual.Number.CompareTo(Number),
            _ => (actual.Kind == PartitionKeyKind.True).CompareTo(Kind == PartitionKeyKind.True),
        };
        return Binary.Holds(comparison, order);
    }
}
