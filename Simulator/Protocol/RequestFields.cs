namespace ScaleOut.Simulator.Protocol;

/// <summary>The fields of a request besides its operation and its body.</summary>
internal enum RequestField
{
    Authorization,
    Date,
    Database,
    Container,
    Document,

    /// <summary>Resource id that a Direct client has resolved the container's name to.</summary>
    ContainerRid,

    /// <summary>Resource id of the container that the caller expects under the name.</summary>
    IntendedContainerRid,
    PartitionKey,
    PartitionKeyRangeId,
    ReplicaPath,
    SessionToken,
    Consistency,
    IfMatch,
    IfNoneMatch,
    IfModifiedSince,
    PageSize,
    Continuation,
    StartPosition,
    EndPosition,
    ChangeFeed,
    ChangeFeedFormat,
    BatchAtomic,
    BatchContinueOnError,

    /// <summary>Asks that a write does not return the document.</summary>
    MinimalResponse,
    IsBatch,
    IsQuery,
    IsQueryPlan,
    IsUpsert,
    OfferThroughput,
    OfferAutopilot,

    QueryMetrics,

    IndexMetrics,

    /// <summary>The index metrics in the newer form.</summary>
    IndexMetricsV2,

    /// <summary>Asks for the container's quota and usage in the response.</summary>
    QuotaInfo,

    /// <summary>Set for low priority. The default is high.</summary>
    Priority,

    ThroughputBucket,

    /// <summary>The name of the trigger that runs before, or after, a write.</summary>
    PreTriggers,
    PostTriggers,

    IndexingDirective,

    /// <summary>Asks for what a stored procedure logs.</summary>
    ScriptLog,

    /// <summary>Largest size of the response's continuation token, KB.</summary>
    ContinuationLimit,

    /// <summary>The version of the protocol, a date.</summary>
    ApiVersion,

    /// <summary>Asks for a query over all partitions.</summary>
    CrossPartition,

    /// <summary>What a client of query plans can combine.</summary>
    QueryFeatures,

    /// <summary>With the replacement of an offer: turns fixed throughput into autoscale, or the other way round.</summary>
    MigrateToAutoscale,
    MigrateToFixed,

    /// <summary>Whether a body follows the tokens.</summary>
    PayloadPresent,

    /// <summary>Returned in the response, so that the client finds its request.</summary>
    TransportRequestId,
}

internal enum FieldKind
{
    Text,

    /// <summary>In HTTP <c>True</c>, in Direct a byte other than 0.</summary>
    Flag,

    /// <summary>In HTTP text, in Direct a number.</summary>
    Number,
}

/// <summary>A field's name in the protocols.</summary>
/// <param name="Header">Null if HTTP expresses it otherwise.</param>
/// <param name="Token">0 if only the gateway knows it.</param>
internal sealed record RequestFieldName(RequestField Field, FieldKind Kind, string? Header, ushort Token);

/// <summary>The table of all fields, by which both front ends read requests.</summary>
internal static class RequestFields
{
    /// <summary>Direct has one token for both conditions; the operation decides which one it is.</summary>
    public const ushort MatchToken = 0x08;

    /// <summary>Direct's token for a resource id instead of names.</summary>
    public const ushort ResourceIdToken = 0x00;

