namespace ScaleOut.Specs;

public sealed record WorkloadSpec
{
    /// <summary>Maximum number of documents of a batch.</summary>
    public const int MaxBatchSize = 100;

    /// <summary>Number of documents of a batch if the spec does not set it.</summary>
    public const int DefaultBatchSize = 100;

    /// <summary>Path of the property that a patch sets.</summary>
    public const string PatchedPath = "/patched";

    /// <summary>Path of the property that a replace sets.</summary>
    public const string ReplacedPath = "/replaced";

    /// <summary>Error for <see cref="MaxRequestUnitShare"/> if the container's RU/s are not known.</summary>
    public const string UnknownShare =
        "workload.maxRequestUnitShare: the account does not report the container's RU/s (serverless, or no right to read them), so that no "
            + "share of them is known; give workload.requestUnitRate instead.";

    [SpecField("One create or upsert per document, creates in bulk, transactional batches, point reads, queries, deletes, patches or "
        + "replaces (a read and a replace) of documents that are there, entity group transactions into a table of Azure Table storage, "
        + "a mix of them, or actions of several steps.")]
    public WorkloadKind Kind
    {
        get => field != WorkloadKind.Insert ? field
            : Mix is not null ? WorkloadKind.Mix
            : Action is not null ? WorkloadKind.Action
            : field;
        init;
    } = WorkloadKind.Insert;

    [SpecField("How often each kind of operation occurs, such as { \"insert\": 95, \"read\": 5 }.")]
    public MixSpec? Mix { get; init; }

    /// <summary>
    /// The steps that address a document address the same one, which is there before the start. Each insert or upsert writes a new one.
    /// </summary>
    [SpecField("The steps of one user action, one after the other, such as [\"read\", \"insert\", \"patch\"]. Of insert, upsert, patch, "
        + "replace, read, query and delete, also several times.", MinItems = 1, MaxItems = 20)]
    public IReadOnlyList<WorkloadKind>? Action { get; init; }

    /// <summary>With <see cref="OfRun"/>, null means that that run wrote single documents.</summary>
    [SpecField("Documents per batch; only with kind batch or tableBatch, and beside ofRun when that run wrote batches.",
        Min = 1, Max = MaxBatchSize, Default = DefaultBatchSize)]
    public int? BatchSize { get; init; }

    /// <summary>The SDK's <c>AllowBulkExecution</c>. For creates use <see cref="WorkloadKind.Bulk"/>.</summary>
    [SpecField("Whether the SDK groups reads, deletes or the operations of a mix by physical partition.")]
    public bool Bulk { get; init; }

    /// <summary>
    /// Unless <see cref="Choose"/> says otherwise, operation n uses document n modulo this number. The workers write these documents before
    /// the measurement. With <see cref="OfRun"/>, they are the documents of that run. For deletes it must not be less than the run's
    /// documents.
    /// </summary>
    [SpecField("Documents that reads, queries, patches, replaces and deletes choose from, written before the start; as many as documents "
        + "when left out.",
        Min = 1, Max = RunSpec.MaxWithPreload)]
    public long? Preload { get; init; }

    /// <summary>Required for reads, patches, replaces and deletes in a named container. Null means this run's own documents.</summary>
    [SpecField("The run whose documents are in the named container.", Form = FormName.RunId)]
    public string? OfRun { get; init; }

    [SpecField("The query; only with kind query, or a mix or an action that has queries.")]
    public QuerySpec? Query { get; init; }

    /// <summary>
    /// In a mix, an even choice is the document of the operation's own number. Deletes always address each document once.
    /// </summary>
    [SpecField("Which document a read, query, patch or replace addresses.")]
    public DocumentOrder Choose { get; init; }

    [SpecField("Whether a replace succeeds only while the document has the ETag that was read (If-Match). If somebody has changed it, the "
        + "document is read again.")]
    public bool MatchEtag { get; init; }

    /// <summary>Only for closed loops. At most half of the leg duration.</summary>
    [SpecField("How long an operation loop waits after each operation.", Min = 0, Max = 10 * 60)]
    public TimeSpan ThinkTime { get; init; }

