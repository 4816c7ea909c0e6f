namespace ScaleOut.Simulator.Engine.Results;

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

    /// <summary>Whether <see cref="Message"/> is the response's body, JSON, as for errors of a query. Else it is a text.</summary>
    public bool IsBody;

    public string? Message;

    public readonly bool IsSuccess => Status is >= 200 and < 300;

    /// <summary>A replica's form of the error, JSON.</summary>
    public readonly string Errors => IsBody ? Message! : RequestException.ErrorsOf(Message ?? "");

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

    /// <summary>An operation of a batch that was skipped or rolled back, because another operation failed.</summary>
    public static OperationResult FailedDependency => Fail(ServiceStatus.FailedDependency, null);

    public static OperationResult Throttled(int retryAfterMs, int subStatus) => Fail(
        ServiceStatus.TooManyRequests,
        "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. "
        + "Learn more: http://aka.ms/cosmosdb-error-429",
        subStatus) with
    {
        RetryAfterMs = retryAfterMs,
        Charge = RequestCharges.Throttled,
    };

    public static OperationResult From(RequestException e) =>
        Fail(e.Status, e.QueryErrors ?? e.Message, e.SubStatus) with { IsBody = e.QueryErrors is not null };

    public static OperationResult Fail(int status, string? message, int subStatus = 0) =>
        new() { Status = status, SubStatus = subStatus, Message = message };
}