    public static readonly RequestFieldName[] All =
    [
        new(RequestField.Authorization, FieldKind.Text, "Authorization", 0x01),
        new(RequestField.PayloadPresent, FieldKind.Flag, null, 0x02),
        new(RequestField.Date, FieldKind.Text, "x-ms-date", 0x03),
        new(RequestField.PageSize, FieldKind.Number, "x-ms-max-item-count", 0x04),
        new(RequestField.SessionToken, FieldKind.Text, "x-ms-session-token", 0x05),
        new(RequestField.Continuation, FieldKind.Text, "x-ms-continuation", 0x06),
        new(RequestField.IfMatch, FieldKind.Text, "If-Match", MatchToken),
        new(RequestField.IfNoneMatch, FieldKind.Text, "If-None-Match", 0),
        new(RequestField.IfModifiedSince, FieldKind.Text, "If-Modified-Since", 0x47),
        new(RequestField.Consistency, FieldKind.Number, "x-ms-consistency-level", 0x10),
        new(RequestField.ReplicaPath, FieldKind.Text, null, 0x13),
        new(RequestField.Database, FieldKind.Text, null, 0x15),
        new(RequestField.Container, FieldKind.Text, null, 0x16),
        new(RequestField.Document, FieldKind.Text, null, 0x17),
        // The name of a stored procedure.
        new(RequestField.Document, FieldKind.Text, null, 0x1B),
        new(RequestField.PartitionKey, FieldKind.Text, "x-ms-documentdb-partitionkey", 0x2B),
        new(RequestField.PartitionKeyRangeId, FieldKind.Text, "x-ms-documentdb-partitionkeyrangeid", 0x2C),
        new(RequestField.ContainerRid, FieldKind.Text, null, 0x35),
        new(RequestField.IntendedContainerRid, FieldKind.Text, "x-ms-cosmos-intended-collection-rid", 0x9D),
        new(RequestField.ChangeFeed, FieldKind.Text, "A-IM", 0x3F),
        new(RequestField.TransportRequestId, FieldKind.Number, null, 0x4D),
        new(RequestField.StartPosition, FieldKind.Text, "x-ms-start-epk", 0x62),
        new(RequestField.EndPosition, FieldKind.Text, "x-ms-end-epk", 0x63),
        new(RequestField.BatchAtomic, FieldKind.Flag, "x-ms-cosmos-batch-atomic", 0x73),
        new(RequestField.BatchContinueOnError, FieldKind.Flag, "x-ms-cosmos-batch-continue-on-error", 0x74),
        new(RequestField.QueryMetrics, FieldKind.Flag, "x-ms-documentdb-populatequerymetrics", 0x42),
        new(RequestField.IndexMetrics, FieldKind.Flag, "x-ms-cosmos-populateindexmetrics", 0xA9),
        new(RequestField.IndexMetricsV2, FieldKind.Flag, "x-ms-cosmos-populateindexmetrics-V2", 0xC2),
        new(RequestField.MinimalResponse, FieldKind.Flag, "Prefer", 0x82),
        new(RequestField.Priority, FieldKind.Number, "x-ms-cosmos-priority-level", 0xBF),
        new(RequestField.ThroughputBucket, FieldKind.Number, "x-ms-cosmos-throughput-bucket", 0xDB),
        new(RequestField.PreTriggers, FieldKind.Text, "x-ms-documentdb-pre-trigger-include", 0x09),
        new(RequestField.PostTriggers, FieldKind.Text, "x-ms-documentdb-post-trigger-include", 0x0A),
        new(RequestField.IndexingDirective, FieldKind.Number, "x-ms-indexing-directive", 0x07),
        new(RequestField.ScriptLog, FieldKind.Flag, "x-ms-documentdb-script-enable-logging", 0x3E),
        new(RequestField.ContinuationLimit, FieldKind.Number, "x-ms-documentdb-responsecontinuationtokenlimitinkb", 0x43),
        new(RequestField.IsBatch, FieldKind.Flag, "x-ms-cosmos-is-batch-request", 0),
        new(RequestField.IsQuery, FieldKind.Flag, "x-ms-documentdb-isquery", 0),
        new(RequestField.IsQueryPlan, FieldKind.Flag, "x-ms-cosmos-is-query-plan-request", 0),
        new(RequestField.IsUpsert, FieldKind.Flag, "x-ms-documentdb-is-upsert", 0),
        new(RequestField.QuotaInfo, FieldKind.Flag, "x-ms-documentdb-populatequotainfo", 0),
        new(RequestField.ApiVersion, FieldKind.Text, "x-ms-version", 0),
        new(RequestField.CrossPartition, FieldKind.Flag, "x-ms-documentdb-query-enablecrosspartition", 0),
        new(RequestField.ChangeFeedFormat, FieldKind.Text, "x-ms-cosmos-changefeed-wire-format-version", 0),
        new(RequestField.QueryFeatures, FieldKind.Text, "x-ms-cosmos-supported-query-features", 0),
        new(RequestField.MigrateToAutoscale, FieldKind.Flag, "x-ms-cosmos-migrate-offer-to-autopilot", 0),
        new(RequestField.MigrateToFixed, FieldKind.Flag, "x-ms-cosmos-migrate-offer-to-manual-throughput", 0),
        new(RequestField.OfferThroughput, FieldKind.Text, "x-ms-offer-throughput", 0),
        new(RequestField.OfferAutopilot, FieldKind.Text, "x-ms-cosmos-offer-autopilot-settings", 0),
    ];

