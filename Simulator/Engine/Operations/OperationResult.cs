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
    /// <param name="subStatus">Which budget is used up.</param>
    public static OperationResult Throttled(int retryAfterMs, int subStatus) => Fail(
        ServiceStatus.TooManyRequests,
        "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later.",
        subStatus) with { RetryAfterMs = retryAfterMs };

    public static OperationResult Fail(int status, string? message, int subStatus = 0) =>
        new() { Status = status, SubStatus = subStatus, Message = message };
}
