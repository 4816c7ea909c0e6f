using System.Reflection;

namespace ScaleOut.Simulator.Protocol;

/// <summary>The fields of a request besides its operation and its body.</summary>
internal enum RequestField
{
    [Field(FieldKind.Text, "Authorization", 0x01)] Authorization,
    [Field(FieldKind.Text, "x-ms-date", 0x03)] Date,
    [Field(FieldKind.Text, null, 0x15)] Database,
    [Field(FieldKind.Text, null, 0x16)] Container,
    [Field(FieldKind.Text, null, 0x17)]
    // The name of a stored procedure.
    [Field(FieldKind.Text, null, 0x1B)] Document,

    /// <summary>Resource id that a Direct client has resolved the container's name to.</summary>
    [Field(FieldKind.Text, null, 0x35)] ContainerRid,

    /// <summary>Resource id of the container that the caller expects under the name.</summary>
    [Field(FieldKind.Text, "x-ms-cosmos-intended-collection-rid", 0x9D)] IntendedContainerRid,
    [Field(FieldKind.Text, "x-ms-documentdb-partitionkey", 0x2B)] PartitionKey,
    [Field(FieldKind.Text, "x-ms-documentdb-partitionkeyrangeid", 0x2C)] PartitionKeyRangeId,
    [Field(FieldKind.Text, null, 0x13)] ReplicaPath,
    [Field(FieldKind.Text, "x-ms-session-token", 0x05)] SessionToken,
    [Field(FieldKind.Number, "x-ms-consistency-level", 0x10)] Consistency,
    [Field(FieldKind.Text, "If-Match", RequestFields.MatchToken)] IfMatch,
    [Field(FieldKind.Text, "If-None-Match")] IfNoneMatch,
    [Field(FieldKind.Text, "If-Modified-Since", 0x47)] IfModifiedSince,
    [Field(FieldKind.Number, "x-ms-max-item-count", 0x04)] PageSize,
    [Field(FieldKind.Text, "x-ms-continuation", 0x06)] Continuation,
    [Field(FieldKind.Text, "x-ms-start-epk", 0x62)] StartPosition,
    [Field(FieldKind.Text, "x-ms-end-epk", 0x63)] EndPosition,
    [Field(FieldKind.Text, "A-IM", 0x3F)] ChangeFeed,
    [Field(FieldKind.Text, "x-ms-cosmos-changefeed-wire-format-version")] ChangeFeedFormat,
    [Field(FieldKind.Flag, "x-ms-cosmos-batch-atomic", 0x73)] BatchAtomic,
    [Field(FieldKind.Flag, "x-ms-cosmos-batch-continue-on-error", 0x74)] BatchContinueOnError,

    /// <summary>Asks that a write does not return the document.</summary>
    [Field(FieldKind.Flag, "Prefer", 0x82)] MinimalResponse,
    [Field(FieldKind.Flag, "x-ms-cosmos-is-batch-request")] IsBatch,
    [Field(FieldKind.Flag, "x-ms-documentdb-isquery")] IsQuery,
    [Field(FieldKind.Flag, "x-ms-cosmos-is-query-plan-request")] IsQueryPlan,
    [Field(FieldKind.Flag, "x-ms-documentdb-is-upsert")] IsUpsert,
    [Field(FieldKind.Text, "x-ms-offer-throughput")] OfferThroughput,
    [Field(FieldKind.Text, "x-ms-cosmos-offer-autopilot-settings")] OfferAutopilot,
    [Field(FieldKind.Flag, "x-ms-documentdb-populatequerymetrics", 0x42)] QueryMetrics,
    [Field(FieldKind.Flag, "x-ms-cosmos-populateindexmetrics", 0xA9)] IndexMetrics,

    /// <summary>The index metrics in the newer form.</summary>
    [Field(FieldKind.Flag, "x-ms-cosmos-populateindexmetrics-V2", 0xC2)] IndexMetricsV2,

    /// <summary>Asks for the container's quota and usage in the response.</summary>
    [Field(FieldKind.Flag, "x-ms-documentdb-populatequotainfo")] QuotaInfo,

    /// <summary>Set for low priority. The default is high.</summary>
    [Field(FieldKind.Number, "x-ms-cosmos-priority-level", 0xBF)] Priority,
    [Field(FieldKind.Number, "x-ms-cosmos-throughput-bucket", 0xDB)] ThroughputBucket,

    /// <summary>The name of the trigger that runs before, or after, a write.</summary>
    [Field(FieldKind.Text, "x-ms-documentdb-pre-trigger-include", 0x09)] PreTriggers,
    [Field(FieldKind.Text, "x-ms-documentdb-post-trigger-include", 0x0A)] PostTriggers,
    [Field(FieldKind.Number, "x-ms-indexing-directive", 0x07)] IndexingDirective,

    /// <summary>Asks for what a stored procedure logs.</summary>
    [Field(FieldKind.Flag, "x-ms-documentdb-script-enable-logging", 0x3E)] ScriptLog,

    /// <summary>Largest size of the response's continuation token, KB.</summary>
    [Field(FieldKind.Number, "x-ms-documentdb-responsecontinuationtokenlimitinkb", 0x43)] ContinuationLimit,

    /// <summary>The version of the protocol, a date.</summary>
    [Field(FieldKind.Text, "x-ms-version")] ApiVersion,

    /// <summary>Asks for a query over all partitions.</summary>
    [Field(FieldKind.Flag, "x-ms-documentdb-query-enablecrosspartition")] CrossPartition,

    /// <summary>What a client of query plans can combine.</summary>
    [Field(FieldKind.Text, "x-ms-cosmos-supported-query-features")] QueryFeatures,

    /// <summary>With the replacement of an offer: turns fixed throughput into autoscale, or the other way round.</summary>
    [Field(FieldKind.Flag, "x-ms-cosmos-migrate-offer-to-autopilot")] MigrateToAutoscale,
    [Field(FieldKind.Flag, "x-ms-cosmos-migrate-offer-to-manual-throughput")] MigrateToFixed,

    /// <summary>Whether a body follows the tokens.</summary>
    [Field(FieldKind.Flag, null, 0x02)] PayloadPresent,

    /// <summary>Returned in the response, so that the client finds its request.</summary>
    [Field(FieldKind.Number, null, 0x4D)] TransportRequestId,
}

internal enum FieldKind
{
    Text,

    /// <summary>In HTTP <c>True</c>, in Direct a byte other than 0.</summary>
    Flag,

    /// <summary>In HTTP text, in Direct a number.</summary>
    Number,
}

/// <summary>A name of a field in the protocols.</summary>
/// <param name="header">Null if HTTP expresses it otherwise.</param>
/// <param name="token">In Direct; 0 if only the gateway knows it.</param>
[AttributeUsage(AttributeTargets.Field, AllowMultiple = true)]
internal sealed class FieldAttribute(FieldKind kind, string? header, ushort token = 0) : Attribute
{
    public FieldKind Kind => kind;

    public string? Header => header;

    public ushort Token => token;
}

/// <inheritdoc cref="FieldAttribute"/>
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
        .. from field in Enum.GetValues<RequestField>()
           from name in typeof(RequestField).GetField($"{field}")!.GetCustomAttributes<FieldAttribute>()
           select new RequestFieldName(field, name.Kind, name.Header, name.Token),
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