    private static readonly RequestFieldName?[] Tokens =
        [.. Enumerable.Range(0, All.Max(name => name.Token) + 1).Select(token => Array.Find(All, one => token > 0 && one.Token == token))];

    /// <summary>The fields that have a header, by its name.</summary>
    public static FrozenDictionary<string, RequestFieldName> WithHeader { get; } = All.Where(name => name.Header is not null)
        .ToFrozenDictionary(name => name.Header!, StringComparer.OrdinalIgnoreCase);

    /// <summary>The field of a token; null for tokens that are skipped.</summary>
    public static RequestFieldName? WithToken(ushort token) => token < Tokens.Length ? Tokens[token] : null;
}

/// <summary>A response field's name in the protocols.</summary>
internal readonly record struct ResponseFieldName(string Header, ushort Token);

/// <summary>The fields that both protocols have in responses.</summary>
internal static class ResponseFields
{
    public static readonly ResponseFieldName Continuation = new("x-ms-continuation", 0x03);
    public static readonly ResponseFieldName Etag = new("ETag", 0x04);
    public static readonly ResponseFieldName RetryAfterMs = new("x-ms-retry-after-ms", 0x0C);
    public static readonly ResponseFieldName Quota = new("x-ms-resource-quota", 0x0E);
    public static readonly ResponseFieldName Usage = new("x-ms-resource-usage", 0x0F);
    public static readonly ResponseFieldName Lsn = new("lsn", 0x13);
    public static readonly ResponseFieldName ItemCount = new("x-ms-item-count", 0x14);
    public static readonly ResponseFieldName Charge = new("x-ms-request-charge", 0x15);

    /// <summary>The container's path by names.</summary>
    public static readonly ResponseFieldName OwnerName = new("x-ms-alt-content-path", 0x17);

    /// <summary>The container's resource id.</summary>
    public static readonly ResponseFieldName OwnerRid = new("x-ms-content-path", 0x18);
    public static readonly ResponseFieldName ScriptLog = new("x-ms-documentdb-script-log-results", 0x25);
    public static readonly ResponseFieldName QueryMetrics = new("x-ms-documentdb-query-metrics", 0x28);
    public static readonly ResponseFieldName IndexMetrics = new("x-ms-cosmos-index-utilization", 0x44);
    public static readonly ResponseFieldName SubStatus = new("x-ms-substatus", 0x1C);
    public static readonly ResponseFieldName SessionToken = new("x-ms-session-token", 0x3E);
}

/// <summary>The resource of a request; numbers are those of the Direct protocol, if it has the resource.</summary>
internal enum ResourceType : ushort
{
    Connection = 0x0,
    Database = 0x1,
    Container = 0x2,
    Document = 0x3,
    StoredProcedure = 0x7,
    Trigger = 0x9,
    UserDefinedFunction = 0xA,
    Offer = 0xF,
    Account = 0x14,
    PartitionKeyRange = 0x16,

    /// <summary>All documents of a partition key; only over HTTP.</summary>
    PartitionKey = 0xFFFE,

    /// <summary>The addresses of replicas; only over HTTP.</summary>
    Address = 0xFFFF,
}

/// <summary>The operation of a request; numbers are those of the Direct protocol.</summary>
internal enum OperationType : ushort
{
    /// <summary>An unknown operation; in Direct the handshake.</summary>
    None = 0x0,
    Create = 0x1,
    Patch = 0x2,
    Read = 0x3,
    ReadFeed = 0x4,
    Delete = 0x5,
    Replace = 0x6,

    /// <summary>A run of a stored procedure.</summary>
    Execute = 0x8,

    /// <summary>The same as <see cref="Query"/>.</summary>
    SqlQuery = 0x9,
    Query = 0xF,

    /// <summary>The barrier of a quorum read, which asks only for the LSN. For a document: a read without its body.</summary>
    Head = 0x11,

    /// <summary>The same barrier on the partition of databases.</summary>
    HeadFeed = 0x12,
    Upsert = 0x13,
    Batch = 0x25,

    /// <summary>How to rewrite a query and where to send it; only over HTTP.</summary>
    QueryPlan = 0xFFFF,
}
