namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>How a document operation ended. Errors are results, not exceptions.</summary>
internal struct OperationResult
{
    public const string PreconditionMessage =
        "One of the specified pre-condition is not met. Learn more: https://aka.ms/CosmosDB/sql/errors/precondition-failed";

    public int Status;
    public int SubStatus;
    public RequestUnits Charge;

    /// <summary>Log sequence number of the partition after the operation.</summary>
    public long Lsn;

    /// <summary>Version of the document that the operation made or read; 0 for none.</summary>
    public long Version;

    /// <summary>Only with 429.</summary>
    public int RetryAfterMs;

    public string? Message;

    public readonly bool IsSuccess => Status is >= 200 and < 300;

    public readonly bool IsThrottled => Status == ServiceStatus.TooManyRequests;

    /// <summary>Whether the partition is split or about to be.</summary>
    public readonly bool IsRejectedBySplit =>
        Status == ServiceStatus.Gone && SubStatus is ServiceStatus.PartitionKeyRangeGone or ServiceStatus.CompletingSplit;

    /// <summary>The partition is split or about to be. Clients look up the range of the key again.</summary>
    public static OperationResult CompletingSplit =>
        Fail(ServiceStatus.Gone, "The partition is completing a split.", ServiceStatus.CompletingSplit);

    /// <summary>The partition was split. Clients that named its range continue with the children.</summary>
    public static OperationResult RangeGone =>
        Fail(ServiceStatus.Gone, "The partition key range does not exist.", ServiceStatus.PartitionKeyRangeGone);

    public static OperationResult SessionNotAvailable => Fail(
        ServiceStatus.NotFound, "The read/write session is not available for the input session token.",
        ServiceStatus.ReadSessionNotAvailable);

    /// <summary>An operation of a batch that was not done, or was taken back, because another one failed.</summary>
    public static OperationResult FailedDependency => Fail(ServiceStatus.FailedDependency, null);

    public static OperationResult Throttled(int retryAfterMs, int subStatus) => Fail(
        ServiceStatus.TooManyRequests,
        "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later.",
        subStatus) with { RetryAfterMs = retryAfterMs, Charge = RequestCharges.Throttled };

    public static OperationResult Fail(int status, string? message, int subStatus = 0) =>
        new() { Status = status, SubStatus = subStatus, Message = message };
}

/// <summary>Kinds of operation as callers of the SDK count them, in the order of <see cref="Specs.FaultOperation"/>.</summary>
internal enum OperationKind
{
    Create,
    Upsert,
    Replace,
    Read,
    Delete,

    /// <summary>A TransactionalBatch, or a bulk request, whose operations count in the ledger as their own kinds.</summary>
    Batch,

    /// <summary>One page of a query or feed from one physical partition.</summary>
    Query,
    Patch,
}

/// <summary>Statuses and sub-statuses of the service.</summary>
internal static class ServiceStatus
{
    public const int Ok = 200;
    public const int Created = 201;
    public const int NoContent = 204;
    public const int MultiStatus = 207;
    public const int NotModified = 304;
    public const int BadRequest = 400;
    public const int Unauthorized = 401;
    public const int Forbidden = 403;
    public const int NotFound = 404;
    public const int MethodNotAllowed = 405;
    public const int Conflict = 409;
    public const int Gone = 410;
    public const int PreconditionFailed = 412;
    public const int TooLarge = 413;
    public const int FailedDependency = 424;
    public const int TooManyRequests = 429;

    /// <summary>With 400: the document's partition key differs from the header's.</summary>
    public const int PartitionKeyMismatch = 1001;

    /// <summary>With 404: the session has seen a later write than the partition.</summary>
    public const int ReadSessionNotAvailable = 1002;

    /// <summary>With 410: the container's name now means another container than the client believes.</summary>
    public const int NameCacheIsStale = 1000;

    /// <summary>With 410: the partition key range does not exist or does not hold the key.</summary>
    public const int PartitionKeyRangeGone = 1002;

    /// <summary>With 410: the partition is about to be split, or was split since the client looked up the key's range.</summary>
    public const int CompletingSplit = 1007;

    /// <summary>With 404: the parent container or database does not exist.</summary>
    public const int OwnerNotFound = 1003;