    [SpecField("RU/s that all workers together use at most, whatever else says the load; no such limit when left out.",
        Min = 1, Max = ContainerSpec.MaxThroughput)]
    public double? RequestUnitRate { get; init; }

    [SpecField("Share of the container's RU/s that all workers together use at most, for a run beside live traffic; no such limit when "
        + "left out.", Min = 1e-6, Max = 1)]
    public double? MaxRequestUnitShare { get; init; }

    /// <summary>The run ends earlier if all documents are done. Null means one load for the whole run.</summary>
    [SpecField("Changes of the load, one after the other; the run ends after the last one.", MinItems = 1, MaxItems = 100)]
    public IReadOnlyList<StepSpec>? Steps { get; init; }

    /// <summary>How long the <see cref="Steps"/> take together; null without steps.</summary>
    [JsonIgnore]
    public TimeSpan? StepsDuration => Steps is null ? null : TimeSpan.FromTicks(Steps.Sum(step => step.Duration.Ticks));

    /// <summary>
    /// Number of documents in one operation that is passed to the SDK: the batch size for batches, 1 for others. Slices, legs and
    /// <c>next</c> are multiples of it.
    /// </summary>
    [JsonIgnore]
    public int DocumentsPerOperation => Kind.WritesBatches() ? BatchSize ?? DefaultBatchSize : 1;

    /// <summary>Whether the client groups operations by physical partition.</summary>
    [JsonIgnore]
    public bool UsesBulk => Kind == WorkloadKind.Bulk || Bulk;

    /// <summary>Whether the workload sends queries.</summary>
    [JsonIgnore]
    public bool HasQueries => Has(WorkloadKind.Query);

    /// <summary>Whether the workload replaces documents.</summary>
    [JsonIgnore]
    public bool HasReplaces => Has(WorkloadKind.Replace);

    /// <summary>Whether operations are of several kinds, or have steps of several kinds.</summary>
    [JsonIgnore]
    public bool HasSeveralKinds => Kind is WorkloadKind.Mix or WorkloadKind.Action;

    /// <summary>Whether each operation deletes the document of its own number. In a mix, only some do.</summary>
    [JsonIgnore]
    public bool DeletesEach => Mix is null && Has(WorkloadKind.Delete);

    /// <summary>The new documents of each action; 0 for other workloads.</summary>
    [JsonIgnore]
    public int WrittenByAction => Action?.Count(kind => kind.Rise() > 0) ?? 0;

    /// <summary>Whether documents must exist before the start.</summary>
    [JsonIgnore]
    public bool NeedsDocuments => Shares.Any(one => one.Kind.NeedsDocuments());

    /// <summary>Whether the workload does not change the container's number of documents.</summary>
    [JsonIgnore]
    public bool LeavesCount => Shares.All(one => one.Kind.LeavesCount());

    /// <summary>
    /// The kinds of operation that occur, with how many of each there are for one operation of the workload: of a mix their shares, which
    /// add up to 1, and of an action its steps of the kind.
    /// </summary>
    [JsonIgnore]
    public IReadOnlyList<(WorkloadKind Kind, double Share)> Shares => Mix is not null
        ? [.. Mix.Weights.Select(one => (one.Kind, Mix.ShareOf(one.Kind)))]
        : Action is not null ? [.. Action.CountBy(kind => kind).Select(one => (one.Key, (double)one.Value))]
        : [(Kind, 1)];

    /// <summary>Whether the spec limits the RU/s that the workers use.</summary>
    [JsonIgnore]
    public bool IsPaced => RequestUnitRate is not null || MaxRequestUnitShare is not null;

    /// <summary>RU/s that all workers together may use. Null without a limit, and if it depends on RU/s that are not known.</summary>
    /// <param name="budgetPerSecond">RU/s of the container; null if they are not known.</param>
    public double? PaceOf(double? budgetPerSecond) => RequestUnitRate ?? (MaxRequestUnitShare * budgetPerSecond);

    /// <summary>
    /// Whether operations address documents that <see cref="Preload"/> counts and that stay. In a mix their number follows from the
    /// operations, and each delete needs one of its own.
    /// </summary>
    [JsonIgnore]
    public bool AddressesPreload => Mix is null && NeedsDocuments && !DeletesEach;

