namespace ScaleOut.Simulator.Protocol;

/// <summary>A response for either front end.</summary>
internal sealed class AccountResponse(ConnectionMode mode)
{
    private const int MaxKeptBuffer = 256 * 1024;
    private static readonly JsonWriterOptions ErrorText = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private long _lsn;

    public int Status { get; set; }

    public int SubStatus { get; private set; }

    /// <summary>The charge; null if the request failed before it became an operation.</summary>
    public RequestUnits? Charge { get; set; }

    /// <summary>Log sequence number of the operation; if it has none, the partition's newest.</summary>
    public long Lsn => _lsn > 0 ? _lsn : Partition?.Lsn ?? ReplicaSet.MasterLsn;

    public long Version { get; private set; }

    /// <summary>Time to wait before a retry, ms; 0 if the client need not wait.</summary>
    public int RetryAfterMs { get; private set; }

    /// <summary>The request's container; null if none was found.</summary>
    public ContainerResource? Container { get; set; }

    /// <summary>Whether a transaction failed, whatever its status.</summary>
    public bool IsFailedTransaction { get; set; }

    /// <summary>Errors do not name the container's resource id.</summary>
    public bool ShowsContainerRid => Status < ServiceStatus.BadRequest && !IsFailedTransaction;

    /// <summary>The responding partition; null if none was found.</summary>
    public PhysicalPartition? Partition { get; set; }

    /// <summary>The storage that the partition uses; null in errors.</summary>
    public string? Usage => Status < ServiceStatus.BadRequest && (Container, Partition) is ({ } container, { Store: var store })
        ? container.Storage.Usage(store.Count, store.StoredBytes) : null;

    /// <summary>The ETag with quotes. Null for a document, whose ETag is made from its <see cref="Version"/>.</summary>
    public string? Etag { get; set; }

    /// <summary>Resources on a page; null for anything else.</summary>
    public int? ItemCount { get; set; }

    public string? Continuation { get; set; }

    /// <summary>Null unless asked for.</summary>
    public string? QueryMetrics { get; set; }

    /// <summary>Null unless asked for.</summary>
    public string? IndexMetrics { get; set; }

    /// <summary>Further headers for metadata, which only the gateway returns.</summary>
    public List<(string Name, string Value)> MetadataHeaders { get; } = [];

    public string ContentType { get; set; } = "application/json";

    /// <summary>Whether a fault rule closes the connection instead of responding.</summary>
    public bool ClosesConnection { get; set; }

    /// <summary>The body.</summary>
    public ArrayBufferWriter<byte> Output { get; private set; } = new(1024);

    /// <summary>Documents that the operations of a batch return, before they are added to the body.</summary>
    public ArrayBufferWriter<byte> Documents { get; private set; } = new();

    /// <summary>Responds with an operation's result.</summary>
    public void Set(in OperationResult result)
    {
        Charge = result.Charge;
        _lsn = result.Lsn;
        Version = result.Version;
        RetryAfterMs = result.RetryAfterMs;
        if (result.IsSuccess || result.Status == ServiceStatus.NotModified)
            Status = result.Status;
        else
            Fail(result.Status, result.SubStatus, result.Message);
    }

    /// <param name="queryErrors">JSON of the errors of a query's text, which a replica sends as it is and the gateway as text.</param>
    public void Fail(int status, int subStatus, string? message, string? additionalInfo = null, string? queryErrors = null)
    {
        Status = status;
        SubStatus = subStatus;
        Output.ResetWrittenCount();
        using var writer = new Utf8JsonWriter(Output, ErrorText);
        if (mode == ConnectionMode.Direct && queryErrors is not null)
        {
            writer.WriteRawValue(queryErrors);
            return;
        }

        writer.WriteStartObject();
        if (mode == ConnectionMode.Direct && additionalInfo is null)
        {
            writer.WriteStartArray("Errors");
            writer.WriteStringValue(OfReplica(status, message ?? ""));
            writer.WriteEndArray();
        }
        else
        {
            writer.WriteString("code", CodeOf(status));
            writer.WriteString("message", message ?? "");
            if (additionalInfo is not null)
                writer.WriteString("additionalErrorInfo", additionalInfo);
        }

        writer.WriteEndObject();
    }

    public void SetJson(int status, object value)
    {
        Status = status;
        using var writer = new Utf8JsonWriter(Output);
        JsonSerializer.Serialize(writer, value, value.GetType());
    }

    public void Reset()
    {
        (Status, SubStatus, RetryAfterMs, _lsn, Version) = (0, 0, 0, 0, 0);
        (Charge, Container, Partition) = (null, null, null);
        (Etag, ItemCount, Continuation, QueryMetrics, IndexMetrics) = (null, null, null, null, null);
        MetadataHeaders.Clear();
        ContentType = "application/json";
        ClosesConnection = false;
        IsFailedTransaction = false;
        Output = Emptied(Output);
        Documents = Emptied(Documents);
    }

    /// <summary>Empties a buffer for the next request. A large one is replaced.</summary>
    private static ArrayBufferWriter<byte> Emptied(ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity > MaxKeptBuffer)
            return new ArrayBufferWriter<byte>();
        buffer.ResetWrittenCount();
        return buffer;
    }

    /// <summary>The message that a replica has for an error, where it differs from the gateway's.</summary>
    private static string OfReplica(int status, string message) => (status, message) switch
    {
        (ServiceStatus.NotFound, RequestException.IsMissing) => RequestException.ResourceNotFound,
        (ServiceStatus.Conflict, RequestException.IsTaken) => "Resource with specified id or name already exists.",
        _ => message,
    };

    /// <summary>The status's code in an error's body.</summary>
    private static string CodeOf(int status) => status switch
    {
        429 => "429",
        449 => "RetryWith",
        _ => ((HttpStatusCode)status).ToString(),
    };
}
