namespace ScaleOut.Simulator.Protocol;

/// <summary>A response as both front ends write it.</summary>
internal sealed class AccountResponse(ConnectionMode mode)
{
    private const int LargestKeptBuffer = 256 * 1024;
    private static readonly JsonWriterOptions ErrorText = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private long _lsn;

    public int Status { get; set; }

    public int SubStatus { get; private set; }

    /// <summary>Null for a request that never became an operation.</summary>
    public RequestUnits? Charge { get; set; }

    /// <summary>Log sequence number of the partition: the one that the operation gave, else its newest.</summary>
    public long Lsn => _lsn > 0 ? _lsn : Partition?.Lsn ?? ReplicaSet.MasterLsn;

    /// <summary>Version of the document; 0 for none.</summary>
    public long Version { get; private set; }

    /// <summary>0 when the client is not asked to wait.</summary>
    public int RetryAfterMs { get; private set; }

    /// <summary>The container that the request is about; null when none was found.</summary>
    public ContainerResource? Container { get; set; }

    /// <summary>Whether a transaction failed, whatever its status.</summary>
    public bool IsFailedTransaction { get; set; }

    /// <summary>Whether the response names the container's resource id: not with an error.</summary>
    public bool ShowsContainerRid => Status < ServiceStatus.BadRequest && !IsFailedTransaction;

    /// <summary>The partition that responds; null when none was found.</summary>
    public PhysicalPartition? Partition { get; set; }

    /// <summary>What the partition holds, which only success says; null for nothing.</summary>
    public string? Usage => Status < ServiceStatus.BadRequest && (Container, Partition) is ({ } container, { Store: var store })
        ? container.Storage.Usage(store.Count, store.StoredBytes) : null;

    /// <summary>
    /// Of a database, container, offer or feed of ranges, with its quotes; a document's is made of its <see cref="Version"/>.
    /// </summary>
    public string? Etag { get; set; }

    /// <summary>Resources on the page of a feed or query; null for anything else.</summary>
    public int? ItemCount { get; set; }

    public string? Continuation { get; set; }

    /// <summary>What the query did; null unless it was asked for.</summary>
    public string? QueryMetrics { get; set; }

    /// <summary>What indexes the query uses; null unless it was asked for.</summary>
    public string? IndexMetrics { get; set; }

    /// <summary>Further headers of a response to a request for metadata, which the gateway alone responds to.</summary>
    public List<(string Name, string Value)> MetadataHeaders { get; } = [];

    public string ContentType { get; set; } = "application/json";

    /// <summary>Whether the connection is closed instead of responding, because a fault rule says so.</summary>
    public bool ClosesConnection { get; set; }

    /// <summary>Takes what becomes the body.</summary>
    public ArrayBufferWriter<byte> Output { get; private set; } = new(1024);

    /// <summary>Takes the documents that the operations of a batch return, before they become part of the body.</summary>
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

    /// <summary>Responds with an error.</summary>
    public void Fail(int status, int subStatus, string? message, string? additionalInfo = null)
    {
        Status = status;
        SubStatus = subStatus;
        Output.ResetWrittenCount();
        using var writer = new Utf8JsonWriter(Output, ErrorText);
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

    /// <summary>Responds with JSON.</summary>
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

    /// <summary>A large buffer is not kept for the next request.</summary>
    private static ArrayBufferWriter<byte> Emptied(ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity > LargestKeptBuffer)
            return new ArrayBufferWriter<byte>();
        buffer.ResetWrittenCount();
        return buffer;
    }

    /// <summary>What a replica says where the gateway has words of its own.</summary>
    private static string OfReplica(int status, string message) => (status, message) switch
    {
        (ServiceStatus.NotFound, RequestException.IsMissing) => RequestException.ResourceNotFound,
        (ServiceStatus.Conflict, RequestException.IsTaken) => "Resource with specified id or name already exists.",
        _ => message,
    };

    /// <summary>The word that an error's body has for its status.</summary>
    private static string CodeOf(int status) => status switch
    {
        429 => "429",
        449 => "RetryWith",
        _ => ((HttpStatusCode)status).ToString(),
    };
}