    /// <summary>Whether an operation has the same steps as one of another workload; true if neither has steps.</summary>
    public bool HasStepsOf(WorkloadSpec other) => (Action ?? []).SequenceEqual(other.Action ?? []);

    /// <summary>Number of documents that are written before the start, if the workload needs any.</summary>
    /// <param name="documents">Documents of the run.</param>
    public long PreloadOf(long documents) =>
        Mix is null ? Preload ?? documents : MixPattern.For(Mix).CountOf(documents, WorkloadKinds.NeedsDocuments);

    /// <summary>The kind of a part of the figures, by <see cref="Measurement.PartSample.Part"/>.</summary>
    public WorkloadKind KindOf(int part) => Action is null ? (WorkloadKind)part : Action[part];

    /// <summary>By how many documents the operations of a part changed the container's count.</summary>
    public long RiseOf(int part, in Counts counts) => KindOf(part).Rise() * (counts.Inserted + counts.AlreadyPresent);

    private bool Has(WorkloadKind kind) => Shares.Any(one => one.Kind == kind);
}

/// <summary>Which of the existing documents an operation addresses. It follows from the run's id and the operation's number.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<DocumentOrder>))]
public enum DocumentOrder
{
    [Description("one after the other")]
    Even,

    [Description("some far more often than others: the n-th n^0.99 times less often than the first")]
    Zipf,

    [Description("by the same law from the newest on, which in a mix is the worker's newest write")]
    Latest,
}

/// <summary>What a worker does with each document number of its slice.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<WorkloadKind>))]
public enum WorkloadKind
{
    /// <summary>One create per document.</summary>
    Insert,

    /// <summary>One upsert per document.</summary>
    Upsert,

    /// <summary>Creates that the SDK groups by physical partition (<c>AllowBulkExecution</c>).</summary>
    Bulk,

    /// <summary>TransactionalBatches of <see cref="WorkloadSpec.BatchSize"/> creates on one partition key.</summary>
    Batch,

    /// <summary>One point read by id and key per number. The documents were written before the start, or by another run.</summary>
    Read,

    /// <summary>One query per number, all pages.</summary>
    Query,

    /// <summary>One delete by id and key per document.</summary>
    Delete,

    /// <summary>
    /// Entity group transactions of <see cref="WorkloadSpec.BatchSize"/> inserts on one partition key, into a table of Azure Table storage
    /// instead of a container.
    /// </summary>
    TableBatch,

    /// <summary>One patch by id and key per number, which sets one property of an existing document.</summary>
    Patch,

    /// <summary>Operations of several kinds (<see cref="WorkloadSpec.Mix"/>).</summary>
    Mix,

    /// <summary>
    /// One read and one replace by id and key per number. The replace sets one property of what was read. Each of the two is an attempt.
    /// </summary>
    Replace,

    /// <summary>The steps of one user action, one after the other (<see cref="WorkloadSpec.Action"/>).</summary>
    Action,
}

public static class WorkloadKinds
{
    /// <summary>Whether the workload needs documents that exist before it starts.</summary>
    public static bool NeedsDocuments(this WorkloadKind kind) =>
        kind is WorkloadKind.Read or WorkloadKind.Query or WorkloadKind.Delete or WorkloadKind.Patch or WorkloadKind.Replace;

    /// <summary>Whether the documents that operations of a kind address may recur.</summary>
    public static bool AddressesAnyDocument(this WorkloadKind kind) => kind.NeedsDocuments() && kind != WorkloadKind.Delete;

    /// <summary>Whether documents go to a table of Table storage instead of a container.</summary>
    public static bool UsesTables(this WorkloadKind kind) => kind == WorkloadKind.TableBatch;

    /// <summary>Whether one operation writes several documents of one partition key.</summary>
    public static bool WritesBatches(this WorkloadKind kind) => kind is WorkloadKind.Batch or WorkloadKind.TableBatch;

    public static bool Reads(this WorkloadKind kind) => kind is WorkloadKind.Read or WorkloadKind.Query;

