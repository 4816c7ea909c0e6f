namespace ScaleOut.Simulator.Protocol;

/// <summary>How the protocols name what a response says.</summary>
/// <param name="Header">The HTTP header.</param>
/// <param name="Token">The Direct token.</param>
internal readonly record struct ResponseFieldName(string Header, ushort Token);

/// <summary>The table of what both protocols can say in a response.</summary>
internal static class ResponseFields
{
    public static readonly ResponseFieldName Continuation = new("x-ms-continuation", 0x03);
    public static readonly ResponseFieldName Etag = new("ETag", 0x04);
    public static readonly ResponseFieldName RetryAfterMs = new("x-ms-retry-after-ms", 0x0C);

    /// <summary>What a partition or container may hold.</summary>
    public static readonly ResponseFieldName Quota = new("x-ms-resource-quota", 0x0E);

    /// <summary>What it holds.</summary>
    public static readonly ResponseFieldName Usage = new("x-ms-resource-usage", 0x0F);
    public static readonly ResponseFieldName Lsn = new("lsn", 0x13);
    public static readonly ResponseFieldName ItemCount = new("x-ms-item-count", 0x14);
    public static readonly ResponseFieldName Charge = new("x-ms-request-charge", 0x15);

    /// <summary>The container's path by names.</summary>
    public static readonly ResponseFieldName OwnerName = new("x-ms-alt-content-path", 0x17);

    /// <summary>The container's resource id.</summary>
    public static readonly ResponseFieldName OwnerRid = new("x-ms-content-path", 0x18);
    public static readonly ResponseFieldName QueryMetrics = new("x-ms-documentdb-query-metrics", 0x28);
    public static readonly ResponseFieldName IndexMetrics = new("x-ms-cosmos-index-utilization", 0x44);
    public static readonly ResponseFieldName SubStatus = new("x-ms-substatus", 0x1C);
    public static readonly ResponseFieldName SessionToken = new("x-ms-session-token", 0x3E);
}
