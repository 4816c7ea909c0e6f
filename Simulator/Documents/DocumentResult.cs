using ScaleOut.Simulator.Charges;

namespace ScaleOut.Simulator.Documents;

/// <summary>How a document operation ended. Errors are results, not exceptions.</summary>
internal struct DocumentResult
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

    public readonly bool IsThrottled => Status == DocumentStatus.TooManyRequests;

    public static DocumentResult Fail(int status, string? message, int subStatus = 0) => new() { Status = status, SubStatus = subStatus, Message = message };
}