    /// <summary>Whether the workload does not change the container's number of documents.</summary>
    public static bool LeavesCount(this WorkloadKind kind) =>
        kind is WorkloadKind.Read or WorkloadKind.Query or WorkloadKind.Patch or WorkloadKind.Replace;

    /// <summary>By how many documents one operation of a kind raises the container's count: 1, 0, or -1 for a delete.</summary>
    public static int Rise(this WorkloadKind kind) => kind.LeavesCount() ? 0 : kind == WorkloadKind.Delete ? -1 : 1;

    /// <summary>Whether an operation of the kind can be a step of an action: a query, or an operation on one document.</summary>
    public static bool IsStep(this WorkloadKind kind) => kind is WorkloadKind.Insert or WorkloadKind.Upsert || kind.NeedsDocuments();
}

/// <summary>A query that is sent once for each document number, and read to its last page.</summary>
public sealed record QuerySpec
{
    private const int MaxValueLength = 500;

    /// <summary>Documents per page without a <see cref="PageSize"/>: the SDK then asks for as many as the service gives.</summary>
    public const int DefaultPageSize = 1_000;

    [SpecField("Such as SELECT * FROM c WHERE c.ownerId = @owner.", MaxLength = 4_000, Filled = true)]
    public required string Text { get; init; }

    [SpecField("Values of the text's parameters.", MaxItems = 20)]
    public IReadOnlyList<QueryParameterSpec>? Parameters { get; init; }

    [SpecField("Physical partitions asked at once: -1 as the SDK likes, 0 one after the other; the SDK's default when left out.",
        Min = -1, Max = 10_000)]
    public int? MaxConcurrency { get; init; }

    [SpecField("The one partition key that is asked for, such as {{key}}; of a hierarchical key any other text is its first level; all "
        + "partitions when left out.", MaxLength = MaxValueLength, Filled = true)]
    public string? PartitionKey { get; init; }

    [SpecField("Documents per page; the SDK's default when left out.", Min = 1, Max = 1_000)]
    public int? PageSize { get; init; }
}

public sealed record QueryParameterSpec
{
    [SpecField("Such as @owner.", Form = FormName.ParameterName)]
    public required string Name { get; init; }

    [JsonConverter(typeof(RawJsonConverter))]
    [SpecField("A text, perhaps with placeholders such as {{key}} or {{field:ownerId}} of the document that the query addresses, a number, "
        + "or a truth value.", Scalar = true, MaxLength = 500)]
    public required string Value { get; init; }
}

/// <summary>
/// One step of a step load. Exactly one of <see cref="Users"/>, <see cref="Concurrency"/> and <see cref="Rate"/> is given, the same in all
/// steps.
/// </summary>
public sealed record StepSpec
{
    private const int MinSeconds = 1;

    /// <summary>Shortest <see cref="Duration"/>.</summary>
    public static readonly TimeSpan MinDuration = TimeSpan.FromSeconds(MinSeconds);

    /// <summary>Divided evenly over the workers. Each stands for a user who waits for the response, thinks and goes on.</summary>
    [SpecField("Operations in flight over all workers.", Min = 0, Max = ClientSpec.MaxConcurrency)]
    public int? Users { get; init; }

    [SpecField("Operations in flight per worker.", Min = 0, Max = ClientSpec.MaxConcurrency)]
    public int? Concurrency { get; init; }

    [SpecField("Open loop: documents per second and worker.", Min = ClientSpec.MinRate, Max = ClientSpec.MaxRate)]
    public double? Rate { get; init; }

    [SpecField("How long the step lasts.", Min = MinSeconds, Max = (24 * 60 * 60) - 1)]
    public required TimeSpan Duration { get; init; }

    /// <summary>Operations in flight of one worker; null in an open loop.</summary>
    /// <param name="worker">Index of the worker, from 0.</param>
    public int? ConcurrencyOf(int worker, int workers) =>
        Users is { } users ? (users / workers) + (worker < users % workers ? 1 : 0) : Concurrency;

    /// <summary>Name of the field that the step gives.</summary>
    [JsonIgnore]
    internal string Measure => Users is not null ? "users" : Concurrency is not null ? "concurrency" : "rate";
}
