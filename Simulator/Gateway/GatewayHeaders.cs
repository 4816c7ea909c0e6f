namespace ScaleOut.Simulator.Gateway;

/// <summary>Headers of the REST protocol.</summary>
internal static class GatewayHeaders
{
    public const string ActivityId = "x-ms-activity-id";
    public const string AltContentPath = "x-ms-alt-content-path";
    public const string AutopilotSettings = "x-ms-cosmos-offer-autopilot-settings";
    public const string BatchAtomic = "x-ms-cosmos-batch-atomic";
    public const string BatchContinueOnError = "x-ms-cosmos-batch-continue-on-error";
    public const string Charge = "x-ms-request-charge";
    public const string ConsistencyLevel = "x-ms-consistency-level";
    public const string ContentPath = "x-ms-content-path";
    public const string Continuation = "x-ms-continuation";
    public const string Date = "x-ms-date";
    public const string EndPosition = "x-ms-end-epk";
    public const string IntendedContainer = "x-ms-cosmos-intended-collection-rid";
    public const string IsBatch = "x-ms-cosmos-is-batch-request";
    public const string IsQuery = "x-ms-documentdb-isquery";
    public const string IsQueryPlan = "x-ms-cosmos-is-query-plan-request";
    public const string IsUpsert = "x-ms-documentdb-is-upsert";
    public const string ItemCount = "x-ms-item-count";
    public const string Lsn = "lsn";
    public const string MaxItemCount = "x-ms-max-item-count";
    public const string OfferReplacePending = "x-ms-offer-replace-pending";
    public const string OfferThroughput = "x-ms-offer-throughput";
    public const string MinimumThroughput = "x-ms-cosmos-min-throughput";
    public const string PartitionKey = "x-ms-documentdb-partitionkey";
    public const string PartitionKeyRangeId = "x-ms-documentdb-partitionkeyrangeid";
    public const string RetryAfterMs = "x-ms-retry-after-ms";
    public const string SessionToken = "x-ms-session-token";
    public const string StartPosition = "x-ms-start-epk";
    public const string SubStatus = "x-ms-substatus";
}
