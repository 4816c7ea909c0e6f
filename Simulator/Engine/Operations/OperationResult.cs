using ScaleOut.Simulator.Engine.Partitions;

namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>How a document operation ended. Errors are results, not exceptions.</summary>
internal struct OperationResult
{
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

    /// <summary>Whether the operation met a partition that is split or about to be.</summary>
    public readonly bool IsTurnedAwayBySplit => Status == ServiceStatus.Gone && (SubStatus is ServiceStatus.PartitionKeyRangeGone or ServiceStatus.CompletingSplit);

    public readonly bool IsThrottled => Status == ServiceStatus.TooManyRequests;

    /// <summary>
    /// The answer of a partition that is split or about to be. Requests that name a key are told 1007 either way, at which clients look up the key's range
    /// anew; requests that name a range are told 1002 once it is gone, at which clients ask its children.
    /// </summary>
    public static OperationResult OfSplit(PartitionStatus status) => status == PartitionStatus.CompletingSplit
        ? Fail(ServiceStatus.Gone, "The partition is completing a split.", ServiceStatus.CompletingSplit)
        : Fail(ServiceStatus.Gone, "The partition key range does not exist.", ServiceStatus.PartitionKeyRangeGone);

    public static OperationResult Fail(int status, string? message, int subStatus = 0) => new() { Status = status, SubStatus = subStatus, Message = message };
}