    /// <summary>With 400: the container has another resource id than the client believes.</summary>
    public const int ContainerRecreated = 1024;

    /// <summary>With 413: the documents of a batch do not fit into one response.</summary>
    public const int BatchResponseTooLarge = 3402;

    /// <summary>With 429: the partition's request units are used up.</summary>
    public const int RequestUnitsExhausted = 3200;

    /// <summary>With 429: the request's throughput bucket has used its share ("Throughput buckets", FAQ).</summary>
    public const int BucketExhausted = 3212;

    /// <summary>With 429: the throughput buckets were changed less than ten minutes ago ("Throughput buckets", FAQ).</summary>
    public const int BucketsChangedTooOften = 3213;

    /// <summary>With 403: the partition key is full ("Diagnose and troubleshoot Azure Cosmos DB forbidden exceptions").</summary>
    public const int PartitionKeyFull = 1014;
}

/// <summary>Ends a request with a status. Only for rare cases; document operations return their status.</summary>
#pragma warning disable CA1032, CA1064 // Never constructed without a status, never leaves this assembly.
internal sealed class RequestException(int status, string message, int subStatus = 0) : Exception(message)
#pragma warning restore CA1032, CA1064
{
    /// <summary>The 404 of a database or container, and of a replica.</summary>
    public const string ResourceNotFound = "Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found";

    /// <summary>The gateway's 404 of an item.</summary>
    public const string IsMissing = "Entity with the specified id does not exist in the system.";

    public const string IsTaken = "Entity with the specified id already exists in the system.";

    /// <summary>Leaves apostrophes and other letters as they are, as the service does.</summary>
    private static readonly JsonSerializerOptions RelaxedJson = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public int Status { get; } = status;

    public int SubStatus { get; } = subStatus;

    /// <summary>Whether the ledger counts it as rejected: not authenticated or not understood.</summary>
    public bool IsRejected { get; private init; }

    /// <summary>Further text of the response for clients; null for none.</summary>
    public string? AdditionalInfo { get; init; }

    /// <summary>The error of a query's text in the service's own form, JSON; null for other errors.</summary>
    public string? QueryErrors { get; private init; }

    /// <summary>Whether the request ends before it is authenticated.</summary>
    public bool PrecedesAuthentication { get; private init; }

    /// <summary>Responds to unknown resources.</summary>
    public static RequestException Unserved(int status, string message) =>
        new(status, message) { IsRejected = true, PrecedesAuthentication = true };

    public static RequestException From(in OperationResult result) => new(result.Status, result.Message!, result.SubStatus);

    public static RequestException Rejected(string message, int status = ServiceStatus.BadRequest) =>
        new(status, message) { IsRejected = true };

    /// <summary>400: a query's text is wrong from one character up to another.</summary>
    /// <param name="code">The service's code, such as <c>SC1001</c>.</param>
    public static RequestException InQuery(string code, int start, int end, string message) => new(ServiceStatus.BadRequest, message)
    {
        IsRejected = true,
        QueryErrors = JsonSerializer.Serialize(
            new { errors = new[] { new { severity = "Error", location = new { start, end }, code, message } } }, RelaxedJson),
    };

    public static RequestException BadRequest(string message, int subStatus = 0) => new(ServiceStatus.BadRequest, message, subStatus);

    public static RequestException NotFound(int subStatus = 0) => new(ServiceStatus.NotFound, ResourceNotFound, subStatus);

    public static RequestException Conflict() => new(ServiceStatus.Conflict, IsTaken);

    public static RequestException Gone(string message, int subStatus) => new(ServiceStatus.Gone, message, subStatus);

    public static RequestException RangeGone(int subStatus) => Gone("The partition key range does not exist.", subStatus);

    public static RequestException MethodNotAllowed() => new(ServiceStatus.MethodNotAllowed, "The method is not allowed on this path.");

    /// <summary>Reads a JSON text.</summary>
    /// <exception cref="RequestException">400 with <paramref name="error"/>: the text is not JSON, or not of the expected form.</exception>
    public static T ReadJson<T>(ReadOnlyMemory<byte> json, string error, Func<JsonElement, T> read, bool isRejected = false)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            return read(document.RootElement);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or KeyNotFoundException or FormatException)
        {
            throw isRejected ? Rejected(error) : BadRequest(error);
        }
    }
}
