namespace ScaleOut.Simulator.Protocol;

/// <summary>Where a field's text lies in the request's <see cref="AccountRequest.Source"/>.</summary>
internal readonly record struct TextRange(int Start, int Length)
{
    public ReadOnlySpan<byte> In(ReadOnlySpan<byte> source) => source.Slice(Start, Length);
}

/// <summary>A request as both front ends decode it. Text is UTF-8 and stays where it was received.</summary>
internal sealed class AccountRequest(ConnectionMode mode)
{
    /// <summary>Low priority as Direct clients write it; high priority is 1.</summary>
    public const byte LowPriority = 2;

    private Ranges _ranges;
    private ulong _present;

    public ConnectionMode Mode => mode;

    public ResourceType Resource { get; set; }

    public OperationType Operation { get; set; }

    /// <summary>The bytes that all text lies in.</summary>
    public ReadOnlyMemory<byte> Source { get; set; }

    public ReadOnlyMemory<byte> Body { get; set; }

    /// <summary>Documents on a page; -1 leaves it to the service, 0 when not given.</summary>
    public int PageSize { get; set; }

    /// <summary>Null when not given.</summary>
    public ConsistencyLevel? Consistency { get; set; }

    /// <summary>The throughput bucket that the request names, 1 to 5; 0 for none.</summary>
    public int Bucket { get; private set; }

    /// <summary>Scheme and authority that the client came to, with a slash at the end; only of a request for the account.</summary>
    public string? Endpoint { get; set; }

    /// <summary>What the front end found wrong with the request, which ends with it once it is authenticated.</summary>
    public RequestException? Error { get; set; }

    public bool IsWrite =>
        Operation is OperationType.Create or OperationType.Upsert or OperationType.Replace or OperationType.Patch or OperationType.Delete
            or OperationType.Batch;

    /// <summary>Whether the field is given, or the flag is set.</summary>
    public bool Has(RequestField field) => (_present & (1UL << (int)field)) != 0;

    /// <summary>The field's text; empty when it is not given.</summary>
    public ReadOnlyMemory<byte> Bytes(RequestField field) => Source.Slice(_ranges[(int)field].Start, _ranges[(int)field].Length);

    /// <summary>The field's text; null when it is not given.</summary>
    public string? Text(RequestField field) => Has(field) ? Encoding.UTF8.GetString(Bytes(field).Span) : null;

    /// <summary>Sets a flag.</summary>
    public void Set(RequestField field) => _present |= 1UL << (int)field;

    public void Set(RequestField field, TextRange range)
    {
        Set(field);
        _ranges[(int)field] = range;
    }

    /// <summary>Sets the throughput bucket; an id that no bucket can have is an error.</summary>
    /// <param name="id">Null for what is no number.</param>
    public void SetBucket(int? id)
    {
        if (id is >= 1 and <= ThroughputBucket.LargestId)
            Bucket = id.Value;
        else
            Error ??= RequestException.BadRequest($"The throughput bucket must be 1 to {ThroughputBucket.LargestId}.");
    }

    public void Reset()
    {
        Bucket = 0;
        _ranges = default;
        _present = 0;
        Source = default;
        Body = default;
        PageSize = 0;
        Consistency = null;
        Endpoint = null;
        Error = null;
    }

    [InlineArray(Length)]
    private struct Ranges
    {
        public const int Length = (int)RequestField.TransportRequestId + 1;
        private TextRange _first;
    }
}
