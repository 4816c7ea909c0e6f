namespace ScaleOut.Simulator.Protocol;

/// <summary>The place of a field's text in the request's <see cref="AccountRequest.Source"/>.</summary>
internal readonly record struct TextRange(int Start, int Length)
{
    public ReadOnlySpan<byte> In(ReadOnlySpan<byte> source) => source.Slice(Start, Length);
}

/// <summary>A request of either front end, decoded. Text is UTF-8 and stays where it was received.</summary>
internal sealed class AccountRequest(ConnectionMode mode)
{
    /// <summary>Low priority in Direct; high priority is 1.</summary>
    public const byte LowPriority = 2;

    private Ranges _ranges;
    private ulong _present;

    public ConnectionMode Mode => mode;

    public ResourceType Resource { get; set; }

    public OperationType Operation { get; set; }

    /// <summary>The bytes that contain all text.</summary>
    public ReadOnlyMemory<byte> Source { get; set; }

    public ReadOnlyMemory<byte> Body { get; set; }

    /// <summary>Whether the body is a query's text instead of JSON.</summary>
    public bool IsText { get; set; }

    public ReadOnlyMemory<byte> QueryBody =>
        IsText ? JsonSerializer.SerializeToUtf8Bytes(new { query = Encoding.UTF8.GetString(Body.Span) }) : Body;

    /// <summary>Largest number of documents on a page; -1 leaves it to the service, 0 if not given.</summary>
    public int PageSize { get; set; }

    /// <summary>Null if not given.</summary>
    public ConsistencyLevel? Consistency { get; private set; }

    /// <summary>Largest size of the response's continuation token, KB; null for none.</summary>
    public long? ContinuationLimitKb { get; set; }

    public IndexingDirective Indexing { get; private set; }

    /// <summary>The throughput bucket, 1 to 5; 0 for none.</summary>
    public int Bucket { get; private set; }

    /// <summary>The address that the client used, with a slash at its end; only for a request for the account.</summary>
    public string? Endpoint { get; set; }

    /// <summary>The front end's error, which ends the request once it is authenticated.</summary>
    public RequestException? Error { get; set; }

    public bool IsWrite =>
        Operation is OperationType.Create or OperationType.Upsert or OperationType.Replace or OperationType.Patch or OperationType.Delete
            or OperationType.Batch or OperationType.Execute;

    /// <summary>Whether the field is given, or the flag is set.</summary>
    public bool Has(RequestField field) => (_present & (1UL << (int)field)) != 0;

    /// <summary>The field's text; empty if not given.</summary>
    public ReadOnlyMemory<byte> Bytes(RequestField field) => Source.Slice(_ranges[(int)field].Start, _ranges[(int)field].Length);

    /// <summary>The field's text; null if not given.</summary>
    public string? Text(RequestField field) => Has(field) ? Encoding.UTF8.GetString(Bytes(field).Span) : null;

    public void Set(RequestField field) => _present |= 1UL << (int)field;

    public void Set(RequestField field, TextRange range)
    {
        Set(field);
        _ranges[(int)field] = range;
    }

    /// <summary>Sets the consistency level. Null means an unknown level, which is an error.</summary>
    public void SetConsistency(ConsistencyLevel? level)
    {
        Consistency = level;
        if (level is null)
            Error ??= RequestException.BadRequest(
                $"The consistency level is none of {string.Join(", ", Enum.GetNames<ConsistencyLevel>())}.");
    }

    /// <summary>Sets the indexing directive. Null means an unknown one, which is an error.</summary>
    public void SetIndexing(IndexingDirective? directive)
    {
        Indexing = directive ?? IndexingDirective.Default;
        if (directive is null)
            Error ??= RequestException.BadRequest(IndexingDirectives.Unknown);
    }

    /// <summary>Sets the throughput bucket. Null means that the text was no number. Null or an id out of range is an error.</summary>
    public void SetBucket(int? id)
    {
        if (id is >= 1 and <= ThroughputBucket.MaxId)
            Bucket = id.Value;
        else
            Error ??= RequestException.BadRequest($"The throughput bucket must be 1 to {ThroughputBucket.MaxId}.");
    }

    public void Reset()
    {
        Bucket = 0;
        ContinuationLimitKb = null;
        Indexing = IndexingDirective.Default;
        _ranges = default;
        _present = 0;
        Source = default;
        Body = default;
        IsText = false;
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
