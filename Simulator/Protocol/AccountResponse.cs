namespace ScaleOut.Simulator.Protocol;

/// <summary>A response for either front end.</summary>
internal sealed class AccountResponse(ConnectionMode mode)
{
    private const int MaxKeptBuffer = 256 * 1024;

    /// <summary>Leaves quotes and other letters as they are, as the service does.</summary>
    private static readonly JsonWriterOptions Relaxed = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private long _lsn;
    private string? _activityId;

    public int Status { get; set; }

    public int SubStatus { get; private set; }

    /// <summary>The charge; null if the request failed before it became an operation.</summary>
    public RequestUnits? Charge { get; set; }

    /// <summary>Log sequence number of the operation; if it has none, the partition's newest.</summary>
    public long Lsn => _lsn > 0 ? _lsn : Named?.Lsn ?? ReplicaSet.MasterLsn;

    /// <summary>The partition that headers name: the responding one, or the container's first one; null without a container.</summary>
    public PhysicalPartition? Named => Partition ?? Container?.Map.Live[0];

    public long Version { get; private set; }

    /// <summary>Time to wait before a retry, ms; 0 if the client need not wait.</summary>
    public int RetryAfterMs { get; private set; }

    /// <summary>The request's container; null if none was found.</summary>
    public ContainerResource? Container { get; set; }

    /// <summary>Whether the response is about <see cref="Container"/> itself, whose owner is its database.</summary>
    public bool IsAboutContainer { get; set; }

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

    /// <summary>The time that the service itself takes for the request, in ms: without the network's.</summary>
    public double ServiceMs { get; set; }

    /// <summary>Null unless asked for.</summary>
    public string? QueryMetrics { get; set; }

    /// <summary>Null unless asked for.</summary>
    public string? IndexMetrics { get; set; }

    /// <summary>What a stored procedure logged, URL-encoded; null unless asked for.</summary>
    public string? ScriptLog { get; set; }

    /// <summary>Further headers for metadata, which only the gateway returns.</summary>
    public List<(string Name, string Value)> MetadataHeaders { get; } = [];

    public string ContentType { get; set; } = "application/json";

    /// <summary>Whether a fault rule closes the connection instead of responding.</summary>
    public bool ClosesConnection { get; set; }

    public ArrayBufferWriter<byte> Output { get; private set; } = new(1024);

    /// <summary>Documents that the operations of a batch return, before they are added to the body.</summary>
    public ArrayBufferWriter<byte> Documents { get; private set; } = new();

    /// <summary>The id by which the client finds its request: its own, or a new one.</summary>
    public string ActivityId
    {
        get => _activityId ??= Guid.NewGuid().ToString();
        set => _activityId = value;
    }

    /// <summary>Responds with an operation's result.</summary>
    public void Set(in OperationResult result, long nowTicks)
    {
        Charge = result.Charge;
        _lsn = result.Lsn;
        Version = result.Version;
        RetryAfterMs = result.RetryAfterMs;
        if (result.IsSuccess || result.Status == ServiceStatus.NotModified)
        {
            (Status, SubStatus) = (result.Status, result.SubStatus);
            return;
        }

        if (mode != ConnectionMode.Direct
            && ErrorTexts.OfItem(result.Status, result.SubStatus, nowTicks, ActivityId) is { } ofItem)
        {
            Fail(result.Status, result.SubStatus, errors: "", ofItem);
            return;
        }

        var errors = result.Errors;
        Fail(result.Status, result.SubStatus, errors,
            mode == ConnectionMode.Direct ? "" : ErrorTexts.OfReplica(errors, ActivityId));
    }

    public void Fail(RequestException error, OperationType operation)
    {
        var errors = error.Errors;
        Fail(error.Status, error.SubStatus, errors,
            mode == ConnectionMode.Direct ? ""
                : error.IsOfGateway ? ErrorTexts.OfGateway(error.Message, error.QueryErrors, operation, ActivityId)
                : ErrorTexts.OfReplica(errors, ActivityId),
            error.AdditionalInfo);
    }

    /// <param name="errors">The body over Direct, JSON.</param>
    /// <param name="message">The message in the body over HTTP.</param>
    private void Fail(int status, int subStatus, string errors, string message, string? additionalInfo = null)
    {
        Status = status;
        SubStatus = subStatus;
        Output.ResetWrittenCount();
        using var writer = new Utf8JsonWriter(Output, Relaxed);
        if (mode == ConnectionMode.Direct)
        {
            writer.WriteRawValue(errors);
            return;
        }

        writer.WriteStartObject();
        writer.WriteString("code", CodeOf(status));
        writer.WriteString("message", message);
        if (additionalInfo is not null)
            writer.WriteString("additionalErrorInfo", additionalInfo);
        writer.WriteEndObject();
    }

    public void SetJson(int status, object value)
    {
        Status = status;
        using var writer = new Utf8JsonWriter(Output, Relaxed);
        JsonSerializer.Serialize(writer, value, value.GetType());
    }

    public void Reset()
    {
        (Status, SubStatus, RetryAfterMs, _lsn, Version, ServiceMs) = (0, 0, 0, 0, 0, 0);
        (Charge, Container, Partition, _activityId) = (null, null, null, null);
        (Etag, ItemCount, Continuation, QueryMetrics, IndexMetrics, ScriptLog) = (null, null, null, null, null, null);
        MetadataHeaders.Clear();
        ContentType = "application/json";
        ClosesConnection = false;
        (IsFailedTransaction, IsAboutContainer) = (false, false);
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

    /// <summary>The status's code in an error's body.</summary>
    private static string CodeOf(int status) => status switch
    {
        449 => "RetryWith",
        _ => ((HttpStatusCode)status).ToString(),
    };
}
