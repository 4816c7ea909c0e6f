namespace ScaleOut.Simulator.Engine.Results;

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
    public const int RequestTimeout = 408;
    public const int Conflict = 409;
    public const int Gone = 410;
    public const int PreconditionFailed = 412;
    public const int TooLarge = 413;
    public const int Locked = 423;
    public const int FailedDependency = 424;
    public const int TooManyRequests = 429;

    /// <summary>With 400: the document's partition key differs from the header's.</summary>
    public const int PartitionKeyMismatch = 1001;

    /// <summary>With 400: only a client that has the query's plan can combine the results of all partitions.</summary>
    public const int NeedsPlan = 1004;

    /// <summary>With 400: a query's results have infinity or NaN.</summary>
    public const int NumberNotInJson = 4001;

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
