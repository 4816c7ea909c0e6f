namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>How a document operation ended. Errors are results, not exceptions.</summary>
internal struct OperationResult
{
    /// <summary>What a 412 says.</summary>
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

    /// <summary>What went wrong.</summary>
    public string? Message;

    public readonly bool IsSuccess => Status is >= 200 and < 300;

    public readonly bool IsThrottled => Status == ServiceStatus.TooManyRequests;

    /// <summary>Whether the operation met a partition that is split or about to be.</summary>
    public readonly bool IsRejectedBySplit =>
        Status == ServiceStatus.Gone && SubStatus is ServiceStatus.PartitionKeyRangeGone or ServiceStatus.CompletingSplit;

    /// <summary>The partition is split or about to be. Clients look up the range of the request's key again.</summary>
    public static OperationResult CompletingSplit =>
        Fail(ServiceStatus.Gone, "The partition is completing a split.", ServiceStatus.CompletingSplit);

    /// <summary>The partition was split. Clients whose request names the range continue with its children.</summary>
    public static OperationResult RangeGone =>
        Fail(ServiceStatus.Gone, "The partition key range does not exist.", ServiceStatus.PartitionKeyRangeGone);

    public static OperationResult SessionNotAvailable => Fail(
        ServiceStatus.NotFound, "The read/write session is not available for the input session token.",
        ServiceStatus.ReadSessionNotAvailable);

    /// <summary>An operation of a batch that was not done, or taken back, because another failed.</summary>
    public static OperationResult FailedDependency => Fail(ServiceStatus.FailedDependency, null);

    /// <param name="retryAfterMs">What the client is to wait.</param>
    public static OperationResult Throttled(int retryAfterMs, int subStatus) => Fail(
        ServiceStatus.TooManyRequests,
        "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later.",
        subStatus) with { RetryAfterMs = retryAfterMs };

    public static OperationResult Fail(int status, string? message, int subStatus = 0) =>
        new() { Status = status, SubStatus = subStatus, Message = message };
}

/// <summary>Kinds of operation as the SDK's callers count them, in the order of <see cref="Specs.FaultOperation"/>.</summary>
internal enum OperationKind
{
    Create,
    Upsert,
    Replace,
    Read,
    Delete,

    /// <summary>
    /// A TransactionalBatch, or the request that carries bulk operations; in the ledger each bulk operation counts as its own kind.
    /// </summary>
    Batch,

    /// <summary>One page of a query or a read feed from one physical partition.</summary>
    Query,
    Patch,
}

/// <summary>Status and sub-status numbers of the service.</summary>
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

    /// <summary>With 400: the partition key in the document is another than the one in the header.</summary>
    public const int PartitionKeyMismatch = 1001;

    /// <summary>With 404: the session has seen a later write than the partition has.</summary>
    public const int ReadSessionNotAvailable = 1002;

    /// <summary>With 410: the container of that name is another one than the client believes.</summary>
    public const int NameCacheIsStale = 1000;

    /// <summary>With 410: the partition key range does not exist or does not hold the key.</summary>
    public const int PartitionKeyRangeGone = 1002;

    /// <summary>With 410: the partition is about to be split, or was split since the client looked up the key's range.</summary>
    public const int CompletingSplit = 1007;

    /// <summary>With 404: the parent container or database does not exist.</summary>
    public const int OwnerNotFound = 1003;

    /// <summary>With 400: the container has another resource id than the client believes.</summary>
    public const int ContainerRecreated = 1024;

    /// <summary>With 413: the documents that a batch returns are too many for one response.</summary>
    public const int BatchResponseTooLarge = 3402;

    /// <summary>With 429: the partition's request units are used up.</summary>
    public const int RequestUnitsExhausted = 3200;

    /// <summary>With 429: the request's throughput bucket has used its share of the throughput ("Throughput buckets", FAQ).</summary>
    public const int BucketExhausted = 3212;

    /// <summary>With 429: the throughput buckets were changed less than ten minutes before (the same).</summary>
    public const int BucketsChangedTooOften = 3213;

    /// <summary>
    /// With 403: the documents of the partition key are as large as they may be ("Diagnose and troubleshoot Azure Cosmos DB forbidden
    /// exceptions").
    /// </summary>
    public const int PartitionKeyFull = 1014;
}
